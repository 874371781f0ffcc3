/* SPDX-License-Identifier: MIT */
/* cpu.c: preloaded into a program, whatever runs it: appends what the process that BENCH_NAME names has used to the file
 * BENCH_CPU when it ends: `cpu_ns` (user and system), `user_ns`, `wall_ns`, and `peak_kb`, the most memory that was resident. So a
 * profiled program is measured like a native one, without the profiler's own programs. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long ns(struct timeval t)
{
	return t.tv_sec * 1000000000L + t.tv_usec * 1000L;
}

static long wall_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static long started_ns;
__attribute__((constructor)) static void start(void) { started_ns = wall_ns(); }

/* Not ru_maxrss, which remembers the program that called exec. */
static long peak_kb(void)
{
	char line[256];
	long kb = 0;
	FILE *status = fopen("/proc/self/status", "r");
	while (status && fgets(line, sizeof line, status))
		if (sscanf(line, "VmHWM: %ld", &kb) == 1)
			break;
	if (status)
		fclose(status);
	return kb;
}

__attribute__((destructor)) static void report(void)
{
	const char *name = getenv("BENCH_NAME"), *path = getenv("BENCH_CPU");
	struct rusage used;
	if (!name || !path || strcmp(name, program_invocation_short_name) || getrusage(RUSAGE_SELF, &used))
		return;
	long kb = peak_kb(), wall = wall_ns() - started_ns;
	FILE *file = fopen(path, "a");
	if (!file)
		return;
	fprintf(file, "cpu_ns %ld user_ns %ld wall_ns %ld peak_kb %ld\n", ns(used.ru_utime) + ns(used.ru_stime), ns(used.ru_utime), wall, kb);
	fclose(file);
}

/* Destructors are left out by who ends so: skein's process for the analysis does. */
_Noreturn void _exit(int status)
{
	report();
	for (;;)
		syscall(SYS_exit_group, status);
}
