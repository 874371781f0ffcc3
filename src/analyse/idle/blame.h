/* SPDX-License-Identifier: MIT */
/* blame.h: which routine is to blame for a sample: the innermost one on its logical path that is part of the program.
 *
 * A sample in free(), or in a runtime, says little in a verdict; the routine of the program that called free() says
 * more. Routines that are not the program's (analyse/blame_place.h) are passed over; where nothing else is on the path the
 * innermost routine of all is taken.
 *
 *     size_t count;
 *     struct idles_blame *list = idles_blame(idles, &count);      sorted by idleness; the caller frees */
#ifndef SKEIN_IDLE_BLAME_H
#define SKEIN_IDLE_BLAME_H

#include "analyse/idle/idle.h"

/* Idleness by what other threads waited for meanwhile; what is left had too few threads. */
struct idles_reasons {
	uint64_t by_kind[RAW_WAIT_KINDS];
	uint64_t held_ns;    /* other threads waited for a lock that the sampled thread held; not in by_kind */
	uint64_t blocked_ns; /* other threads were stopped by the kernel outside of any wait: in page faults, say */
	uint64_t ready_ns;   /* not idleness: what it would be more if threads that were ready, without a core, were idle */
};

struct idles_blame {
	uint32_t routine;
	struct idles_sums sums;
	const char *file; /* the line with the most idleness, or the line that called the code with it; "" if not known */
	uint32_t line;
	uint64_t line_idle_ns;
	uint32_t context; /* the scope of the routine with the most idleness, with everything blamed on the routine there */
	struct idles_sums in_context;
	struct idles_reasons why;
};

struct idles_blame *idles_blame(const struct idles *idles, size_t *count);

/* Goes up from a scope to that of the routine to blame, or IDLES_NO_SCOPE; *line is the scope of the line in that routine. */
uint32_t idles_blamed(const struct idles *idles, uint32_t from, uint32_t *line);
/* Of a routine of the program: the call of a routine that is not the program's with the most work in it, and how much that is. */
uint64_t idles_most_called(const struct idles *idles, uint32_t routine, uint32_t *scope);
/* A routine's own work, with what is inlined into it and what it calls of libraries. */
uint64_t idles_work_in(const struct idles *idles, uint32_t routine);
/* The job during which most of a routine's idleness was, with all idleness during that job: the routine that the first routine of its thread
 * calls, as a thread of a pool does. RUN_NOWHERE: the main thread did it, or no job has half of it. */
uint32_t idles_job(const struct idles *idles, const struct idles_blame *b, uint64_t *idle_ns);
void idles_reason(struct idles_reasons *to, const struct idles_why *why); /* adds one */

#endif
