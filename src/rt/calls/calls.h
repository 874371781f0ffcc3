/* SPDX-License-Identifier: MIT */
/* calls.h: the runtime's side of the `calls` lens: what is shared between its files.
 *
 * calls.c     workers: their stacks, arcs and tables; the slow halves of the hooks; the client of src/threads
 * counts.c    counters of call sites, for recordings without times
 * forks.c     which activations have forked, and what threads and tasks inherit
 * waits.c     what routines wait for, by kind and object
 * snapshot.c  the helper thread: who runs together with whom
 * calibrate.c what the hooks themselves cost
 * pace.c      how many calls of an arc are timed
 * region.c    parts of routines that the user marked
 * lens.c what start.c and src/threads are told */
#ifndef SKEIN_RT_CALLS_H
#define SKEIN_RT_CALLS_H

#include "arch/arch.h"
#include "core/calls/calls.h"
#include "raw/writer.h"
#include "rt/calls/hot.h"
#include "rt/object.h"
#include "rt/rt.h"
#include "threads/threads.h"

/* A lane's part of the lens, at lane->lens; made once and kept for all threads of the lane. */
struct worker {
	struct calls_lane lane; /* first: skein_self.calls points here */
	struct raw_table *arcs; /* where the next arc goes */
	struct calls_arc spare; /* for arcs that found no space: counted as lost at the end */
	struct calls_arc spare_elsewhere;
	size_t stack_open, active_open;         /* of frames and of active[], what can be touched */
	bool is_closed;                         /* no memory for more routines: nothing is entered here any more */
	uint64_t **tables;                      /* SELF_TABLES_MAX pointers, counts only */
	struct fork *forks;                     /* of activations in this lane, for reuse */
	struct raw_table *open;                 /* written by the helper */
	struct waits *waits;                    /* NULL: nothing was waited for yet */
	struct calls_frame *waits_in;           /* the activation that waits; NULL: none, or it was left by a jump */
	uint64_t waits_after;                   /* ticks in its callees, and in tasks on top of it, when it began to wait */
	uint32_t busy;                          /* the thread is changing the index; a signal handler must not */
	uint64_t begun, begun_bias, begun_wait; /* when its thread began: own time, ticks of the hooks, ticks waited in the lane */
	/* the helper's notes */
	uint32_t seen_tid;
	uint64_t seen_cpu_ns, seen_tsc, seen_wait;
};

static inline uint64_t calls_now(const struct worker *w)
{
	return calls_time(&w->lane, arch_tick());
}

extern struct calls_frame calls_scratch; /* stands for a frame that could not be pushed */

struct worker *calls_worker(struct lane *lane); /* NULL: none yet */
static inline struct worker *calls_mine(struct skein_self *self)
{
	return self->calls == &self_nobody ? 0 : (struct worker *)self->calls;
}
struct calls_arc *calls_arc_of(struct calls_lane *lane, uint64_t key); /* makes it if it is not there */
bool calls_deepen(struct worker *w);                                   /* room for one more frame, or false: too deep */
void calls_cover(uint32_t routines);                                   /* every worker can count routines below this number */
static inline bool calls_covers(const struct worker *w, uint32_t routine)
{
	return (routine + 1) * sizeof *w->lane.active <= w->active_open;
}

/* Ticks that the hooks of one call take: of a timed one, between the readings of the clock and outside of them; of
 * another one. */
struct calls_cost {
	uint64_t inside, outside, untimed;
};
void calls_set_cost(const struct calls_cost *measured); /* before the first worker */
void calls_begin(struct skein_self *self, void *inherited);
void calls_end(struct skein_self *self);
void calls_restart(struct skein_self *self);                /* in a forked child, after raw_fork and threads_restart */
void calls_flush(bool timed);                               /* counts everything that is open, in all lanes, until now, and the losses */
void calls_split_wait(struct worker *w, struct lane *lane); /* enters the wait that goes on in a lane until now */
void calls_drop_to(struct worker *w, struct calls_frame *keep,
                   uint64_t now);                                    /* calls_drop, and what the dropped frames inherited and waited */
void calls_wait_begin(struct worker *w);                             /* the innermost activation begins to wait */
void calls_wait_end(struct worker *w, uint64_t ticks, uint64_t now); /* the activation that waits has done so for so long */
void calls_take_up(struct worker *w, const void *inherited);         /* pushes a frame that stands for the creator of the running code */

/* forks.c */
struct inherited;
void *forks_capture(struct skein_self *self);
void forks_retain(void *inherited);
void forks_release(void *inherited);
void forks_team_begin(struct skein_self *self);
void forks_team_end(struct skein_self *self);
void forks_settle(struct worker *w); /* the current activation may no longer have open forks */
uint64_t forks_as_caller(const void *inherited);
void forks_inherit(struct worker *w, const void *inherited);
void forks_disinherit(struct worker *w, const void *inherited);

/* waits.c */
void waits_begin(struct skein_self *self); /* the thread begins to wait */
void waits_end(struct worker *w, enum raw_wait kind, uint64_t ticks);
void waits_go_on(struct worker *w, uint64_t ticks); /* another thread enters a part of the wait that goes on */
void waits_restart(void);                           /* in a forked child */

/* calibrate.c */
struct calls_cost calibrate(void);

/* pace.c */
void pace_begin(struct worker *w, const struct lane *lane); /* a thread begins in the lane */
void pace_set(uint64_t percent);                            /* of a thread's working time that the hooks may take */
void pace_time_all(void);                                   /* from now on, whatever it costs */

/* region.c */
void region_begin(const char *name, const char *file, unsigned line);
void region_end(void);

/* snapshot.c */
void snapshot_start(uint64_t period_ns);

#endif
