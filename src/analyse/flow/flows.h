/* SPDX-License-Identifier: MIT */
/* flows.h: the flow lens's results: what waited for what, and how long the run would have taken otherwise.
 *
 * flows_build makes them from a session, store/ writes and reads them, views and verdicts look at them. Times are nanoseconds; those
 * that begin with `at_` are positions in the run of the minimum, from its beginning.
 *
 *     wall = minimum + load + latency
 *
 * is exact: load is what the minimum grows by if threads lack the cores that they lacked, latency what it grows by further if they take
 * as long to go on as they took. See core/flow/flow.h for what is computed, and doc/flow.md for what it means. */
#ifndef SKEIN_FLOWS_H
#define SKEIN_FLOWS_H

#include <stdint.h>
#include "analyse/flow/events.h"
#include "analyse/run.h"
#include "analyse/session.h"

#define FLOWS_NONE UINT32_MAX

struct flows_kept;

/* A call of the program: the routine that makes it, and where. */
struct flows_where {
	uint32_t routine; /* RUN_OUTSIDE: not known */
	const char *file; /* "" if not known */
	uint32_t line;
};

/* Objects of one name are one: all locks that one line of the program takes first, if they are in no variable. */
struct flows_object {
	const char *name;
	enum raw_flow_what what;
	struct flows_where first; /* the first call that did anything with it */
	uint64_t members;
	uint64_t acquired, contended, waited_ns, held_ns;
	uint64_t refused; /* tries that failed */
	uint32_t longest_queue;
	struct flows_where holder; /* the call that had taken it for most of the time in which others waited */
	uint64_t holder_ns;        /* how long others waited meanwhile */
	int64_t free_ns;           /* the minimum if no thread ever waited for it; RUN_UNKNOWN: not asked */
	int64_t free_idle_ns;      /* likewise, of an idle machine with the cores of this one */
};
extern const char *const flows_object_kinds[];
enum { FLOWS_OBJECT_KINDS = RAW_FLOW_EVENTFD + 1 };

/* clang-format off */
#define FLOWS_OUTCOME_LIST(X)                                          \
	X(ACQUIRED, "acquired")                                        \
	X(SIGNALLED, "signalled")                                      \
	X(TIMED_OUT, "timed-out")                                      \
	X(PASSED, "passed")                                            \
	X(JOINED, "joined")                                            \
	X(ENDED, "ended")           /* by nothing that is in the recording */ \
	X(UNFINISHED, "unfinished") /* went on when the run ended */
/* clang-format on */
enum flows_outcome {
#define X(name, text) FLOWS_##name,
	FLOWS_OUTCOME_LIST(X)
#undef X
		FLOWS_OUTCOMES
};
extern const char *const flows_outcomes[FLOWS_OUTCOMES];

/* Whether the events themselves are in the recording. */
/* clang-format off */
#define FLOWS_KEEPS_LIST(X)                                            \
	X(KEPT, "yes")                                                 \
	X(TOO_MANY, "too-many")     /* more than FLOWS_KEPT_BYTES */   \
	X(UNWANTED, "unwanted")     /* left out with --no-events */
/* clang-format on */
enum flows_keeps {
#define X(name, text) FLOWS_##name,
	FLOWS_KEEPS_LIST(X)
#undef X
		FLOWS_KEEPS
};
extern const char *const flows_keeps_words[FLOWS_KEEPS];

extern const char *const flows_event_names[FLOW_KINDS];
extern const char *const flows_said_names[FLOW_MARKS]; /* of a FLOW_MARK */
const char *flows_wait_name(uint32_t kind);            /* of enum raw_wait or FLOW_WAIT_KERNEL */

/* Waits of one thread at one place that ended alike. */
struct flows_wait {
	uint32_t thread; /* in run.threads, or behind them: one without a record of its own */
	struct flows_where where;
	const char *callers;          /* the routines of the program behind that one, innermost first: "f < g < main"; "" if not known */
	uint32_t kind;                /* enum raw_wait or FLOW_WAIT_KERNEL */
	uint32_t object;              /* FLOWS_NONE: not known */
	uint32_t for_thread;          /* likewise, whose event ended it; FLOWS_NONE: none that is known */
	struct flows_where for_where; /* the call that did so */
	enum flows_outcome outcome;
	uint64_t count, waited_ns, longest_ns;
	uint64_t late_ns; /* of waited_ns: behind the event that ended it */
};

/* What a thread did with its life: work + load + waited + outside. */
struct flows_thread {
	uint64_t work_ns;     /* on a core */
	uint64_t load_ns;     /* had work to do and no core */
	uint64_t waited_ns;   /* for other threads */
	uint64_t outside_ns;  /* for input, sleep, the kernel */
	uint64_t late_ns;     /* of waited_ns: behind the event that ended the wait */
	uint64_t critical_ns; /* on the critical path */
	int64_t slack_ns;     /* by so much its work could be longer, as in flows_slack, on average */
	uint64_t events;
	struct flows_where created; /* the call that created it */
};

/* The critical path, from the beginning of the run to its end: the thread that the run could not do without. */
struct flows_stretch {
	uint32_t thread;
	uint64_t at_ns, ns;
	uint64_t count;          /* 1; of many short ones that were summed up, how many there are between at_ns and the next stretch */
	uint64_t outside_ns;     /* of ns: waits for things outside of the run */
	uint64_t recorded_ns;    /* when it began, in the run as it was */
	struct flows_where from; /* the event with which it begins */
	struct flows_where to;   /* the event with which it ends */
	uint32_t kind;           /* enum flow_kind of the first one */
	uint32_t object;         /* of the first one; FLOWS_NONE: none */
};

/* Stretches of a thread's work that begin behind one call and end with another. Slack: by so much one of them, whichever it is, could be
 * longer without making the run longer; RUN_UNKNOWN: by anything. */
struct flows_slack {
	uint32_t thread;
	struct flows_where from, to;
	uint64_t count, work_ns;
	uint64_t critical_ns; /* of work_ns: has no slack */
	int64_t least_ns;     /* slack */
	int64_t average_ns;   /* a stretch counts for as much as it takes */
};

/* Threads, processes or tasks of OpenMP that one call created: without the tasks that ran in them. */
enum flows_task_kind { FLOWS_THREAD, FLOWS_PROCESS, FLOWS_TASK, FLOWS_TASK_KINDS };
extern const char *const flows_task_kinds[FLOWS_TASK_KINDS];
struct flows_task {
	enum flows_task_kind kind;
	struct flows_where created; /* of those that no known call created: nowhere */
	uint64_t count, most;       /* most: at once */
	uint64_t work_ns, load_ns, waited_ns, outside_ns;
	uint64_t longest_ns; /* work of one */
};

/* Of the rows above, which created or waited for which. */
struct flows_edge {
	uint32_t from, to;
	uint32_t wait; /* enum raw_wait, or FLOW_WAIT_KERNEL; FLOWS_CREATES */
	uint64_t count, ns;
};
#define FLOWS_CREATES UINT32_MAX

/* What the program said under one name, in one thread. */
enum flows_mark_kind { FLOWS_PART, FLOWS_MESSAGE, FLOWS_VALUE, FLOWS_MARK_KINDS };
extern const char *const flows_mark_kinds[FLOWS_MARK_KINDS];
struct flows_mark {
	enum flows_mark_kind kind;
	uint32_t thread;
	struct flows_where name; /* the routine is its name */
	uint64_t count;
	uint64_t ns, longest_ns; /* of parts: so are the following */
	uint64_t work_ns, load_ns, waited_ns, outside_ns;
	int64_t least, most, last; /* of values */
};

/* A piece of the run's time in one worker. */
struct flows_slice {
	uint32_t worker, slice;
	uint64_t work_ns, load_ns, wait_ns; /* wait: for whatever */
};

/* A routine of a program that was recorded with its routines. Times of all activations, of recursive ones the outermost; on a core, if
 * nothing else is said. */
struct flows_routine {
	uint32_t routine;
	uint64_t calls, total_ns, self_ns;
	uint64_t wait_ns;     /* waits of whatever kind meanwhile */
	uint64_t no_core_ns;  /* had work to do and no core */
	uint64_t critical_ns; /* of self_ns: on the critical path */
	uint64_t concurrent;  /* of calls: while more than one thread of the process worked */
};

struct flows_arc {
	uint32_t caller, callee; /* caller RUN_OUTSIDE: no routine that was recorded */
	uint64_t calls, total_ns;
	uint64_t concurrent; /* of calls */
};

struct flows_core {
	uint32_t cores;
	uint64_t ns;
};

/* What the run would take if threads never waited for the objects that were asked for together, or if routines were faster: what_if.h. */
struct flows_what_if {
	const char *asked;
	size_t objects;
	size_t routines;
	const char *factor; /* of routines: what they take then, in parts of what they took */
	uint64_t ns;
};

struct flows {
	struct run *run; /* the session's or the store's; not owned */
	uint64_t wall_ns, minimum_ns, load_ns, latency_ns;
	uint32_t machine_cores; /* cores that the program could use */
	uint64_t idle_ns;       /* what the run would take if no other program used them: at least minimum_ns, at most wall_ns */
	uint64_t skipped_ns;    /* of the run, before what was looked at */
	uint64_t events, unexplained, bad;
	int64_t switches, switches_lost; /* RUN_UNKNOWN: the kernel did not allow to see them */
	uint32_t slices;                 /* pieces that the run is divided into */
	bool ended;                      /* the program ended its run itself */
	bool orders;                     /* events have an order and no times: nothing that is a time is known */
	struct flows_object *objects;    /* most waiting first */
	size_t object_count, object_room;
	struct flows_wait *waits;
	size_t wait_count, wait_room;
	struct flows_thread *threads; /* by index in run.threads, and one more for those without a record of their own */
	struct flows_stretch *path;
	size_t path_count, path_room;
	uint64_t path_all;         /* stretches, of which path has the longest */
	struct flows_slack *slack; /* the least slack first */
	size_t slack_count, slack_room;
	struct flows_task *tasks; /* most work first */
	size_t task_count, task_room;
	struct flows_edge *edges;
	size_t edge_count, edge_room;
	struct flows_mark *marks;
	size_t mark_count, mark_room;
	struct flows_slice *slice;
	size_t slice_count, slice_room;
	uint64_t *levels; /* ns with that many threads at work */
	size_t level_count, level_room;
	struct flows_core *cores;
	size_t core_count, core_room;
	enum flows_keeps keeps;
	struct flows_kept *kept; /* of a session: what will be stored (kept.h); NULL: nothing, or it stays in the store */
	struct flows_what_if *what_ifs;
	size_t what_if_count, what_if_room;
	struct flows_routine *routines; /* none unless they were asked for */
	size_t routine_count, routine_room;
	struct flows_arc *arcs;
	size_t arc_count, arc_room;
	struct pool pool;
};

void flows_build(struct session *session, struct flows *flows);
void flows_free(struct flows *flows);

#endif
