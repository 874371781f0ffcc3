/* SPDX-License-Identifier: MIT */
/* span.h: the runtime of the `span` lens: the interface between its files.
 *
 * span.c     lanes: their rows and logs; the client of src/threads; start and end
 * general.c  invocations that may be left by a jump or ask the clock: kept on a chain
 * frames.c   memory for those
 * lost.c     rows and lanes for what cannot be recorded
 * point.c    a path that was left behind and may turn out to be the longest
 * tasks.c    OpenMP: tasks, what waits for them
 * depends.c  dependences between OpenMP tasks
 * join.c     threads: a create is a spawn, a join a sync with that thread
 * aside.c    entries of best children in the logs that threads begin with
 * way.c      the way from one thread to the end of another
 * exec.c     an exec may fail
 * what_if.c  --what-if: the same run with some strands scaled
 * under.c    --under: rows and log of what happens under one site
 * region.c   regions that the user marked
 * targets.c  what sites that call through a pointer call
 * clock.c    clocks other than counted instructions
 * calibrate.c  what the hooks of a call take
 *
 * Two ways to run an invocation. What certainly returns to its caller (the plugin proves it from the call graph) keeps all in
 * local variables, and the inlined hooks of core/span/span.h do everything. All else has a struct rt_frame, linked to the one
 * below it, and calls the functions here; so exit, longjmp, exceptions, threads and tasks find what is open. */
#ifndef SKEIN_RT_SPAN_H
#define SKEIN_RT_SPAN_H

#include "core/span/region.h"
#include "core/span/span.h"
#include "core/span/what_if.h"
#include "raw/writer.h"
#include "rt/object.h"
#include "threads/threads.h"

/* Scopes of such an invocation are known to it, to be synced when it is left by a jump. */
struct rt_scope {
	struct span_scope scope; /* first */
	struct rt_scope *next;
	uint64_t start;           /* of the entries of the child that runs */
	struct span_ends *latest; /* what-ifs: of its children's ends; NULL: none */
	uint32_t number;          /* number of the scope in its function */
};

/* What a call does with its callee's figures. */
enum rt_call {
	RT_CALL = 0,
	RT_SPAWN = 1,     /* not taken: a spawn's end follows */
	RT_FOREIGN = 2,   /* the callee costs what the model says, beside what it called back */
	RT_UNKNOWN = 4,   /* the callee costs that if it turns out to be foreign */
	RT_ONCE = 8,      /* the site is never open twice */
	RT_TASK = 16,     /* runs an OpenMP task, unless it is serial */
	RT_UNDER = 32,    /* a site of --under */
	RT_TASKLOOP = 64, /* runs OpenMP tasks, each a call of its site */
	RT_PART = 128     /* goes on with the untied task that makes the call: not a call of a site */
};

/* An invocation of the general kind. It lies beside the stack, which a jump would take away; inlined hooks use `f`. */
struct rt_frame {
	/* zero at the start */
	struct span_frame f; /* first */
	uint64_t n;          /* local work at the last event */
	struct rt_scope *scopes;
	struct rt_scope *spawning;   /* the scope whose child runs; NULL: none */
	struct skein_object *object; /* of the call that it makes now; NULL: none */
	struct rt_task *task;        /* the task that the invocation runs */
	struct span_ends *before;    /* what-ifs: where its child, or each iteration of the loop, begins; NULL: none */
	struct span_ends *latest;    /* of the loop's iterations so far */
	uint32_t task_flags;         /* of the tasks of a taskloop */
	uint32_t regions;            /* marked regions that are open in it */
	uint32_t entry_marks;        /* what-ifs: of the routine itself */
	uint32_t marks;              /* bit k: the site of the call is that of what-if k */
	bool is_loop;                /* a parallel one */
	bool iterating;              /* an iteration of it runs */
	bool is_chunk;               /* the invocation is the function of a taskloop's task */
	bool opened, entered;        /* --under: the call, or the invocation itself, is a topmost one */
	/* set at the start */
	struct rt_frame *up;
	struct span_figures outer; /* what foreign code below it had called before it */
	uint64_t serial;           /* distinguishes the frame from earlier ones in its place */
	uint64_t last;             /* reading of the clock when the last event ended */
	/* the call that it makes now */
	struct span_site *rows;
	uint32_t site, first, count; /* site of the invocation; sites of its function */
	uint32_t kind, top;
	uint64_t cost;   /* by the model */
	uint64_t ticks;  /* cycle counter at the call, if it is timed */
	uint64_t waited; /* what the thread had waited at the call */
	struct span_loop loop;
};

/* How far an open invocation had come. */
struct rt_place {
	struct rt_frame *frame;
	uint64_t serial, local, position;
	uint64_t key; /* of the site that called it; UINT64_MAX: none did */
	uint32_t top;
	bool is_part; /* a further part of an untied task: not one more call of that site */
};

/* A path from the start of a task to somewhere, kept while others run: its entries and its open invocations, outermost first. */
struct rt_point {
	bool is_set;
	uint64_t position, burdened;
	struct span_entry *entries;
	uint64_t count, room;
	struct rt_place *places;
	uint64_t place_count, place_room;
	struct span_ends *ends; /* what-ifs: each one's latest, which need not be that of this path; NULL: none */
};

/* What waits are for: a thread or an OpenMP task. Paths in it are counted from its start. */
struct rt_task {
	struct rt_task *parent;
	struct rt_frame *base;    /* the frame below its own */
	const void *descriptor;   /* the OpenMP runtime's name for it; NULL: a thread, or an iteration of a loop */
	uint64_t start, region;   /* start of its entries in the log; the log's region before */
	struct rt_point children; /* the best end of a child since the last wait */
	struct rt_point all;      /* the best end of a descendant of those, since the last wait for all */
	struct rt_point *after;   /* a dependence: it began where this ends; NULL: where it was created */
	uint64_t after_burdened;
	struct rt_dependence *dependences; /* among its children */
	struct rt_group *groups;           /* groups that are open in the task, innermost first */
	const struct rt_depend *depends;   /* dependences of its creation, valid until that call returns */
	uint32_t depend_count;
	bool is_final; /* children of the task run in its place */
};

/* targets.c: counters of a lane's indirect calls, by site and target. */
struct span_targets {
	struct targets_index *index; /* NULL: none yet */
	uint32_t used;
	struct raw_table *table; /* the last one */
};

/* A lane's part of the lens, at lane->lens. */
struct span_worker {
	struct span_lane *lane;   /* in the recording, which knows only what it keeps of it */
	uint64_t **tables;        /* SELF_TABLES_MAX */
	struct span_under *under; /* NULL: all is recorded */
	uint32_t number;
	uint64_t serial;                       /* of frames */
	struct rt_task task;                   /* the thread's */
	struct thread_path *path;              /* the path to the creation of its thread */
	struct raw_table *way;                 /* the same in the recording; NULL: none yet */
	struct span_what_if *what_if;          /* NULL: none is asked for */
	struct raw_span_what_if *what_if_rows; /* when the program has ended in it */
	struct region_rows *region_rows;
	struct span_open_region *regions; /* open ones, innermost first */
	bool inherits;                    /* the thread was created in a region */
	struct rt_frame *free_frames;
	struct rt_scope *free_scopes;
	struct span_targets targets;
	/* other clocks than counted instructions: since when the thread waits (0: it does not), by that clock, in ns and in ns of its CPU
	 * time; and its waits so far */
	uint64_t wait_from, wait_ns, wait_cpu_ns, waited;
};

extern struct span_rt {
	uint64_t (*now)(void); /* NULL: counted instructions */
	uint64_t gap;          /* between two readings of that clock with nothing between them */
	bool what_ifs, under;
	bool execs;    /* an exec is tried: what is summed up for it may be needed again */
	bool has_root; /* main was counted */
} span_rt;

struct thread_path;

struct span_worker *span_worker(struct lane *lane);
struct span_worker *span_mine(void); /* NULL: this thread is not met */
bool span_room(struct span_lane *lane);
void span_append_entries(struct span_lane *lane, const struct span_entry *entries, uint64_t count); /* at the end of the log */
struct span_site *span_rows(struct span_worker *w, struct skein_object *object);                    /* NULL: none */

/* lost.c */
void lost_opened(const struct skein_object *object);
void lost_closed(const struct skein_object *object);
struct span_site *lost_rows(struct span_worker *w, const struct skein_object *object); /* in place of those that found no space */
void lost_thread(struct skein_self *self, bool for_good); /* a thread without rows, now or ever: its hooks find some that are never read */
void lost_tell(bool tell);                                /* counts what is lost, or forgets it */

/* frames.c */
extern struct rt_frame span_nowhere; /* of invocations that are not recorded */
struct rt_frame *span_take_frame(struct span_worker *w);
void span_give_frame(struct span_worker *w, struct rt_frame *f);
struct rt_scope *span_take_scope(struct span_worker *w, struct rt_frame *f, uint32_t number);

/* general.c */
void span_strand_ends(struct rt_frame *f, uint64_t n); /* what it did since the last event is its own work */
void span_strand_begins(struct rt_frame *f);
void span_unwind(struct rt_frame *keep); /* frames above `keep` are left now */

/* point.c */
uint64_t point_position(const struct rt_task *task, uint64_t *burdened); /* of here, since the task's start */
void point_go(struct rt_task *task, struct rt_point *p); /* goes on from there if that is longer than the path to here; then forgets it */
bool point_wants(struct rt_point *best, uint64_t position, uint64_t burdened); /* is it longer? Notes the burden by the way */
void point_go_to(struct rt_task *task, const struct rt_point *p);              /* does not forget it, and has no regard to burdens */
void point_leave_behind(struct rt_point *p, const struct rt_point *from);      /* adds what invocations that are open there had done */
void point_clear(struct rt_point *p, uint64_t position);
void point_add(struct rt_point *p, const struct span_entry *entries, uint64_t bytes);
void point_add_places(struct rt_point *p, const struct rt_task *task);
void point_copy_places(struct rt_point *p, const struct rt_point *from);
void point_offer_copy(struct rt_point *best, const struct rt_point *path); /* becomes a copy of it if that is longer */
void point_free(struct rt_point *p);

/* tasks.c */
bool tasks_goes_on(void); /* does the call that follows go on with the task that runs? */
void tasks_begin(struct rt_frame *f);
void tasks_end(struct rt_frame *f);
void tasks_loop(struct rt_frame *f);
void tasks_begin_chunk(struct rt_frame *f);
void tasks_settle(void);                    /* before the lane changes: what runs here is a task of this one */
void tasks_iterated(struct rt_frame *loop); /* before an iteration of it ends */
void tasks_free(struct rt_task *task);

/* join.c: thread_path is where a thread was created and, when it has ended, what it did. */
void *join_capture(struct skein_self *self);
void join_retain(void *path);
void join_release(void *path);
void join_begun(struct thread_path *path);
void join_ended(struct span_worker *w);
void join_joined(struct skein_self *self, pthread_t thread);
void join_everybody(struct span_worker *w); /* at the end of the program */
void join_way_here(struct span_worker *w);  /* call this next, after the thread's root is recorded */
void join_the_last(struct span_worker *w);  /* call this next, if no thread is left: its path goes into that lane */
void join_restart(struct span_worker *w);   /* in the child of a fork: there is one thread, without a creator */
struct skein_object *join_object(const struct thread_path *path);
uint32_t join_site(const struct thread_path *path);
bool join_is_under(const struct thread_path *path);

/* exec.c */
void exec_save(struct span_worker *w);
void exec_failed(void);

/* what_if.c: events of the thread that calls. */
void what_ifs_start(void);
void what_ifs_strand(uint64_t length);
void what_ifs_call(const struct rt_frame *f);
void what_ifs_return(const struct rt_frame *f);
void what_ifs_enter(const struct rt_frame *f); /* a routine of theirs */
void what_ifs_leave(const struct rt_frame *f);
void what_ifs_spawn(struct rt_frame *f); /* a child of the invocation begins, or a task does */
void what_ifs_spawned(struct rt_frame *f, struct rt_scope *s);
void what_ifs_sync(struct rt_scope *s);
void what_ifs_iteration(struct rt_frame *loop);
void what_ifs_iterated(struct rt_frame *loop);
void what_ifs_looped(struct rt_frame *loop);
void what_ifs_offer(struct rt_point *best, const struct rt_point *from); /* an end: that of `from`; NULL: here */
void what_ifs_wait(struct span_worker *w, const struct rt_point *p);
void what_ifs_forget(struct rt_point *p);
void what_ifs_task_ended(struct rt_frame *f);
uint32_t what_ifs_open(void); /* bit k: this is under a site of what-if k */
void what_ifs_thread_begin(struct span_worker *w, const struct rt_point *created, uint32_t open);
void what_ifs_thread_end(struct span_worker *w);
void what_ifs_finish(struct span_worker *w);
void what_ifs_restart(struct span_worker *w);
void what_ifs_restart_frame(struct rt_frame *f);

/* under.c: of the thread that calls. What returned true ends with the other of its pair. */
bool under_call(void);
void under_return(void);
bool under_enter(struct rt_frame *f);
void under_leave(void);
void under_covers(struct span_worker *w); /* sites that the worker's lane can sum up */
void under_closed(struct span_worker *w, const struct skein_object *object);
bool under_is_outside(const struct span_worker *w);
struct span_site *under_nowhere(struct span_worker *w, struct skein_object *object);
void under_thread_begin(struct skein_self *self, struct span_worker *w, bool inside); /* gives the thread its lane and tables */
void under_resume(struct skein_self *self, struct span_worker *w);
void under_thread_end(struct skein_self *self, struct span_worker *w);
void under_restart(struct span_worker *w);
void *under_part(struct span_worker *w, unsigned n, size_t *bytes); /* what its end changes, piece by piece; NULL: that is all */

/* A region of --under, in the middle of an invocation. */
struct under_region {
	bool opened; /* the region is a topmost one */
	uint64_t local_work, local_span;
};
void under_region_begin(struct rt_frame *f, struct under_region *region);
void under_region_end(struct rt_frame *f, const struct under_region *region, uint64_t work, uint64_t span, uint64_t burdened_span);

/* region.c */
void regions_begin(const char *name, const char *file, unsigned line);
void regions_end(void);
void regions_leave(struct rt_frame *f); /* all that are open in it */
void regions_capture(const struct span_worker *w, struct thread_path *path);
void regions_thread_begin(struct span_worker *w);
void regions_thread_end(struct span_worker *w);
void regions_restart(struct span_worker *w, bool mine);
void *regions_part(struct span_worker *w, unsigned n, size_t *bytes); /* as under_part */

/* targets.c */
/* in a thread that has a lane */
void targets_count(const struct skein_object *object, uint32_t site, const void *target);

/* clock.c */
void clock_choose(void);

/* calibrate.c: ticks that the hooks of one call take, with the clock that was chosen */
uint64_t span_calibrate(void);
void clock_wait_begin(struct skein_self *self);
void clock_wait_end(struct skein_self *self, enum raw_wait kind, uint64_t start, uint64_t end);

/* What the plugin has subjects call. */
RT_API struct span_site *skein_rt_span_rows(struct skein_object *object);
RT_API struct rt_frame *skein_rt_span_enter(void);
RT_API void skein_rt_span_leave(struct rt_frame *f, uint64_t n);
/* what: an rt_call, marks from bit 8 on, and what the callee costs if it is foreign from bit 24 on. So all goes in registers. */
RT_API void skein_rt_span_call(struct rt_frame *f, uint64_t n, struct skein_object *object, uint32_t site, uint64_t sites, uint64_t what);
/* the same for a call through a pointer */
RT_API void skein_rt_span_call_pointer(struct rt_frame *f, uint64_t n, struct skein_object *object, uint32_t site, uint64_t sites,
                                       uint64_t what, const void *target);
RT_API void skein_rt_span_return(struct rt_frame *f);
RT_API uint64_t skein_rt_span_catch(struct rt_frame *f);
RT_API struct rt_scope *skein_rt_span_scope(struct rt_frame *f, uint32_t number);
RT_API void skein_rt_span_spawn(struct rt_frame *f, uint64_t n, struct rt_scope *s);
RT_API void skein_rt_span_sync(struct rt_frame *f, uint64_t n, struct rt_scope *s);
RT_API struct rt_frame *skein_rt_span_loop(void);
RT_API struct rt_frame *skein_rt_span_iteration(struct rt_frame *loop);
RT_API void skein_rt_span_iterated(struct rt_frame *loop, struct rt_frame *f, uint64_t n);
RT_API void skein_rt_span_looped(struct rt_frame *loop);
/* around a call that marks a region */
RT_API void skein_rt_span_mark(struct rt_frame *f, uint64_t n);
RT_API void skein_rt_span_marked(struct rt_frame *f);
RT_API uint64_t skein_rt_span_text(const char *text);
RT_API void skein_rt_span_task_flags(uint32_t flags);
RT_API void skein_rt_span_task(const void *descriptor);
RT_API void skein_rt_span_task_depends(uint32_t count, const void *list);
RT_API void skein_rt_span_taskwait(struct rt_frame *f, uint64_t n);
RT_API void skein_rt_span_barrier(struct rt_frame *f, uint64_t n);
RT_API void skein_rt_span_group(void);
RT_API void skein_rt_span_group_end(struct rt_frame *f, uint64_t n);
RT_API void skein_rt_span_task_if(uint32_t condition);
RT_API void skein_rt_span_wait_for(struct rt_frame *f, uint64_t n, uint32_t count, const void *list);
RT_API void skein_rt_span_team(void);
RT_API void skein_rt_span_undeferred(void);
RT_API void skein_rt_span_undeferred_end(void);
RT_API void skein_rt_span_chunk(struct rt_frame *f);
/* before a call of a site of --under, or in a routine of it; returns what ends it */
RT_API uint32_t skein_rt_span_under(struct skein_object *object);
RT_API void skein_rt_span_under_end(uint32_t opened);
RT_API void skein_rt_span_under_leave(uint32_t opened);
/* after enter, in a routine of --what-if or --under */
RT_API void skein_rt_span_entered(struct rt_frame *f, uint32_t marks, uint32_t under);

#endif
