/* SPDX-License-Identifier: MIT */
/* calls.h: the results of the calls lens: cprof's profile data (sections 3.4.3, Figure 6), with workers for CEs.
 *
 *     calls_build(&session, &calls);                   from raw files, or store_load_calls() from a recording
 *     struct calls_sum all = calls_sum(&calls, routine, CALLS_ALL, CALLS_ALL);
 *     calls_free(&calls);
 *
 * Two kinds of time, never mixed: a *sum* over workers adds what each worker spent (elapsed, direct, callee, wait), a
 * *union* is wall time in which at least one worker was inside. Counts are exact, and so are sums of times where every
 * call was timed; else they carry the error that the row has. Unions, pairs and levels come from snapshots of all
 * workers at one instant and carry a sampling error (calls_error).
 *
 * RUN_UNKNOWN stands where nothing was measured (times in counts mode; the caller's entry state there): a report
 * shows an empty cell, never 0. */
#ifndef SKEIN_ANALYSE_CALLS_H
#define SKEIN_ANALYSE_CALLS_H

#include "analyse/run.h"
#include "analyse/session.h"

#define CALLS_ALL 0xffffffffu

enum calls_state { STATE_SEQUENTIAL, STATE_CONCURRENT, STATE_UNKNOWN };

/* What a routine did in one worker when it had been entered in one state. In counts mode the calls that a routine
 * made have a separate row with STATE_UNKNOWN, since the state at the routine's entry is not known there. */
struct calls_entry {
	uint32_t routine, worker;
	uint32_t entry; /* enum calls_state */
	int64_t calls;
	int64_t elapsed_ns; /* time of activations outermost in their worker, minus that of recursive calls in the other state */
	int64_t direct_ns;
	int64_t callee_calls, callee_ns;
	int64_t wait_ns;
	int64_t nested_ns;  /* part of elapsed_ns: the activation is recursive by ancestry, its routine also runs in another worker */
	int64_t same_calls; /* number of concurrent calls while another worker was inside the same routine: an estimate */
	int64_t timed_calls;
	int64_t error_ns; /* half of the width of the 95 % confidence interval of direct_ns; 0 if every call was timed */
	/* while the row is built: time lost to other tasks on top; time in callees that other workers ran */
	int64_t displaced_ns, elsewhere_ns;
};

/* Calls from caller to callee, over all workers. entry: the caller's; callee_call: the caller had itself forked;
 * arc: n_working > 1 when the callee was entered. entry and callee_call spell the case of section 3.4.2. */
struct calls_arc_row {
	uint32_t caller, callee;
	uint32_t entry, callee_call, arc; /* enum calls_state */
	int64_t calls, elapsed_ns, same_calls;
	int64_t timed_calls, error_ns; /* of elapsed_ns */
	int64_t outer_ns;              /* time of activations that are outermost in their worker: shares are taken of it */
};

/* Calls that a routine made, by the worker in which the callees ran and by case: the callee fields of Figure 6. The sum over
 * workers is that of the caller's arcs; the sum over cases is callee_calls of the caller in that worker. The body of an OpenMP
 * region has the entry of the routine that forked here, and its own in struct calls_entry. */
struct calls_callee_row {
	uint32_t caller, worker;
	uint32_t entry, callee_call; /* enum calls_state */
	int64_t calls, elapsed_ns, outer_ns;
	int64_t error_ns; /* while the row is built: of elapsed_ns, without calls to the caller itself */
};

/* What a routine waited for in one worker while it was the innermost one. Rows of objects beyond a limit are missing, so sums
 * of wait_ns may be larger. */
struct calls_wait {
	uint32_t routine, worker;
	uint32_t kind;      /* enum raw_wait */
	const char *object; /* the variable that is, or contains, the lock or the like, or "a child process"; "": not known */
	const char *file;   /* where it was first waited for; "": not known */
	uint32_t line;
	uint64_t waits; /* number of waits that ended */
	uint64_t ns;    /* of these, and of a wait that never ended */
	uint64_t longest_ns;
};

struct calls_inside {
	uint32_t routine;
	uint64_t snapshots, union_ns, same_ns, running_ns, off_cpu_ns;
};

struct calls_together {
	uint32_t a, b;
	uint64_t snapshots, ns;
};

struct calls_level {
	uint32_t working;
	uint32_t routine; /* RUN_NOWHERE: the row is all wall time at this level */
	uint64_t snapshots, ns;
};

struct calls {
	const struct run *run;
	bool has_times, has_snapshots;
	uint64_t snapshots;
	double negative_ns;          /* direct times below zero that were set to 0, except rounding */
	struct calls_entry *entries; /* sorted by routine, worker, entry */
	size_t entry_count, entry_room;
	struct calls_arc_row *arcs; /* sorted by caller, callee and states */
	size_t arc_count, arc_room;
	struct calls_callee_row *callees; /* sorted by caller, worker and states */
	size_t callee_count, callee_room;
	struct calls_wait *waits; /* sorted by routine, kind, object, place, worker */
	size_t wait_count, wait_room;
	struct calls_inside *inside; /* sorted by routine */
	size_t inside_count, inside_room;
	struct calls_together *together;
	size_t together_count, together_room;
	struct calls_level *levels;
	size_t level_count, level_room;
};

void calls_build(struct session *session, struct calls *calls);
void calls_share_errors(struct calls *calls); /* once, when rows are sorted: what is uncertain about callees is so about callers */
void calls_sort(struct calls *calls);         /* call this after adding rows; rows of equal keys are added up */
void calls_free(struct calls *calls);

/* Sums of a routine's rows; worker and entry may be CALLS_ALL. */
struct calls_sum {
	int64_t calls, elapsed_ns, direct_ns, callee_calls, callee_ns, wait_ns, nested_ns, same_calls, timed_calls, error_ns;
	bool any; /* a row of the routine exists */
};
struct calls_sum calls_sum(const struct calls *calls, uint32_t routine, uint32_t worker, uint32_t entry);
struct calls_sum calls_total(const struct calls *calls, uint32_t worker); /* sum over all routines; elapsed has no meaning there */
void calls_add_callee(struct calls_callee_row *sum, const struct calls_callee_row *row); /* what is not measured adds nothing */
const struct calls_inside *calls_inside_of(const struct calls *calls, uint32_t routine);

int64_t calls_cpu_ns(const struct calls *calls, uint32_t routine,
                     int64_t direct_ns);                                        /* direct time minus time without a core, by snapshots */
uint64_t calls_level_ns(const struct calls *calls, uint32_t from, uint32_t to); /* wall time with from <= n_working <= to */
double calls_error(uint64_t snapshots, uint64_t of); /* 95 % half width of a share seen in `snapshots` of `of` snapshots */

#endif
