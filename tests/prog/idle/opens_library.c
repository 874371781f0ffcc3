/* SPDX-License-Identifier: MIT */
/* Burns in a library that may go at any time; tells how long. */
#include "truth.h"

ROUTINE static void library_burn(long turns)
{
	truth_spin(turns);
}

long library_work(long turns, long times);
long library_work(long turns, long times)
{
	long start = truth_cpu();
	for (long i = 0; i < times; i++)
		library_burn(turns);
	return truth_cpu() - start;
}
