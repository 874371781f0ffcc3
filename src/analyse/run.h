/* SPDX-License-Identifier: MIT */
/* run.h: one run of a subject as every lens sees it: processes, objects, routines, sites, threads and workers.
 *
 * A session becomes a struct run (session.h), which is stored (store/store.h) and reported. Times are nanoseconds
 * since the run's start unless their name says otherwise. Routines are indices into `routines`; index 0 is
 * RUN_OUTSIDE, "no profiled caller". Workers have one numbering over all processes of the run.
 *
 *     struct run run;
 *     run_start(&run);
 *     uint32_t r = run_routine(&run, &(struct run_routine){.object = o, .linkage = "fib", .file = "fib.c", .line = 3});
 *     …
 *     run_free(&run);
 *
 * The run owns every string and array in it. Identity (DESIGN): an object is its native build-id, a routine its object,
 * linkage name, file and line; run_object and run_routine return the same index for the same identity. */
#ifndef SKEIN_RUN_H
#define SKEIN_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include "base/map.h"
#include "base/memory.h"
#include "raw/format.h"

#define RUN_UNKNOWN INT64_C(-1) /* a figure that was not measured; shown as empty, stored as NULL */

#define RUN_OUTSIDE 0u
#define RUN_NO_OBJECT 0xffffffffu /* object of regions that the user marked, and of code that could not be named */
#define RUN_NOWHERE 0xffffffffu   /* no routine */

/* What kind of code a routine is. The texts are stored. */
/* clang-format off */
#define RUN_KIND_LIST(X)                                                                                  \
	X(PLAIN, "routine")                                                                               \
	X(OPENMP, "openmp")         /* the body of an OpenMP construct */                                 \
	X(PARALLEL, "openmp-parallel") /* the same, of a parallel region, where its name does not tell */ \
	X(TASK, "openmp-task") /* likewise, of a task */                                                  \
	X(UNPROFILED, "unprofiled") /* left out by --only or --skip, or impossible to profile */          \
	X(REGION, "region")         /* marked by the user */                                              \
	X(OUTSIDE, "outside")                                                                             \
	X(UNKNOWN, "unknown")       /* no table names the routine */
/* clang-format on */
enum run_kind {
#define X(name, text) RUN_##name##_KIND,
	RUN_KIND_LIST(X)
#undef X
		RUN_KINDS
};
const char *run_kind_text(enum run_kind kind);

struct run_object {
	const char *build_id;
	const char *path; /* of the native file */
};

struct run_routine {
	uint32_t object;
	uint32_t line;
	enum run_kind kind;
	const char *linkage;
	const char *name;  /* demangled; run_routine fills it in */
	const char *shown; /* in text; run_show_names fills it in */
	const char *file;
};

struct run_site {
	uint32_t caller, callee;
	uint32_t line, column;
	const char *file;
};

struct run_inlined {
	uint32_t into; /* RUN_NOWHERE: the callee was removed */
	uint32_t line;
	const char *name, *file;
};

struct run_process {
	uint32_t pid, parent_pid, flags; /* RAW_FINISHED … */
	uint32_t workers;
	uint64_t threads;
	uint64_t start_ns, wall_ns, cpu_ns, own_cpu_ns;
	uint64_t snapshots, period_ns;
	uint64_t hook_ns;    /* what the hooks of one call take; already subtracted from the times of routines and arcs */
	uint64_t untimed_ns; /* the same for a call that is not timed */
	uint64_t lost[RAW_LOST_KINDS];
};

struct run_thread {
	uint32_t process, number, tid, worker, creator;
	uint64_t start_ns, end_ns, cpu_ns, wait_ns;
	const char *name;
};

struct run_worker {
	uint32_t process, lane;
	uint64_t threads;
	uint64_t alive_ns; /* time in which a thread ran in this worker */
	uint64_t wait_ns[RAW_WAIT_KINDS];
	uint64_t waits[RAW_WAIT_KINDS];
};
extern const char *const run_wait_names[RAW_WAIT_KINDS];

/* What one rank of several did in calls of MPI of one kind, with one peer. */
struct run_message {
	const char *call;        /* "MPI_Recv" */
	const char *kind;        /* of a wait; "start": the call returns at once */
	int64_t comm, peer, tag; /* the communicator in the order of first use, 0 is the world; RUN_UNKNOWN: none, or not known */
	uint64_t calls, bytes, wait_ns, longest_ns;
};

/* Which rank of a job this run was. */
struct run_rank {
	int64_t rank, ranks;         /* by the launcher; RUN_UNKNOWN: it was alone; ranks 0: not known */
	int64_t task;                /* of a job array, or RUN_UNKNOWN */
	int64_t mpi_rank, mpi_ranks; /* by MPI itself; RUN_UNKNOWN: MPI was not initialised, or not seen */
	const char *job, *node, *launcher;
};

struct run {
	const char *lens, *mode, *program, *command, *build_id;
	uint64_t started_real_ns; /* since 1970 */
	uint64_t wall_ns, cpu_ns, own_cpu_ns;
	int64_t series; /* runs of one `skein record --repeat` have the same number; 0: it was recorded alone */
	uint32_t turn;  /* which of them it is, from 1 */
	bool stopped;   /* skein ended the program, since its time was over */
	/* How the program ended, and what the kernel counted of its threads; RUN_UNKNOWN in a session that was recovered. */
	int64_t exit_code;             /* also unknown if a signal ended it */
	int64_t died_of;               /* number of a signal, or 0 */
	int64_t lasted_ns;             /* from its start to its end; wall_ns is what was recorded of that */
	int64_t ran_ns;                /* on a core */
	int64_t wanted_ns;             /* ready to run, without a core */
	int64_t crowd_ns;              /* part of wanted_ns: more threads were ready than there are cores for the program */
	int64_t user_ns;               /* CPU time of the program's own code, with what skein took in it */
	int64_t system_ns;             /* CPU time of the kernel for the program, likewise */
	int64_t faults;                /* page faults */
	int64_t samples, hook_samples; /* how often skein looked where the program was, and how often that was in a hook */
	struct run_object *objects;
	size_t object_count, object_room;
	struct run_routine *routines;
	size_t routine_count, routine_room;
	struct run_site *sites; /* sorted by caller, callee and line */
	size_t site_count, site_room;
	struct run_inlined *inlined;
	size_t inlined_count, inlined_room;
	struct run_process *processes;
	size_t process_count, process_room;
	struct run_thread *threads;
	size_t thread_count, thread_room;
	struct run_worker *workers;
	size_t worker_count, worker_room;
	struct run_rank rank;
	struct run_message *messages;
	size_t message_count, message_room;
	const char **notes; /* remarks about the recording, one sentence each */
	size_t note_count, note_room;
	struct pool pool;
	struct lookup index; /* of routines, by identity */
};

void run_start(struct run *run);
void run_free(struct run *run);
uint32_t run_object(struct run *run, const char *build_id, const char *path);
uint32_t run_routine(struct run *run, const struct run_routine *routine);
/* names_construct of a routine, with what else is known of it */
const char *run_construct(struct pool *pool, const struct run_routine *routine, const char **what);
void run_show_names(struct run *run);                     /* when all routines are there */
const char *run_shown(const struct run_routine *routine); /* short, and no other routine is called so; else its name */
__attribute__((format(printf, 2, 3))) void run_note(struct run *run, const char *format, ...);
/* the site with the lowest line; NULL if no site is known */
const struct run_site *run_first_site(const struct run *run, uint32_t caller, uint32_t callee);
bool run_is_ranked(const struct run *run); /* one of several, or a task, or it initialised MPI */
void run_sort_sites(struct run *run);
void run_sort_threads(struct run *run); /* in the order of a recording, each once */
/* index of the thread among the first `count`, which are sorted; RUN_NOWHERE: not there */
uint32_t run_find_thread(const struct run *run, size_t count, uint32_t process, uint32_t number);
uint64_t run_lost(const struct run *run, enum raw_lost cause); /* over all processes */
uint64_t run_lost_events(const struct run *run);               /* all losses except those that concern snapshots only */
uint64_t run_waited_ns(const struct run_worker *worker);

#endif
