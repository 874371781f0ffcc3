/* SPDX-License-Identifier: MIT */
/* stacks.h: call paths with figures, as profiles of other tools have them. A lens fills one in, a format writes it.
 *
 *     struct stacks s;
 *     stacks_start(&s, &run);
 *     stacks_type(&s, "work", "nanoseconds");
 *     uint32_t at = stacks_call(&s, STACKS_NOWHERE, stacks_routine(&s, caller), 12);        12: the line that it is at
 *     at = stacks_call(&s, at, stacks_routine(&s, callee), 0);
 *     stacks_add(&s, &(struct stacks_sample){.node = at, .thread = 1}, values);              a value of each type
 *     result = export_folded(&s, file, &why);
 *     stacks_free(&s);
 *
 * A node is a routine that was called on a path, at the line that it had reached: a call, or what ran. Its parent is the caller. Samples
 * of the same node, thread, wait and object are added up. What the file must say of itself is a remark (stacks_remark).
 *
 * Texts are lent, in the run or in the pool. One thread. */
#ifndef SKEIN_STACKS_H
#define SKEIN_STACKS_H

#include <stdint.h>
#include <stdio.h>
#include "analyse/run.h"
#include "base/fail.h"
#include "base/map.h"
#include "base/memory.h"

#define STACKS_NOWHERE UINT32_MAX
enum { STACKS_TYPES = 64, STACKS_REMARKS = 4 };

struct stacks_function {
	const char *name, *linkage, *file;
	uint32_t line;   /* where it is declared; 0: not known */
	uint32_t object; /* in run.objects, or RUN_NO_OBJECT */
};

struct stacks_node {
	uint32_t parent; /* lower than its own index, or STACKS_NOWHERE */
	uint32_t function;
	uint32_t line; /* in the function's file; 0: not known */
};

struct stacks_sample {
	uint32_t node;
	uint32_t thread;           /* in run.threads, or STACKS_NOWHERE */
	const char *wait, *object; /* what was waited for; NULL: the sample is not a wait */
};

/* An arc with its cost, for formats that know callers and callees only. */
struct stacks_arc {
	uint32_t caller, callee; /* functions */
	uint32_t line;
	int64_t calls;
	const int64_t *values; /* including callees, of each type; belongs to the stacks */
};

struct stacks {
	const struct run *run;
	struct {
		const char *name, *unit;
	} types[STACKS_TYPES];
	size_t type_count;
	uint64_t period_ns; /* between the samples of a thread; 0: nothing was sampled */
	size_t chosen;      /* the type that formats with one figure have, and that others show first */
	struct stacks_function *functions;
	size_t function_count, function_room;
	struct stacks_node *nodes;
	size_t node_count, node_room;
	struct stacks_sample *samples;
	size_t sample_count, sample_room;
	int64_t *values;         /* type_count of each sample */
	struct stacks_arc *arcs; /* what a lens knows of callers and callees without their paths; none: to be found by paths */
	size_t arc_count, arc_room;
	const char *remarks[STACKS_REMARKS];
	size_t remark_count;
	struct lookup function_index, node_index, sample_index;
	struct pool pool;
};

void stacks_start(struct stacks *s, const struct run *run);
void stacks_free(struct stacks *s);
void stacks_type(struct stacks *s, const char *name, const char *unit); /* all types come before the first sample */
void stacks_remark(struct stacks *s, const char *text);
uint32_t stacks_function(struct stacks *s, const struct stacks_function *function); /* finds the same one, or adds it */
uint32_t stacks_routine(struct stacks *s, uint32_t routine);                        /* the function of a routine of the run */
uint32_t stacks_call(struct stacks *s, uint32_t parent, uint32_t function, uint32_t line);
void stacks_add(struct stacks *s, const struct stacks_sample *sample, const int64_t *values);
void stacks_arc(struct stacks *s, const struct stacks_arc *arc); /* copies the values */
int64_t stacks_sum(int64_t a, int64_t b);                        /* of figures; what is too large becomes the largest one there is */
int64_t stacks_value(const struct stacks *s, size_t sample, size_t type);
const char *stacks_thread(struct stacks *s, uint32_t thread); /* "worker, thread 1", or NULL */

/* ---- the formats ---- */

typedef int export_writer(struct stacks *s, FILE *file, struct fail *why);
export_writer export_folded, export_pprof, export_callgrind, export_speedscope, export_perf_script;

#endif
