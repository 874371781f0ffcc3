/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -D_GNU_SOURCE -pthread */
/* Phases on 1, 2, 4 and 16 threads (the last one of twice the CPU time): with n cores x idles (n - 1) t and the others next to nothing, the paper's
 * example of two phases (section 6). */
#include "workers.h"

enum { PHASE_MS = 120 };

BURNS(x)
BURNS(y_two)
BURNS(y_four)
BURNS(y_sixteen)

static void two(int number) { (void)number; y_two(PHASE_MS * MS / 2); }
static void four(int number) { (void)number; y_four(PHASE_MS * MS / 4); }
static void sixteen(int number) { (void)number; y_sixteen(PHASE_MS * MS / 8); }

int main(void)
{
	truth_start();
	x(PHASE_MS * MS);
	crew_run(2, two);
	crew_run(4, four);
	crew_run(16, sixteen);
	truth_print();
	return 0;
}
