/* SPDX-License-Identifier: MIT */
/* cpu.c: preloaded into a program, whatever runs it: appends the CPU time of the process that BENCH_NAME names to the file
 * BENCH_CPU when it ends. So a profiled program is measured like a native one, without the profiler's own programs. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

__attribute__((destructor)) static void report(void)
{
	const char *name = getenv("BENCH_NAME"), *path = getenv("BENCH_CPU");
	struct rusage used;
	if (!name || !path || strcmp(name, program_invocation_short_name) || getrusage(RUSAGE_SELF, &used))
		return;
	FILE *file = fopen(path, "a");
	if (!file)
		return;
	fprintf(file, "cpu_ns %ld\n", (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000L + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000L);
	fclose(file);
}
