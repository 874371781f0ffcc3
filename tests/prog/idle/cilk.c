/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -D_GNU_SOURCE */
/* Cilk: a serial phase, then two, four and sixteen strands of the same CPU time in all, made by a tree of spawns, and an uneven pair. */
#include <cilk/cilk.h>
#include "truth.h"

enum { PHASE_MS = 120 };

BURNS(serial)
BURNS(strand_of_two)
BURNS(strand_of_four)
BURNS(strand_of_sixteen)
BURNS(uneven)

ROUTINE static void leaf(void (*burns)(long), long ns)
{
	truth_begin();
	burns(ns);
	truth_end();
}

ROUTINE static void tree(int strands, void (*burns)(long), long ns)
{
	if (strands == 1) {
		leaf(burns, ns);
		return;
	}
	cilk_spawn tree(strands / 2, burns, ns);
	tree(strands - strands / 2, burns, ns);
	cilk_sync;
}

ROUTINE static void pair(void)
{
	cilk_spawn leaf(uneven, PHASE_MS * MS / 4);
	leaf(uneven, PHASE_MS * MS * 3 / 4);
	cilk_sync;
}

int main(void)
{
	truth_start();
	serial(PHASE_MS * MS);
	truth_end();
	tree(2, strand_of_two, PHASE_MS * MS / 2);
	tree(4, strand_of_four, PHASE_MS * MS / 4);
	tree(16, strand_of_sixteen, PHASE_MS * MS / 16);
	pair();
	truth_begin();
	truth_print();
	return 0;
}
