/* SPDX-License-Identifier: MIT */
/* late.c [STEPS [LATE]]: an all-to-all after each piece of work, which is five times as long in rank LATE (1): others wait for it.
 * late.c die RANK: that rank aborts by itself in the middle. */
#include <string.h>

#include "ranks.h"

enum { SPINS = 2000000, WORDS = 1000, MOST_RANKS = 64 };

static int sent[MOST_RANKS * WORDS], got[MOST_RANKS * WORDS];

static __attribute__((noinline)) double compute(int pieces)
{
	double sum = 0;
	for (int i = 1; i <= pieces * SPINS; i++)
		sum += 1.0 / i;
	return sum;
}

int main(int argc, char **argv)
{
	ranks_begin(&argc, &argv);
	int dies = argc > 2 && strcmp(argv[1], "die") == 0;
	int steps = argc > 1 && !dies ? atoi(argv[1]) : 20, late = argc > 2 && !dies ? atoi(argv[2]) : 1;
	double sum = 0;
	for (int s = 0; s < steps; s++) {
		work_begins();
		sum += compute(me == late ? 5 : 1);
		work_ends();
		if (dies && s == steps / 2 && me == atoi(argv[2]))
			abort();
		MPI_Alltoall(sent, WORDS, MPI_INT, got, WORDS, MPI_INT, MPI_COMM_WORLD);
	}
	say_truth(sum);
	return 0;
}
