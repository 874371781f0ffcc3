/* SPDX-License-Identifier: MIT */
/* format.h: the raw recording, every record of it.
 *
 * One process of the subject writes one file. The file is mapped shared and its space is allocated before it is
 * mapped, so stored data survives kill -9. skein reads the file once and deletes it; numbers in it (routines, sites,
 * threads) are valid within this file only.
 *
 *     offset 0           struct raw_file, RAW_HEADER_BYTES long
 *     RAW_HEADER_BYTES   records, one after another, each struct raw_record first, each a multiple of 8 bytes
 *     used_bytes         end of the records; bytes behind it mean nothing
 *
 * A record is RAW_PENDING until its writer has filled its fixed part. Tables go on changing while the subject runs:
 * `used` rows are valid, and each number in a row is an aligned 64-bit word that only its owner writes.
 *
 * The Valgrind tool, which has no thread of the subject's to write at any time, writes all records anew every few
 * seconds, beside those that are valid, and then lets one RAW_VOID lead to them (src/valgrind/record.h).
 *
 * Times are ticks of the cycle counter. (last_ns - start_ns) / (last_tsc - start_tsc) turns them into nanoseconds.
 *
 * Routine numbers: 0 is "outside" (no profiled caller). An object's routines are first_routine + index, and its
 * sites first_site + index, where index counts the lines of the object's table (see src/pass/table.h).
 * RAW_NAME gives names to routine numbers that no table has: regions that the user marked.
 *
 * Readers check everything: see raw/reader.h. */
#ifndef SKEIN_RAW_FORMAT_H
#define SKEIN_RAW_FORMAT_H

#include <stdint.h>
#include "core/calls/calls.h"
#include "core/idle/lcct.h"
#include "core/span/region.h"
#include "core/span/span.h"
#include "keys/lenses.h"

/* Nothing in a file is left to chance: no struct here has padding. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

#define RAW_MAGIC "SKEINRAW"
#define RAW_VERSION 8u
#define RAW_HEADER_BYTES 4096u

enum raw_lens {
#define X(upper, lower, number, how, words, traits) RAW_LENS_##upper = number,
	LENS_LIST(X)
#undef X
};

/* What could not be recorded, one counter per cause. Reports show the texts. */
/* clang-format off */
#define RAW_LOST_LIST(X)                                                                                              \
	X(NO_SPACE, "events lost because the recording could not grow (no space left, a limit on the size of files, or its file was removed)") \
	X(NO_MEMORY, "events lost because the subject had no memory left for the profiler")                             \
	X(TOO_DEEP, "calls deeper than the deepest level that is recorded")                                             \
	X(TOO_EARLY, "calls made before the runtime had started, or by threads that it cannot see")                     \
	X(IN_SIGNAL, "events of a signal handler that interrupted the profiler itself")                                 \
	X(VFORK, "calls made between vfork and exec")                                                                   \
	X(TOO_MANY_OBJECTS, "objects left out because the program has too many routines")                               \
	X(SNAPSHOT_DEPTH, "snapshots that recorded only both ends of a deep stack")                                     \
	X(SNAPSHOT_LATE, "snapshots taken more than ten periods late")                                                  \
	X(FILTERED, "system calls that Skein did not make because the program had given them up (seccomp)")
/* clang-format on */
enum raw_lost {
#define X(name, text) RAW_LOST_##name,
	RAW_LOST_LIST(X)
#undef X
		RAW_LOST_KINDS
};

enum raw_flag {
	RAW_FINISHED = 1,     /* the process ended by exit, _exit or quick_exit, or because its last thread ended */
	RAW_EXECED = 2,       /* the process became another program */
	RAW_FORKED = 4,       /* this process began as a fork of another one, not with main */
	RAW_COUNTS = 8,       /* counts only: every time in the tables is 0 */
	RAW_OMPT = 16,        /* an OpenMP runtime reported its events */
	RAW_NO_SNAPSHOTS = 32 /* there was no helper thread: union, together and levels are not measured */
};

struct raw_file {
	char magic[8];
	uint32_t version;
	uint32_t lens;
	uint32_t flags;
	uint32_t pid;
	uint32_t parent_pid;
	uint32_t workers;    /* the largest number of threads alive at once */
	uint64_t threads;    /* threads started in all */
	uint64_t file_bytes; /* allocated */
	uint64_t used_bytes; /* records end here */
	uint64_t start_tsc, start_ns, start_real_ns;
	uint64_t last_tsc, last_ns; /* refreshed by each snapshot and at the end */
	uint64_t cpu_ns;            /* of the process, refreshed with last_ns */
	uint64_t own_cpu_ns;        /* of the profiler's helper thread, and of its start and end in span and input; part of cpu_ns */
	uint64_t snapshots;
	uint64_t snapshot_period_ns;
	uint64_t hook_ticks; /* ticks that the hooks of one call take; already subtracted from times of calls and span, not from last_tsc */
	uint64_t untimed_ticks; /* the same for a call that is not timed */
	uint64_t lost[RAW_LOST_KINDS];
	uint32_t span_clock; /* enum raw_span_clock */
	uint32_t unused;
	uint64_t span_burden;    /* of a spawn's child and of its continuation, in ticks of that clock */
	uint64_t span_events[8]; /* enum raw_span_event */
};

enum raw_span_clock { RAW_CLOCK_INSN, RAW_CLOCK_TSC, RAW_CLOCK_NS, RAW_CLOCK_EVENT };

/* Types of records: X(name, number, struct, sentence). doc/format.md has the sentences. */
/* clang-format off */
#define RAW_RECORD_LIST(X) \
	X(PENDING, 1, struct raw_record, "not complete: readers skip it") \
	X(OBJECT, 2, struct raw_object, "a program or library: its build-id, its table file, the first numbers of its routines and sites") \
	X(THREAD, 3, struct raw_thread, "a thread (after 4096 of them: all further ones of a lane): creator, start, end, CPU time, waits, name") \
	X(LANE, 4, struct raw_lane, "a lane: waits and time waited by kind") \
	X(TABLE, 5, struct raw_table, "rows of one kind; see below") \
	X(NAME, 6, struct raw_name, "the name of a part that the user marked") \
	X(VOID, 7, struct raw_record, "nothing: readers skip it") \
	X(MODULE, 8, struct raw_module, "a file with code that was sampled or called through a pointer: its number, build-id, path and where it was loaded") \
	X(PLACE, 9, struct raw_place, "the name of a place that an agent defined: routine, file, line")
/* clang-format on */
enum raw_type {
#define X(name, number, type, sentence) RAW_##name = number,
	RAW_RECORD_LIST(X)
#undef X
};

struct raw_record {
	uint32_t type;
	uint32_t bytes; /* of the whole record, a multiple of 8 */
};

/* One record for each object (program or shared library) and each place at which it is registered. */
struct raw_object {
	struct raw_record record;
	uint32_t number;
	uint32_t first_routine, routines;
	uint32_t first_site, sites;
	uint32_t text_bytes; /* length of text, with its zeros */
	uint64_t address;    /* where the object was loaded */
	/* three strings, each ended by a zero: build-id of the native file in hex, name of the table file, path of the object */
	char text[];
};

/* One record per thread for the first few thousand threads; from then on one per lane, for all threads that run in
 * it: tid 0, number, creator and start of the first, end and name of the last, sums of the rest. */
struct raw_thread {
	struct raw_record record;
	uint32_t number; /* 0 is the thread that ran main */
	uint32_t tid;
	uint32_t lane;
	uint32_t creator; /* number of the thread that created this one, or its own number */
	uint64_t start_tsc;
	uint64_t end_tsc; /* 0 while the thread runs */
	uint64_t cpu_ns;
	uint64_t wait_ticks; /* time in which the thread waited */
	char name[16];
};

/* Kinds of waits: X(name, word, nature, advice). The word names the kind in columns, in the store and in documents; the
 * advice ends the verdict "Most waiting is in …". Everything that differs between kinds is an entry here, so that a
 * new kind must have it; tests/cli/house/raw_lists.sh holds schema.sql and doc/format.md against the words. */
/* clang-format off */
#define RAW_WAIT_LIST(X)                                                                                       \
	X(LOCK, "lock", BLOCKS, "mostly for locks: hold the lock for less time, or split it")                    \
	X(CONDITION, "condition", BLOCKS, "mostly for conditions: the work that it waits for comes too slowly") \
	X(SEMAPHORE, "semaphore", BLOCKS, "mostly for semaphores: the threads that post them do so too late")   \
	X(BARRIER, "barrier", SPINS, "mostly at barriers: the work between them is uneven, or too short")       \
	X(JOIN, "join", BLOCKS, "mostly for threads to end: it could work meanwhile")                           \
	X(IO, "io", CALLS, "mostly for input and output: overlap it with work")                                 \
	X(SLEEP, "sleep", BLOCKS, "mostly asleep: the program itself calls sleep")                              \
	X(TASK, "task", SPINS, "mostly for tasks: there are too few of them, or one is too long")               \
	X(MESSAGE, "message", SPINS, "mostly for messages of other ranks: they come too late")                  \
	X(COLLECTIVE, "collective", SPINS, "mostly in collective calls of MPI: another rank comes too late")
/* clang-format on */
enum raw_wait {
#define X(name, word, nature, advice) RAW_WAIT_##name,
	RAW_WAIT_LIST(X)
#undef X
		RAW_WAIT_KINDS
};

/* What a thread that waits does to its core. */
enum raw_wait_nature {
	RAW_NATURE_BLOCKS, /* the thread leaves its core */
	RAW_NATURE_SPINS,  /* may take CPU time: in a runtime for parallel work or in MPI, where others work meanwhile */
	RAW_NATURE_CALLS   /* a system call, which may work instead of waiting: then the thread stays on its core */
};

static inline enum raw_wait_nature raw_wait_nature(enum raw_wait kind)
{
	switch (kind) {
#define X(name, word, nature, advice) \
	case RAW_WAIT_##name: return RAW_NATURE_##nature;
		RAW_WAIT_LIST(X)
#undef X
	case RAW_WAIT_KINDS: break;
	}
	return RAW_NATURE_BLOCKS;
}

/* Does another thread of the program end the wait? */
static inline bool raw_wait_is_for_threads(enum raw_wait kind)
{
	return kind != RAW_WAIT_IO && kind != RAW_WAIT_SLEEP && kind != RAW_WAIT_MESSAGE && kind != RAW_WAIT_COLLECTIVE;
}

/* Does another rank end it, in MPI? No thread of this process works for it. */
static inline bool raw_wait_is_for_ranks(enum raw_wait kind)
{
	return kind == RAW_WAIT_MESSAGE || kind == RAW_WAIT_COLLECTIVE;
}

/* One record per lane, written by the thread that has the lane. */
struct raw_lane {
	struct raw_record record;
	uint32_t lane;
	uint32_t threads; /* threads that have run in the lane so far */
	uint64_t wait_ticks[RAW_WAIT_KINDS];
	uint64_t waits[RAW_WAIT_KINDS];
};

struct raw_name {
	struct raw_record record;
	uint32_t routine;
	uint32_t line;
	uint32_t text_bytes;
	uint32_t unused;
	char text[]; /* name, then file, each ended by a zero */
};

/* Tables: X(name, number, row, bytes of a row, lens, what a fork does, sentence). One kind is used by one lens. The writer, the
 * reader and the size of a row follow from the list; doc/format.md has the sentences, and what a row means is said where its
 * struct is defined. Numbers of kinds that are gone are not used again. */
/* clang-format off */
#define RAW_TABLE_LIST(X) \
	X(CALLS_ARCS, 1, struct calls_arc, 120, CALLS, CLEARS_BEHIND_16, "what one worker did along one arc in one state: calls, times, waits") \
	X(CALLS_SITES, 2, struct raw_site_count, 16, CALLS, CLEARS, "counts of one direct call site (`--counts`)") \
	X(CALLS_OPEN, 3, struct raw_open, 24, CALLS, EMPTIES, "an activation that was open when the clock was last written") \
	X(CALLS_INSIDE, 4, struct raw_inside, 48, CALLS, CLEARS_BEHIND_8, "from snapshots: how long workers were inside a routine") \
	X(CALLS_TOGETHER, 5, struct raw_together, 24, CALLS, CLEARS_BEHIND_8, "from snapshots: how long two routines ran at once") \
	X(CALLS_LEVELS, 6, struct raw_level, 24, CALLS, CLEARS_BEHIND_8, "from snapshots: how long n threads worked, and what ran then") \
	X(SPAN_LANE, 7, struct span_kept, 40, SPAN, KEEPS, "work and span of a lane, and the end of its log") \
	X(SPAN_SITES, 8, struct span_site, 96, SPAN, KEEPS, "profile on work of one call site of an object, in one lane") \
	X(SPAN_LOG, 9, struct span_entry, 32, SPAN, KEEPS, "part of the profile on the span: an amount of one measure of one site") \
	X(SPAN_WHAT_IF, 10, struct raw_span_what_if, 16, SPAN, KEEPS, "work and span for one `--what-if`") \
	X(SPAN_UNDER, 11, struct raw_span_under, 40, SPAN, KEEPS, "work and span of the site of `--under`, in one lane") \
	X(IDLE_HOW, 12, struct raw_idle_how, 96, IDLE, KEEPS, "cores, clock and periods of the sampler") \
	X(IDLE_THREAD, 13, struct raw_idle_thread, 80, IDLE, VOIDS, "what was sampled of a thread's CPU time") \
	X(IDLE_NODES, 14, struct lcct_node, 24, IDLE, KEEPS, "a node of the logical calling-context tree: parent, physical and logical place") \
	X(IDLE_COSTS, 15, struct raw_idle_cost, 48, IDLE, VOIDS, "samples, work by class and idleness of a thread in a node") \
	X(IDLE_EVENTS, 16, struct raw_idle_event, 16, IDLE, VOIDS, "further events of a thread in a node") \
	X(INPUT_HOW, 17, struct raw_input_how, 112, INPUT, VOIDS, "cell size, unit of cost, options, and how many events there were") \
	X(INPUT_POINTS, 18, struct raw_input_point, 112, INPUT, VOIDS, "activations of a routine in a thread with one size: number and cost") \
	X(INPUT_MATRIX, 19, struct raw_input_source, 16, INPUT, VOIDS, "cells that a thread read and that another one, or the kernel, wrote") \
	X(INPUT_CONTEXTS, 20, struct raw_input_context, 16, INPUT, VOIDS, "a calling context: its caller's and its routine") \
	X(PATHS_COUNTS, 21, uint64_t, 8, PATHS, VOIDS, "one counter of an object, in one lane") \
	X(PATHS_KEYS, 22, struct raw_paths_key, 24, PATHS, VOIDS, "a count that no array has room for, or a prefix of paths") \
	X(PATHS_STOPS, 23, struct raw_paths_stop, 24, PATHS, VOIDS, "frames that never returned, by block and register") \
	X(PATHS_OPEN, 24, struct raw_paths_open, 16, PATHS, VOIDS, "a frame in a call that may not return") \
	X(PATHS_OWN, 25, uint64_t, 8, PATHS, VOIDS, "one word of the counters of a routine with too many for its object's table") \
	X(SPAN_REGIONS, 26, struct span_region, 48, SPAN, KEEPS, "work and span of the regions of one name that the user marked, in one lane") \
	X(SPAN_TARGETS, 27, struct raw_span_target, 24, SPAN, CLEARS_BEHIND_16, "how often a site that calls through a pointer called one target, in one lane") \
	X(CALLS_WAITS, 28, struct raw_routine_wait, 48, CALLS, CLEARS_BEHIND_16, "waits of one kind of a routine, for one object, in one lane") \
	X(IDLE_WHY, 29, struct raw_idle_why, 16, IDLE, VOIDS, "idleness of a thread in a node, by what other threads waited for") \
	X(IDLE_WAITS, 30, struct raw_idle_wait, 48, IDLE, VOIDS, "waits of a thread in a node, by kind, and how long no thread worked meanwhile") \
	X(INPUT_SETS, 31, struct raw_input_set, 24, INPUT, VOIDS, "a function that activations of a routine called through a pointer") \
	X(FLOW_LOG, 32, uint64_t, 8, FLOW, VOIDS, "events of a lane, in words: one chunk of its log") \
	X(FLOW_OBJECTS, 33, struct raw_flow_object, 72, FLOW, VOIDS, "a lock or the like: where it is, and what happened to it that is not in logs") \
	X(FLOW_PATHS, 34, struct raw_flow_path, 16, FLOW, VOIDS, "a frame of a call path of a wait: its place and its caller's row")
/* clang-format on */
enum raw_table_kind {
#define X(name, number, row, bytes, lens, fork, sentence) RAW_##name = number,
	RAW_TABLE_LIST(X)
#undef X
};

/* What becomes of a table in the child of a fork, which begins with a copy of its parent's recording (raw_fork). */
enum raw_at_fork {
	RAW_FORK_CLEARS = 0,            /* rows stay, all their numbers become 0 */
	RAW_FORK_CLEARS_BEHIND_8 = 8,   /* the first 8 bytes name the row and stay */
	RAW_FORK_CLEARS_BEHIND_16 = 16, /* the first 16 bytes name the row and stay */
	RAW_FORK_EMPTIES,               /* the table has no rows any more */
	RAW_FORK_KEEPS,                 /* nothing changes: the lens itself clears the rows */
	RAW_FORK_VOIDS                  /* the table becomes RAW_VOID: its rows are the parent's */
};

#define RAW_NO_LANE 0xffffffffu /* a table of the whole process */

struct raw_table {
	struct raw_record record;
	uint32_t kind;
	uint32_t lane;
	/* RAW_CALLS_SITES, RAW_SPAN_SITES, RAW_PATHS_* but _OPEN: number of a RAW_OBJECT; RAW_SPAN_LOG: number of the log */
	uint32_t object;
	uint32_t row_bytes;
	uint32_t capacity;
	uint32_t used;
	/* rows follow */
};

/* RAW_CALLS_ARCS: rows are struct calls_arc; core/calls/calls.h says what each number means and how a routine's totals follow
 * from them. A time may be slightly below zero, as two's complement. Several rows of one lane may have the same key: add them. */

/* RAW_CALLS_SITES: counts of direct call sites, one row per site of the object. */
struct raw_site_count {
	uint64_t sequential, concurrent;
};

/* RAW_CALLS_OPEN: activations of a lane that had not ended at last_tsc, outermost first. The reader adds
 * last_tsc - start to them unless the process finished, when the runtime has done so itself. */
struct raw_open {
	uint32_t caller, callee;
	uint32_t flags;
	uint32_t outer; /* 1: not recursive */
	uint64_t start_tsc;
};

/* RAW_CALLS_WAITS: what a routine waited for while it was the innermost one, by kind and object. A lane has rows for so many
 * objects; waits for further ones have object and place 0, and when no row is left, none. RAW_LANE has the sums. */
#define RAW_CHILD_PROCESS 1u /* as an object: the wait was for a child process to end */
struct raw_routine_wait {
	uint32_t routine;
	uint32_t kind;          /* enum raw_wait */
	uint64_t object;        /* place (see below) of the lock, condition, barrier or semaphore; 0: not known */
	uint64_t place;         /* return address of the first call that waited, as a place; 0: not known */
	uint64_t waits;         /* number of waits that have ended */
	uint64_t ticks;         /* 0: the row is not in use */
	uint64_t longest_ticks; /* of one wait */
};

/* RAW_CALLS_INSIDE, _TOGETHER and _LEVELS come from snapshots of all workers at one instant; each snapshot stands for
 * the time since the one before it. */
struct raw_inside {
	uint32_t routine;
	uint32_t unused;
	uint64_t snapshots;     /* snapshots in which at least one worker was inside */
	uint64_t union_ticks;   /* wall time in which at least one worker was inside (waiting or not) */
	uint64_t same_ticks;    /* the part of it with at least two workers inside */
	uint64_t running_ticks; /* sum over workers: time as the innermost routine of a working thread */
	uint64_t off_cpu_ticks; /* the part of that in which the thread had no core (measured by its CPU clock) */
};

struct raw_together {
	uint32_t routine_a, routine_b; /* a <= b: innermost routines of two working threads, or one of them twice */
	uint64_t snapshots;
	uint64_t ticks; /* wall time */
};

#define RAW_ANY_ROUTINE 0xffffffffu
struct raw_level {
	uint32_t working; /* n_working */
	uint32_t routine; /* the innermost routine at this level; RAW_ANY_ROUTINE: wall time at the level */
	uint64_t snapshots;
	uint64_t ticks;
};

/* RAW_SPAN_LANE: one row, the struct span_kept of a lane (core/span/span.h). The rest of the lane follows, which is
 * private to the writer. The work of the process is the sum of `work` over its lanes. Threads that were joined, and
 * at the end those that were not, are on the path of the joining thread, so the program's span is `span` of the lane
 * in which it ended (that of thread 0, unless another one called exit), its burdened span `burdened_span`, and its
 * profile on the span the log of that lane. A process that was killed has no totals: work and span are then the sums
 * of the local figures of its sites. RAW_SPAN_LOG: `end` bytes of struct span_entry of the table whose lane and
 * object are the lane's and its log_number; see span_on_span. A key is (the object's first_site + the site's index
 * in its table) * SPAN_MEASURES + the measure. Where the program ended before a thread, the path through that thread is the
 * lane's log RAW_SPAN_WAY_LOG, the way to the create of the thread, and the lane's own log behind it. RAW_SPAN_SITES: profile on work, one struct span_site per site of the
 * object. Add the rows of all lanes. */

/* RAW_SPAN_WHAT_IF: one row for each --what-if, in their order, in the lane of thread 0. */
struct raw_span_what_if {
	double work, span;
};

/* RAW_SPAN_UNDER: with --under, one row in each lane; then RAW_SPAN_SITES has only what happened under the site, and
 * the log with the number RAW_SPAN_UNDER_LOG has the profile of the site's own critical paths. */
#define RAW_SPAN_UNDER_LOG 0xffffffffu
#define RAW_SPAN_WAY_LOG 0xfffffffeu
struct raw_span_under {
	uint64_t count; /* topmost invocations of the site */
	uint64_t work, span, burdened_span;
	uint64_t log_bytes;
};

/* RAW_SPAN_REGIONS: rows are struct span_region (core/span/region.h); `routine` is the number of a RAW_NAME. Add the rows of
 * all lanes. `begun` without `count`: the process was stopped in the region. */

/* RAW_SPAN_TARGETS: calls of one site, which calls through a pointer, to one target. Several rows may have the same site
 * and place: add them. A call is counted when it begins. */
#define RAW_SPAN_OTHER_TARGETS UINT64_MAX
struct raw_span_target {
	uint32_t site; /* the object's first_site + the site's index in its table */
	uint32_t unused;
	uint64_t place; /* where the target begins (see idle, below); RAW_SPAN_OTHER_TARGETS: all targets that have no row in this lane */
	uint64_t count;
};

/* struct raw_file's span_events, for a report to say what the structure of the program is. The runtime counts tasks and threads;
 * the rest follows from how often sites of each kind were called. */
enum raw_span_event {
	RAW_SPAN_SPAWNS,
	RAW_SPAN_TASKS,
	RAW_SPAN_LOOPS,
	RAW_SPAN_THREADS,
	RAW_SPAN_JOINED,
	RAW_SPAN_LOCKS,
	RAW_SPAN_CONDITIONS,
	RAW_SPAN_EVENTS
};

/* ---- idle ----
 *
 * A place is where control was: 16 bits of module, 48 bits of offset from the module's load bias, so that it means the same after
 * the module has gone and another one came to its addresses. Module 0 has no file (the offset is the address; 0 is no place at
 * all); module RAW_AGENT_MODULE is no code but what an agent made up: the offset is the number of a RAW_PLACE. The place of a
 * frame that is not the innermost one is its return address: the call is in front of it. */
#define RAW_PLACE_SHIFT 48
#define RAW_AGENT_MODULE 0xffffu

/* One record for each mapped file with code, written when a place in it is first seen. */
struct raw_module {
	struct raw_record record;
	uint32_t number;
	uint32_t text_bytes;
	uint64_t start, end; /* addresses of the mapped file */
	uint64_t bias;       /* address less offset */
	char text[];         /* two strings, each ended by a zero: build-id in hex (may be empty), path */
};

/* The logical instruction pointer that an agent gave a name to. */
struct raw_place {
	struct raw_record record;
	uint32_t number;
	uint32_t line;
	uint32_t text_bytes;
	uint32_t unused;
	char text[]; /* routine, then file, each ended by a zero */
};

enum raw_idle_clock { RAW_IDLE_PERF, RAW_IDLE_TIMER };
#define RAW_IDLE_EVENT_MAX 8

/* RAW_IDLE_HOW: one row per process. */
struct raw_idle_how {
	uint32_t cores;                            /* n: of the affinity mask and the quota */
	uint32_t clock;                            /* enum raw_idle_clock */
	uint64_t period_ns;                        /* of CPU time, between the samples of a thread */
	uint32_t rings;                            /* threads whose context switches could be seen */
	uint32_t no_rings;                         /* threads whose context switches could not be seen: their raw waits count as work */
	uint32_t unsampled;                        /* threads that could not be sampled at all */
	uint32_t nodes_lost;                       /* samples without room for their path in the tree */
	uint64_t event_period[RAW_IDLE_EVENT_MAX]; /* periods of the further events, in the order of the command line; 0: not available */
};

/* RAW_IDLE_THREAD: one row per thread record (`thread` is its number); `lane` of the table is its lane. work +
 * dropped + own is the sampled part of cpu_ns - start_cpu_ns. */
struct raw_idle_thread {
	uint32_t thread;
	uint32_t paths_cut;    /* samples whose path ends before the root of the thread */
	uint64_t start_cpu_ns; /* the thread's CPU clock when sampling began */
	uint64_t cpu_ns;       /* the thread's CPU clock at its last sample, or at its end */
	uint64_t work_ns;      /* of samples that entered the tree */
	uint64_t dropped_ns;   /* of samples in which the thread was idle */
	uint64_t own_ns;       /* of samples in the profiler itself */
	uint64_t samples, dropped, own;
	uint64_t unseen_ns; /* part of work_ns without a sample of its own (in the kernel, with signals blocked) */
};

/* RAW_IDLE_NODES: the logical calling-context tree (paper, Appendix). The number of row i is the table's `object` + i;
 * 0 is the synthetic root and has no row. A node is an X-structure: `note` is its place in its bichord, from 1,
 * outermost first. A place of 0 is NIL: the chord is shorter than its partner. The row of a node that is not complete
 * has association 0. Rows are struct lcct_node. */

/* RAW_IDLE_COSTS: what one thread (`object`: its number) spent in a node as the innermost one. Several rows may have one node: add them. */
enum raw_idle_class { RAW_IDLE_SERIAL, RAW_IDLE_UNDER, RAW_IDLE_FULL, RAW_IDLE_OVER, RAW_IDLE_CLASSES };
struct raw_idle_cost {
	uint32_t node;
	uint32_t samples;
	uint64_t work_ns[RAW_IDLE_CLASSES]; /* includes overhead: a report distinguishes it by the place */
	uint64_t idle_ns;
};

/* RAW_IDLE_WHY: why cores were idle while one thread worked in a node. `why` is the kind of wait (enum raw_wait) that kept
 * another thread from a core, or one of the numbers below. An idle core that no waiting thread accounts for has no row: the
 * program had too few threads. */
#define RAW_IDLE_HELD 0x100u    /* another thread waited for a lock that the sampled thread held */
#define RAW_IDLE_READY 0x101u   /* not a part of idle_ns: what it would be more if threads that were ready, without a core, were idle */
#define RAW_IDLE_BLOCKED 0x102u /* another thread was stopped by the kernel outside of any wait: a page fault, or a lock of the kernel's */
struct raw_idle_why {
	uint32_t node;
	uint32_t why;
	uint64_t ns;
};

/* RAW_IDLE_WAITS: where one thread waited, by samples: a row is charged with all waiting of the thread since the last charge.
 * Waits of a runtime for parallel work (RAW_NATURE_SPINS) are not here. */
struct raw_idle_wait {
	uint32_t node;
	uint32_t kind;   /* enum raw_wait */
	uint64_t object; /* place of the lock or the like; 0: not known; RAW_IDLE_MANY: several */
	uint64_t waits;  /* charges */
	uint64_t wait_ns;
	uint64_t quiet_ns; /* part of wait_ns in which no thread of the session worked, which the end of this wait ended */
	uint64_t held_ns;  /* part of wait_ns: other threads waited for a lock that this one held meanwhile */
};
#define RAW_IDLE_MANY 1u

/* RAW_IDLE_EVENTS: further events that one thread had in a node, by their number in event_period. */
struct raw_idle_event {
	uint32_t node;
	uint32_t event;
	uint64_t count; /* samples times the event's period */
};

/* ---- input ----
 *
 * A process has one RAW_INPUT_HOW; the other tables may come in several pieces. */
enum raw_input_producer { RAW_INPUT_VALGRIND, RAW_INPUT_COMPILED };
enum raw_input_cost { RAW_INPUT_BLOCKS, RAW_INPUT_INSTRUCTIONS };
enum raw_input_option {
	RAW_INPUT_COUNTS_RETURNS = 1, /* reads of return addresses and of linkage tables are input */
	RAW_INPUT_COUNTS_LOCKS = 2,   /* reads of synchronisation objects are input */
	RAW_INPUT_KEEPS_FREED = 4,    /* memory that is freed and used again is still the same to its readers */
	RAW_INPUT_HAS_CONTEXTS = 8,   /* the routine of a point is the number of a row of RAW_INPUT_CONTEXTS */
	/* a routine is the place where its code begins (see above); else a routine number as in the calls lens */
	RAW_INPUT_BY_PLACE = 16
};

/* RAW_INPUT_HOW: one row per process. */
struct raw_input_how {
	uint32_t producer; /* enum raw_input_producer */
	uint32_t cost;     /* enum raw_input_cost */
	uint32_t options;  /* enum raw_input_option */
	uint32_t cell_bytes;
	uint32_t sizes_max; /* different sizes per routine and metric before sizes become bins */
	uint32_t unused;
	uint64_t reads, writes;               /* accesses of the subject's code that were processed */
	uint64_t kernel_reads, kernel_writes; /* memory ranges that system calls read and wrote */
	uint64_t switches;                    /* of threads */
	uint64_t renumberings;
	uint64_t forgotten; /* pieces of memory that were given back */
	uint64_t binned;    /* number of routines, per metric and thread, whose sizes became bins */
	uint64_t cut;       /* activations that were ended because control left their stack, not by a return */
	/* requests to the kernel whose reads and writes cannot be seen: io_uring, and by hooks syscall() with a
	 * number that no model knows */
	uint64_t unseen;
	uint64_t loops; /* by hooks: how often the accesses of a loop were told at once, as ranges */
};

/* RAW_INPUT_POINTS: activations of one routine in one thread that have one input size. A row counts for every metric whose bit is set in
 * `metrics`. Several rows may have the same key: add them. Routine 0 is the whole thread. Activations that called different
 * functions through pointers have different rows: the key of the routine has the number of their set of functions in its
 * bits RAW_INPUT_SET_BITS (core/input/choice.h); RAW_INPUT_SETS has the sets. */
#define RAW_INPUT_SET_BITS UINT64_C(0xff0000000000)
struct raw_input_point {
	uint64_t routine;
	uint32_t thread;  /* number of a RAW_THREAD */
	uint16_t metrics; /* 1 << enum input_metric (core/input/points.h) */
	uint16_t bits;    /* sizes are bins that agree in this many leading binary digits; 0: exact */
	uint64_t size;    /* the smallest of the bin */
	uint64_t size_sum;
	uint64_t calls;
	uint64_t cost_min, cost_max, cost_sum;
	uint64_t squares[2];               /* of costs, added up: lower and upper half */
	uint64_t cost_outermost;           /* cost of activations without another one of the routine below them */
	uint64_t self_sum;                 /* cost excluding callees */
	uint64_t thread_induced, external; /* induced first accesses: written by other threads, by the kernel */
};

/* RAW_INPUT_SETS: a set of functions of a routine in one thread has this function. Set 0 has none and no row. */
#define RAW_INPUT_OTHER_TARGETS (~UINT64_C(0))
struct raw_input_set {
	uint64_t routine; /* as in RAW_INPUT_POINTS, with the number of the set */
	uint64_t target;  /* the function's, as there but not a context; RAW_INPUT_OTHER_TARGETS: further ones */
	uint32_t thread;
	uint32_t unused;
};

/* RAW_INPUT_MATRIX: how much a thread read of the writes of another: each induced first access once. */
#define RAW_INPUT_KERNEL 0xffffffffu
#define RAW_INPUT_OTHERS 0xfffffffeu /* threads that are too many to have their own number */
struct raw_input_source {
	uint32_t writer, reader; /* numbers of threads */
	uint64_t cells;
};

/* RAW_INPUT_CONTEXTS: a routine as it was called from another context; 0 is the thread itself and has no row. */
struct raw_input_context {
	uint32_t number, parent;
	uint64_t routine;
};

/* ---- paths ----
 *
 * What is counted, and what the numbers mean, is in the object's shape (src/pass/shape.h). Each lane has its own tables: add them. */

/* RAW_PATHS_COUNTS: one uint64_t a counter of the object. */

/* RAW_PATHS_OWN: counters of one routine that has too many for the object's table. Rows are uint64_t: the routine's
 * index in the object's table; a number n; n counts, by index of the path; and, if the routine is cut, n places, by
 * the value that was looked up (0: none yet). Several tables may be of one routine and lane: add counts; places are
 * the same. */

/* RAW_PATHS_KEYS: counts and places that no array has room for. Several rows of one lane may have the same key: add
 * counts; each place is given once. */
enum raw_paths_key_kind { RAW_PATHS_COUNT, RAW_PATHS_PREFIX };
struct raw_paths_key {
	uint32_t routine; /* the routine's index in the object's table */
	uint32_t kind;    /* enum raw_paths_key_kind; a row with value 0 is not in use */
	uint64_t key;     /* COUNT: index of a path; PREFIX: the value that was looked up */
	uint64_t value;   /* how often; or its place among the prefixes of the routine in this lane, from 1 */
};

/* RAW_PATHS_STOPS: frames that never ended, by block and register (paths_decode_prefix of core/paths/plan.h).
 * Several rows may be equal: add them. */
struct raw_paths_stop {
	uint32_t routine; /* the routine's index in the object's table */
	uint32_t block;   /* of the call that did not come back */
	uint64_t reg;     /* the register of the frame there */
	uint64_t count;
};

/* RAW_PATHS_OPEN: frames that are in a call that may not return, or were when the process ended: each counts as one
 * more frame that never ended. The rows have no order; a lane may have several tables. A row whose routine is 0 or
 * RAW_PATHS_LINK is not a frame; a row whose block is RAW_PATHS_NO_CALL is not in such a call. */
#define RAW_PATHS_LINK 0xffffffffu
#define RAW_PATHS_NO_CALL 0xffffffffu
struct raw_paths_open {
	uint32_t routine; /* a routine number: the object's first_routine + its index */
	uint32_t block;
	uint64_t reg;
};

/* ---- flow ----
 *
 * RAW_FLOW_LOG: a chunk (core/flow/log.h) of the lane; the table's `object` is its number among the lane's, from 0, and all its
 * rows are its memory. The first field of a record about an object is the object's number, and places are those of idle, above. A BEGIN of
 * a lane comes before any other record of its thread.
 *
 * RAW_FLOW_OBJECTS: the number of row i is the table's `object` + i, from 1; 0 is no object. A lock that one thread alone has had is
 * not in logs; when another one takes it, the last release of the first thread is here. From then on a log has each acquisition by
 * another thread than the last one, and of releases in a row by one thread at least the last.
 *
 * RAW_FLOW_PATHS: the number of row i in its lane is the table's `object` + i, from 1. A PAUSE has the number of its innermost frame,
 * the call that waits; a caller's row comes before those of its callees. A path has at most 64 frames. The outermost one of a thread is
 * the function that the program gave to it, unless the thread began unseen; that of the first thread is where the program begins. */
enum raw_flow_what {
	RAW_FLOW_LOCK,
	RAW_FLOW_SHARED_LOCK, /* a read-write lock */
	RAW_FLOW_SEMAPHORE,
	RAW_FLOW_CONDITION,
	RAW_FLOW_BARRIER,
	RAW_FLOW_PIPE,       /* or a direction of a pair of sockets: `place` is its name, which all processes share */
	RAW_FLOW_ROOM,       /* in a pipe, likewise */
	RAW_FLOW_ATOMIC,     /* a word that threads wait for by system calls: std::atomic, std::future */
	RAW_FLOW_ONCE,       /* what is initialised once */
	RAW_FLOW_DEPENDENCE, /* a variable that OpenMP's tasks depend on */
	RAW_FLOW_EVENTFD     /* named like a pipe */
};
#define RAW_FLOW_SHARED_NAME (UINT64_C(3) << 62) /* bits of a name that is not a place */
static inline bool raw_flow_is_shared(uint32_t what)
{
	return what == RAW_FLOW_PIPE || what == RAW_FLOW_ROOM || what == RAW_FLOW_EVENTFD;
}
struct raw_flow_object {
	uint64_t place; /* of the object itself, as if it were code */
	uint32_t what;  /* enum raw_flow_what */
	uint32_t first_thread;
	uint64_t released; /* tick of the last release that is not in a log, by first_thread; 0: there is none */
	uint64_t site;     /* place of the call that was the first to do anything with the object; 0: the row is not in use */
	uint64_t acquired; /* acquisitions, in logs or not */
	uint64_t held_ticks;
	uint64_t shared;  /* 1: more than one thread has had it */
	uint64_t refused; /* tries that failed */
	uint32_t lane;    /* of the path of that call, + 1; 0: there is none */
	uint32_t path;    /* row of RAW_FLOW_PATHS */
};

struct raw_flow_path {
	uint64_t place;  /* return address */
	uint32_t parent; /* row of its caller; 0: none */
	uint32_t unused;
};

#pragma GCC diagnostic pop

/* ---- what follows from the list of tables ---- */

/* Checks that rows have the sizes of the list: a change to one changes the format, and RAW_VERSION. Each number can
 * be written by one store. */
#define X(name, number, row, bytes, lens, fork, sentence)                                                   \
	_Static_assert(sizeof(row) == (bytes), "RAW_" #name ": the list and RAW_VERSION know another row"); \
	_Static_assert(sizeof(row) % 8 == 0 && _Alignof(row) <= 8, "RAW_" #name ": rows follow one another, in words of 8 bytes");
RAW_TABLE_LIST(X)
#undef X

static inline uint32_t raw_row_bytes(uint32_t kind) /* 0: no such kind */
{
	switch (kind) {
#define X(name, number, row, bytes, lens, fork, sentence) \
	case number: return (uint32_t)sizeof(row);
		RAW_TABLE_LIST(X)
#undef X
	default: return 0;
	}
}

static inline uint32_t raw_table_lens(uint32_t kind) /* enum raw_lens; 0: no such kind */
{
	switch (kind) {
#define X(name, number, row, bytes, lens, fork, sentence) \
	case number: return RAW_LENS_##lens;
		RAW_TABLE_LIST(X)
#undef X
	default: return 0;
	}
}

static inline enum raw_at_fork raw_at_fork(uint32_t kind)
{
	switch (kind) {
#define X(name, number, row, bytes, lens, fork, sentence) \
	case number: return RAW_FORK_##fork;
		RAW_TABLE_LIST(X)
#undef X
	default: return RAW_FORK_VOIDS;
	}
}

#endif
