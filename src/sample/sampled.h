/* SPDX-License-Identifier: MIT */
/* sampled.h: the state of a sampled thread and of the process, shared by the files of the sampler.
 *
 * Files: start.c (beginning, end, fork), sampler.c (threads begin and end; a tick becomes a sample), ticks.c (the
 * clock), walk.c (a stack becomes a logical path), agents.c (agents of others), contexts.c (where threads and tasks
 * were created), costs.c (where samples are added), why.c (why cores are idle), busy.c and crew.c (working threads,
 * here and in other processes), strangers.c (threads that existed before the sampler), cilk.c, interpose_*.c. */
#ifndef SKEIN_SAMPLE_SAMPLED_H
#define SKEIN_SAMPLE_SAMPLED_H

#include <ucontext.h>
#include "core/idle/lcct.h"
#include "raw/writer.h"
#include "sample/contexts.h"
#include "sample/costs.h"
#include "sample/ticks.h"
#include "threads/threads.h"
#include "unwind/stack.h"
#include "unwind/unwind.h"

/* What a walk to the creator's creation found on the stack, so that the next one may find that nothing has changed: see walk.c. */
enum { TRAIL_ROOM = 24 };
struct trail {
	uintptr_t entered;    /* stack address where the task began; 0: none */
	uintptr_t exit_frame; /* stack address where the task ended */
	struct context *context;
	uint32_t count; /* of return addresses; TRAIL_ROOM: too many */
	struct {
		uintptr_t at, value;
	} returns[TRAIL_ROOM];
};

enum { PATH_ROOM = 8192, CAPTURE_ROOM = 512, SCRATCH_BYTES = 4096 };

/* One per lane, kept from one thread of the lane to the next; the lane's `lens`. Other threads read `ticks` and
 * what is atomic only. */
struct sampled {
	struct ticks ticks;
	uint64_t carry_ns;     /* CPU time of earlier threads in this lane since the last sample, less than a period */
	uint64_t last_cpu_ns;  /* the thread's CPU clock at the last sample */
	uint64_t waited_ticks; /* by the lane, when it was last looked at */
	uint64_t switches;     /* of the thread, when its last system call began; UINT64_MAX: not known */
	uint64_t create_from;  /* tick: the thread began to create another */
	uint64_t create_ticks; /* how many ticks of its clock it had had then */
	uint64_t call_ticks;   /* in system calls during which the thread kept its core, since the last sample of one */
	struct raw_idle_thread *row;
	_Atomic(const void *) wait_object;          /* what the thread waits for, or waited for last; NULL: not known */
	_Atomic uint64_t waited_from, waited_until; /* ticks: the last wait that ended, or when the thread began or ended */
	uint64_t uncharged_ticks, quiet_ticks;      /* of waits since the last charge: see why.c */
	struct costs costs;
	struct unwind_cache *cache;
	struct unwind_stack stack;
	uint64_t mask[16];              /* cores that it may use, as the kernel has it */
	uint32_t mask_age;              /* samples since that was asked */
	uint64_t rests_until, took;     /* in ticks of arch_tick: no sample before; how long the last one took */
	struct context *latest;         /* the context that the thread captured last */
	uint32_t latest_spare;          /* references to `latest` that were taken in advance */
	uint64_t cpu_before_ns;         /* CPU time of earlier threads with the same row */
	struct sampled *next;           /* among all */
	struct raw_idle_thread nowhere; /* where a thread's figures go for which there is no room */
	bool hides_signal;              /* the subject believes that the clock's signal is blocked in it */
	bool paused;                    /* the signal is blocked, and the clock stands */
	uint64_t likely_ns;             /* CPU time that a thread of the lane will hardly exceed; 0: not known */
	uint32_t last_node;             /* of the thread's last sample; 0: none */
	int64_t unseen_ns;              /* CPU time of samples, less a period for each */
	struct trail trail;             /* of the walk that found `latest` */
	struct context *chain[CONTEXTS_CHAIN];
	uint64_t captured[CAPTURE_ROOM];
	struct lcct_x path[PATH_ROOM];
	unsigned char scratch[SCRATCH_BYTES];
};

struct sampler {
	struct raw_idle_how *how;
	struct lcct tree;
	uint64_t period_ns;
	uint32_t cores;         /* n */
	uint64_t quarter_ticks; /* of a period, on the cycle counter */
	bool masks_differ;      /* some thread may use fewer cores than the process */
};
extern struct sampler sampler;

/* sampler.c */
struct sampled *sampled_of(const struct skein_self *self); /* NULL: the thread is not sampled */
void sampler_thread_begin(struct skein_self *self, void *inherited);
void sampler_thread_ready(struct skein_self *self);
void sampler_thread_end(struct skein_self *self);
void sampler_creates(struct skein_self *self); /* the calling thread creates one */
void sampler_created(struct skein_self *self);
void sampler_part(void); /* each thread has a clock of its own from now on */
void sampler_stop(void); /* no clock ticks any more, in any thread */
void sampler_wait_begin(struct skein_self *self);
/* around an interposed call that spends its time in the kernel */
uint64_t sampler_call_begin(void);
void sampler_call_end(uint64_t start);
void sampler_charge(uint64_t start);             /* at the end of one that is in the kernel for a part of its time */
bool sampler_kept_core(const struct sampled *s); /* the thread has kept its core since its last system call began */
uint64_t sampler_ns_of(uint64_t ticks);
void sampler_wait_end(struct skein_self *self, enum raw_wait kind, uint64_t start, uint64_t end);
void sampler_reopen(struct skein_self *self); /* the calling thread's clock, with another signal */
void sampler_pause(struct sampled *s);        /* while the clock's signal is blocked in the calling thread */
void sampler_resume(struct skein_self *self);
void sampler_finish(struct skein_self *self);  /* at the end of the process, after threads_refresh */
void sampler_restart(struct skein_self *self); /* in a forked child */
void sampler_tick(struct skein_self *self, uint32_t event, const ucontext_t *context);

uint32_t sampler_node(struct sampled *s, struct skein_self *self, const ucontext_t *context); /* of its path; 0: no room */

/* why.c */
struct busy;
/* a working thread was sampled: its sample in the node stands for `ns`, and not all cores are busy, or some thread is ready */
void why_idle(struct sampled *s, const struct skein_self *self, uint32_t node, uint64_t ns, const struct busy *busy);
void why_wait_begin(struct skein_self *self);
void why_wait_end(struct skein_self *self, enum raw_wait kind, uint64_t start, uint64_t end);
void why_works(struct sampled *s, bool works); /* the thread begins, or ends */

/* walk.c */
struct walk_end {
	size_t count;          /* X-structures, the last ones of s->path */
	bool whole;            /* up to the root of the thread, or of the program */
	struct context *below; /* the path begins in a task that was created there; NULL: at a root */
};
struct walk_end walk_from(struct sampled *s, const struct skein_self *self, const ucontext_t *context); /* NULL: from the caller */
bool walk_is_as_before(const struct sampled *s, const struct skein_self *self); /* walk_to_creation would find what it found last */
/* logical places of the caller, innermost first, in s->captured; *parent: where they go on */
size_t walk_to_creation(struct sampled *s, const struct skein_self *self, struct context **parent);

#endif
