/* SPDX-License-Identifier: MIT */
/* work.h: what subjects that are odd in other ways have in common: a routine that is called as often as the subject says.
 *
 *     work(100);                calls step() a hundred times
 *     report_work();            prints "expect step N", N: calls in this process and in children that share `worked` */
#ifndef SUBJECT_ODD_WORK_H
#define SUBJECT_ODD_WORK_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static unsigned long *worked;
static volatile unsigned sink;

__attribute__((noinline)) static void step(unsigned i)
{
	sink = sink * 31 + i;
}

__attribute__((noinline)) static void work(unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		step(i);
	__atomic_fetch_add(worked, times, __ATOMIC_RELAXED);
}

__attribute__((constructor)) static void share_work(void)
{
	worked = (unsigned long *)mmap(NULL, sizeof *worked, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (worked == MAP_FAILED)
		abort();
}

static inline void report_work(void)
{
	dprintf(1, "expect step %lu\n", *worked);
}

#endif
