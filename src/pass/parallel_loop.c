/* SPDX-License-Identifier: MIT */
/* parallel_loop.c: cilk_for. */
#include "pass/parallel.h"

void loop_lower(struct parallel *p, struct spawner *s)
{
	(void)p;
	(void)s;
}
