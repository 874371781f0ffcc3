/* SPDX-License-Identifier: MIT */
/* openmp.h: what subjects of the span lens share that use OpenMP.
 *
 * work(u) does u units of work and nothing else costs anything in comparison, so a case knows its work and its span in
 * units. A case is run by its name, and `list` prints the names and what is known:
 *
 *     span_openmp_tasks list           NAME WORK SPAN, a line each
 *     span_openmp_tasks NAME           does it, and says how many units were done */
#include <stdio.h>
#include <string.h>

enum { UNIT = 80000 };

static volatile unsigned sink;
static unsigned done;

__attribute__((noinline)) static void work(unsigned units)
{
	for (unsigned i = 0; i < units * UNIT; i++)
		sink = i;
#pragma omp atomic
	done += units;
}

struct subject {
	const char *name;
	unsigned work, span;
	void (*run)(void);
};

static int run_subject(const struct subject *s, const char *name)
{
	for (; s->name; s++)
		if (strcmp(name, "list") == 0) {
			printf("%s %u %u\n", s->name, s->work, s->span);
		} else if (strcmp(name, s->name) == 0) {
			s->run();
			printf("%s: %u of %u units\n", name, done, s->work);
			return done != s->work;
		}
	return strcmp(name, "list") != 0;
}
