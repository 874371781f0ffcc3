/* SPDX-License-Identifier: MIT */
/* input.h: the input lens's results: what activations of routines cost, by the size of their input.
 *
 * inputs_build makes the points from a session, store/ writes and reads them, views and verdicts use them. Runs add
 * up: a recording of several runs has the points of all, if all were made with the same options. A point belongs to a
 * context, which is a routine below its callers, or just a routine where contexts were not recorded; context 0 is a
 * whole thread (its routine is RUN_OUTSIDE).
 *
 *     struct inputs_curve curve;
 *     inputs_curve(inputs, &(struct inputs_pick){.routine = r, .context = INPUTS_ANY, .thread = INPUTS_ANY}, INPUT_TRMS, &curve);
 *     for (size_t i = 0; i < curve.count; i++) … curve.rows[i] …       sizes from the smallest
 *     inputs_curve_free(&curve);
 *
 * Sizes are cells (how.cell_bytes), costs basic blocks or instructions (how.cost). */
#ifndef SKEIN_INPUT_H
#define SKEIN_INPUT_H

#include "analyse/run.h"
#include "analyse/session.h"
#include "base/map.h"
#include "core/input/points.h"

#define INPUTS_ANY 0xffffffffu
#define INPUTS_KERNEL RAW_INPUT_KERNEL /* a writer that is not a thread */
#define INPUTS_OTHERS RAW_INPUT_OTHERS

extern const char *const inputs_metric_names[INPUT_METRICS]; /* rms, rms+external, trms */

struct inputs_context {
	uint32_t parent;  /* lower than its own index; 0 for the outermost and for context 0 */
	uint32_t routine; /* in run.routines */
	bool is_nested;   /* the routine is among its own callers: they already contain its cost */
};

/* A set of functions that activations called through pointers: which of them differs, so does what the activation costs. */
enum { INPUTS_SET_MOST = 16 };
struct inputs_set {
	uint32_t routines[INPUTS_SET_MOST]; /* in run.routines, sorted */
	uint32_t count;
};

struct inputs_point {
	uint32_t context;
	uint32_t set;     /* in inputs.sets; 0: the activations called nothing through a pointer */
	uint32_t thread;  /* in run.threads */
	uint16_t metrics; /* 1 << enum input_metric */
	uint16_t bits;    /* the size is a bin of this many leading binary digits; 0: exact */
	uint64_t size, size_sum;
	uint64_t calls;
	uint64_t cost_min, cost_max, cost_sum;
	double squares; /* of costs */
	uint64_t cost_outermost, self_sum;
	uint64_t thread_induced, external;
};

struct inputs_source {
	uint32_t writer, reader; /* in run.threads, or INPUTS_KERNEL or INPUTS_OTHERS */
	uint64_t cells;
};

struct inputs_run {
	uint32_t first_process, processes;
	uint32_t first_thread, threads;
	const char *command;
	uint64_t started_real_ns;
};

struct inputs {
	struct run *run;            /* the session's or the store's; not owned. Its processes and threads are those of all runs */
	struct raw_input_how *hows; /* by process */
	struct inputs_run *runs;
	size_t run_count;
	size_t runs_left_out; /* runs that were made with another cell size, unit of cost or set of options than the newest one */
	bool has_contexts;
	struct inputs_context *contexts;
	size_t context_count, context_room;
	struct inputs_set *sets; /* [0] is empty */
	size_t set_count, set_room;
	struct inputs_point *points; /* by routine, context, thread, set, metrics and size */
	size_t point_count, point_room;
	struct inputs_source *sources;
	size_t source_count, source_room;
	struct lookup index;     /* of contexts, but for context 0 */
	struct lookup set_index; /* of sets, but for set 0 */
};

void inputs_start(struct inputs *inputs, struct run *run); /* empty, with context 0 */
void inputs_build(struct session *session, struct inputs *inputs);
void inputs_free(struct inputs *inputs);
uint32_t inputs_context(struct inputs *inputs, uint32_t parent, uint32_t routine); /* finds the context, or adds it */
uint32_t inputs_set(struct inputs *inputs, const struct inputs_set *set);          /* as inputs_context */
void inputs_set_add(struct inputs_set *set, uint32_t routine);                     /* in its order, once */
void inputs_add(struct inputs *inputs, const struct inputs_point *point);
void inputs_add_source(struct inputs *inputs, const struct inputs_source *source);
void inputs_sort(struct inputs *inputs); /* call this after adding points or sources; those of equal keys are added up */

/* How the recording was made, by the first process that has a record of it. */
const struct raw_input_how *inputs_how(const struct inputs *inputs);
bool inputs_are_alike(const struct raw_input_how *a, const struct raw_input_how *b); /* the points of both may be added */
void inputs_keep_run(struct inputs *inputs, size_t run);                             /* removes the points of all other runs */

/* unseen.c: adds a note of the functions that this run called and whose reads and writes are not modelled. */
void inputs_note_unseen(struct session *session, const struct inputs *inputs);

/* ---- sums ---- */

struct inputs_size {
	uint64_t size, size_sum, calls;
	uint64_t cost_min, cost_max, cost_sum, cost_outermost, self_sum;
	uint64_t thread_induced, external;
	double squares;
};

struct inputs_curve {
	struct inputs_size *rows; /* by size */
	size_t count, room;
	uint32_t bits;            /* sizes are bins of this many digits; 0: exact */
	struct inputs_size total; /* total.size is the largest size that is known */
};

struct inputs_pick {
	uint32_t routine;         /* INPUTS_ANY: all contexts but the threads themselves */
	uint32_t context, thread; /* or INPUTS_ANY */
	uint32_t set;             /* 0: all; else 1 + the number of the only set that counts */
};

void inputs_curve(const struct inputs *inputs, const struct inputs_pick *pick, enum input_metric metric, struct inputs_curve *curve);
void inputs_curve_free(struct inputs_curve *curve);
struct inputs_size inputs_total(const struct inputs *inputs, const struct inputs_pick *pick, enum input_metric metric);
uint64_t inputs_cost(const struct inputs *inputs, uint32_t thread); /* cost of the program, or of a thread: each unit counts once */

/* Points of a routine: indices from *from up to, not including, the result. */
size_t inputs_points_of(const struct inputs *inputs, uint32_t routine, size_t *from);

#endif
