/* SPDX-License-Identifier: MIT */
/* idle.h: the idle lens's results: scopes, and what threads spent in them.
 *
 * idles_build makes them from a session, store/ writes and reads them, views and verdicts look at them. A scope is a
 * node of a tree of named things: process, routine, inlined routine, loop, line. There are two trees: the logical one
 * (call paths as the user wrote them) and the physical one (stack frames as they were). A cost is exclusive: it belongs
 * to the scope in each tree that the sample was taken in; inclusive figures are sums over a subtree (idles_include).
 *
 * work_ns does not contain overhead: a sample in runtime code is overhead, of the kind that `overhead` says (section
 * 2.2). effort is work + idle + overhead. */
#ifndef SKEIN_IDLE_H
#define SKEIN_IDLE_H

#include <stdint.h>
#include "analyse/run.h"
#include "analyse/session.h"

/* clang-format off */
#define IDLES_KIND_LIST(X)                          \
	X(ROOT, "root")     /* one root per tree */ \
	X(PROCESS, "process")                       \
	X(ROUTINE, "routine")                       \
	X(INLINED, "inlined")                       \
	X(LOOP, "loop")                             \
	X(LINE, "line")
/* clang-format on */
enum idles_kind {
#define X(name, text) IDLES_##name,
	IDLES_KIND_LIST(X)
#undef X
		IDLES_KINDS
};
extern const char *const idles_kind_names[IDLES_KINDS];

/* clang-format off */
#define IDLES_OVERHEAD_LIST(X)                                                         \
	X(NONE, "work")                                                                 \
	X(SYNC, "synchronisation")                                                      \
	X(SCHEDULE, "scheduling")                                                       \
	X(TASK, "task creation")                                                        \
	X(MEMORY, "memory management")                                                  \
	X(OTHER, "other overhead") /* marked by the user with another kind, or in a runtime whose routine is not known */
/* clang-format on */
enum idles_overhead {
#define X(name, text) IDLES_OVERHEAD_##name,
	IDLES_OVERHEAD_LIST(X)
#undef X
		IDLES_OVERHEADS
};
extern const char *const idles_overhead_names[IDLES_OVERHEADS];

enum idles_tree { IDLES_LOGICAL, IDLES_PHYSICAL, IDLES_TREES };

#define IDLES_NO_SCOPE 0xffffffffu

struct idles_scope {
	uint32_t parent;  /* lower than its own index; IDLES_NO_SCOPE for the root */
	uint8_t tree;     /* enum idles_tree */
	uint8_t kind;     /* enum idles_kind */
	uint32_t routine; /* in run.routines: the routine or inlined routine, or the routine around the loop or line */
	/* file of a routine's call site, of a line, or of a loop's head; the program of a process */
	const char *file;
	uint32_t line; /* of a process: index in run.processes */
};

struct idles_cost {
	uint32_t scope[IDLES_TREES];
	uint32_t thread;  /* in run.threads */
	uint8_t overhead; /* enum idles_overhead */
	uint64_t samples;
	uint64_t ns[RAW_IDLE_CLASSES]; /* work, or overhead, by class */
	uint64_t idle_ns;
};

struct idles_event {
	uint32_t scope[IDLES_TREES];
	uint32_t thread;
	uint32_t event; /* in event_names */
	uint64_t count;
};

/* Why cores were idle while a thread worked in a scope: see raw_idle_why. What no row accounts for is that there were too few threads. */
struct idles_why {
	uint32_t scope; /* in the logical tree */
	uint32_t thread;
	uint32_t why; /* enum raw_wait, RAW_IDLE_HELD, RAW_IDLE_READY or RAW_IDLE_BLOCKED */
	uint64_t ns;
};

/* Where a thread waited, by samples: see raw_idle_wait. */
struct idles_wait {
	/* the line of the call in the logical tree; the function that waits in the physical one */
	uint32_t scope[IDLES_TREES];
	uint32_t thread;
	uint32_t kind;      /* enum raw_wait */
	const char *object; /* the variable that was waited for; "": not known */
	uint64_t waits, wait_ns, quiet_ns, held_ns;
};

/* How much of a thread's CPU time was sampled. */
struct idles_thread {
	uint64_t cpu_ns;  /* CPU time while the thread was sampled */
	uint64_t work_ns; /* sampled time, overhead included */
	uint64_t dropped_ns, own_ns, unseen_ns;
	uint64_t samples, dropped, own, paths_cut;
};

struct idles {
	struct run *run; /* the session's or the store's; not owned */
	uint32_t cores;  /* the largest number of cores of all processes */
	uint64_t period_ns;
	bool timer_clock; /* perf events were not available: see the caveats */
	uint64_t rings, no_rings, unsampled, nodes_lost;
	bool gomp;                  /* gcc's OpenMP runtime was loaded, whose waiting threads cannot be told from working ones */
	uint64_t unnamed;           /* samples of work in code without a symbol */
	struct idles_scope *scopes; /* all trees; parents come first; the roots are scopes 0 (logical) and 1 (physical) */
	size_t scope_count, scope_room;
	struct idles_cost *costs;
	size_t cost_count, cost_room;
	struct idles_event *events;
	size_t event_count, event_room;
	struct idles_why *whys;
	size_t why_count, why_room;
	struct idles_wait *waits;
	size_t wait_count, wait_room;
	const char **event_names;
	size_t event_name_count;
	struct idles_thread *threads; /* by index in run.threads */
	struct pool pool;
};

void idles_build(struct session *session, struct idles *idles);
void idles_sort(struct idles *idles); /* call this after adding costs or events; those of equal keys are added up */
void idles_free(struct idles *idles);

struct idles_sums {
	uint64_t samples, work_ns, idle_ns, overhead_ns;
	uint64_t overhead_by[IDLES_OVERHEADS];
	uint64_t class_ns[RAW_IDLE_CLASSES]; /* work and overhead */
};

/* Sums of one tree by scope, exclusive or inclusive. `thread`: only this thread, or UINT32_MAX for all. `sums` has
 * scope_count items, which idles_include zeroes. */
void idles_exclude(const struct idles *idles, enum idles_tree tree, uint32_t thread, struct idles_sums *sums);
void idles_include(const struct idles *idles, enum idles_tree tree, uint32_t thread, struct idles_sums *sums);
struct idles_sums idles_total(const struct idles *idles, uint32_t thread);
void idles_count(struct idles_sums *to, const struct idles_cost *cost); /* adds one cost */
void idles_add(struct idles_sums *to, const struct idles_sums *more);
uint64_t idles_effort(const struct idles_sums *sums); /* work, idleness and overhead */

/* How long a thread was ready to run without a core, estimated: what is left of its life without its CPU time and its waits, but of
 * all threads together no more than the kernel counted. RUN_UNKNOWN: the kernel's count is not known. */
int64_t idles_no_core_ns(const struct run *run, const struct run_thread *thread, double rest_ns);
double idles_rest_ns(const struct run *run); /* of all threads: what their CPU time and their waits leave of their lives */

/* The name of a routine in reports: the compiler invented the name of an OpenMP construct's body. The pool or the run
 * owns the text. */
const char *idles_name(struct pool *pool, const struct run *run, uint32_t routine);
const char *idles_short_name(struct pool *pool, const struct run *run, uint32_t routine); /* the name in sentences and text */
bool idles_is_construct(const char *linkage); /* the routine is the body of an OpenMP construct */

#endif
