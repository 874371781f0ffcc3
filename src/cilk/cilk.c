/* SPDX-License-Identifier: MIT */
/* cilk.c: the runtime of parallel Cilk programs, on top of LLVM's OpenMP runtime.
 *
 * Problem: libomp runs tasks, but a task costs a few hundred nanoseconds, and there are none outside a parallel region.
 * Idea: spawned calls are tasks only as long as another worker might steal them. A worker that has `most` tasks
 * queued runs spawned calls in place, as the serial program would, until FEW are left; then it queues again. (With
 * one bound for both, a recursion of depth d would make a task for nearly each of its "d over `most`" combinations
 * of open calls.) So most spawns of a fine-grained program cost one comparison, and a program on one worker, which
 * has no room, never calls libomp at all. The first function that spawns opens a region (skein_cilk_enter); inside
 * an existing region, its threads are the workers.
 *
 * A task that runs while another waits needs ten times the stack of a call. When an eighth of the stack is used, calls
 * are no longer queued, so a recursion may be nearly as deep as in the serial program, and libomp, which looks for the
 * ancestors of a task before a waiting worker takes it, finds them soon.
 *
 * A scope that queued a task has its own task group, so that a sync waits for its own spawns. libomp does the rest:
 * a waiting worker helps, and OMPT reports it. Tasks are tied: a waiting worker only runs descendants of the tasks
 * that it waits for, and its stack stays bounded.
 *
 * This file is compiled to bitcode and linked as an object. Code that runs at every spawn is inlined, with the
 * source line that the plugin gave to the call; all other code is in one section, by which a sampler recognises
 * frames without a source, and its lines have the mark of overhead. Nothing here allocates, locks or prints;
 * libomp's functions used here do not change errno. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unwind.h>

#include "cilk/frame.h"

#define INLINE __attribute__((always_inline, nodebug))
#define OURS __attribute__((noinline, section(CILK_SECTION)))

/* The part of libomp's interface that compilers use. */
struct place {
	int32_t reserved_1, flags, reserved_2, reserved_3;
	const char *source;
};
struct kmp_task {
	void *shareds;
	int32_t (*routine)(int32_t, void *);
	int32_t part;
	void *data[2];
};
extern int32_t __kmpc_global_thread_num(struct place *);
extern void __kmpc_push_num_threads(struct place *, int32_t thread, int32_t count);
extern void __kmpc_fork_call(struct place *, int32_t count, void (*body)(int32_t *, int32_t *, ...), ...);
extern struct kmp_task *__kmpc_omp_task_alloc(struct place *, int32_t thread, int32_t flags, size_t bytes, size_t shared_bytes,
                                              int32_t (*routine)(int32_t, void *));
extern int32_t __kmpc_omp_task(struct place *, int32_t thread, struct kmp_task *);
extern void __kmpc_taskgroup(struct place *, int32_t thread);
extern void __kmpc_end_taskgroup(struct place *, int32_t thread);
extern int omp_in_parallel(void), omp_get_num_threads(void), omp_get_max_threads(void), omp_get_thread_num(void);
extern int omp_get_max_active_levels(void);
extern void omp_set_max_active_levels(int);
extern void kmp_set_stacksize_s(size_t);
extern size_t kmp_get_stacksize_s(void);

enum { TIED = 1, MOST_PER_WORKER = 4, FEW = 2, PARTS_PER_WORKER = 8, LARGEST_GRAIN = 2048 };
static struct place here = {.flags = 2, .source = ";cilk;cilk;0;0;;"};

/* Of exceptions in C++: how many are on their way in this thread. */
struct cxa_globals {
	void *caught;
	unsigned uncaught;
};
extern struct cxa_globals *__cxa_get_globals(void) __attribute__((weak));
extern _Unwind_Reason_Code _Unwind_RaiseException(struct _Unwind_Exception *) __attribute__((weak));
extern void _Unwind_DeleteException(struct _Unwind_Exception *) __attribute__((weak));

enum { OPEN = 1, HELD = 2 /* the call is over, and threw */ };
struct cilk_frame {
	int32_t open;                               /* a task group is; or HELD */
	int32_t thread;                             /* libomp's number of the thread that runs the function, if known */
	_Atomic(struct _Unwind_Exception *) thrown; /* the first exception that left a spawned call */
};
_Static_assert(sizeof(struct cilk_frame) == 8ul * CILK_FRAME_WORDS, "the plugin makes room for it");

struct worker {
	_Atomic unsigned queued; /* tasks of this thread that no worker has begun */
	unsigned room;           /* a spawned call is queued when fewer are: `most`, or behind that FEW */
	unsigned most;           /* 0: everything runs in place */
	bool inside;             /* a function that spawns runs in this thread */
	uintptr_t floor;         /* lowest address of the stack for tasks; below it everything runs in place */
};
static _Thread_local struct worker me;
static _Atomic size_t stack_for_tasks;

struct task {
	struct kmp_task kmp;
	struct worker *home;
	unsigned most;
	struct cilk_frame *frame;
	void (*run)(void *arguments, struct cilk_frame *);
	char arguments[];
};

INLINE bool skein_cilk_inside(void)
{
	return me.inside;
}

INLINE bool skein_cilk_wants(void)
{
	return atomic_load_explicit(&me.queued, memory_order_relaxed) < me.room && (uintptr_t)__builtin_frame_address(0) > me.floor;
}

#line 1 "parallel-overhead:schedule"
OURS static void run_inside(void (*run)(void *, struct cilk_frame *), void *arguments, struct cilk_frame *frame, unsigned most)
{
	unsigned old_most = me.most;
	bool was_inside = me.inside;

	if (most != old_most) {
		me.most = me.room = most;
		me.floor = (uintptr_t)__builtin_frame_address(0) - atomic_load_explicit(&stack_for_tasks, memory_order_relaxed);
	}
	me.inside = true;
	run(arguments, frame);
	if (most != old_most)
		me.most = me.room = old_most;
	me.inside = was_inside;
}

OURS static int32_t run_task(int32_t thread, void *kmp)
{
	struct task *t = kmp;

	(void)thread;
	atomic_fetch_sub_explicit(&t->home->queued, 1, memory_order_relaxed);
	run_inside(t->run, t->arguments, t->frame, t->most);
	return 0;
}

#line 1 "parallel-overhead:task"
/* Room for the arguments of a spawned call, which the caller fills in and hands to skein_cilk_push. */
OURS static void *new_task(struct cilk_frame *frame, int32_t thread, void (*run)(void *, struct cilk_frame *), size_t bytes)
{
	struct task *t = (struct task *)__kmpc_omp_task_alloc(&here, thread, TIED, sizeof *t + bytes, 0, run_task);

	t->home = &me;
	t->most = me.most;
	t->frame = frame;
	t->run = run;
	return t->arguments;
}

OURS void *skein_cilk_task(struct cilk_frame *frame, void (*run)(void *, struct cilk_frame *), size_t bytes)
{
	if (!frame->open) {
		frame->open = OPEN;
		frame->thread = __kmpc_global_thread_num(&here);
		__kmpc_taskgroup(&here, frame->thread);
	}
	return new_task(frame, frame->thread, run, bytes);
}

INLINE static void count_task(void)
{
	me.room = atomic_fetch_add_explicit(&me.queued, 1, memory_order_relaxed) + 1 < me.most ? me.most : FEW;
}

/* Inlined, so that tools see the call of libomp in the function that spawns. */
INLINE void skein_cilk_push(struct cilk_frame *frame, void *arguments)
{
	count_task();
	__kmpc_omp_task(&here, frame->thread, (struct kmp_task *)((char *)arguments - offsetof(struct task, arguments)));
}

#line 1 "parallel-overhead:sync"
/* The exception goes on from here, in the thread that waited for it. */
OURS void skein_cilk_raise(struct cilk_frame *frame)
{
	struct _Unwind_Exception *thrown = atomic_exchange(&frame->thrown, NULL);

	if (!thrown)
		return;
	__cxa_get_globals()->uncaught++;
	_Unwind_RaiseException(thrown);
	abort(); /* no handler catches the exception */
}

OURS void skein_cilk_caught(struct cilk_frame *frame, struct _Unwind_Exception *thrown)
{
	struct _Unwind_Exception *first = NULL;

	__cxa_get_globals()->uncaught--;
	if (!atomic_compare_exchange_strong(&frame->thrown, &first, thrown))
		_Unwind_DeleteException(thrown);
}

OURS static void wait(struct cilk_frame *frame)
{
	if (frame->open == OPEN)
		__kmpc_end_taskgroup(&here, frame->thread);
	frame->open = 0;
}

/* What was thrown goes on later, from the sync at the end of the function. */
OURS void skein_cilk_wait_held(struct cilk_frame *frame)
{
	wait(frame);
	if (atomic_load_explicit(&frame->thrown, memory_order_relaxed))
		frame->open = HELD;
}

INLINE void skein_cilk_hold(struct cilk_frame *frame)
{
	if (__builtin_expect(frame->open, 0))
		skein_cilk_wait_held(frame);
}

OURS void skein_cilk_wait(struct cilk_frame *frame)
{
	wait(frame);
	if (atomic_load_explicit(&frame->thrown, memory_order_relaxed))
		skein_cilk_raise(frame);
}

INLINE void skein_cilk_join(struct cilk_frame *frame)
{
	if (__builtin_expect(frame->open, 0))
		skein_cilk_wait(frame);
}

/* Another exception is on its way through the function: those of its spawned calls are lost. */
OURS void skein_cilk_drain(struct cilk_frame *frame)
{
	if (frame->open)
		wait(frame);
	struct _Unwind_Exception *thrown = atomic_exchange(&frame->thrown, NULL);
	if (thrown)
		_Unwind_DeleteException(thrown);
}

#line 1 "parallel-overhead:schedule"
/* 0: libomp's own number, from OMP_NUM_THREADS or the cores. */
OURS static int wanted_workers(void)
{
	const char *text = getenv("CILK_NWORKERS");
	long count = text ? strtol(text, NULL, 10) : 0;

	return count > 0 && count < 65536 ? (int)count : omp_get_max_threads();
}

/* Threads of libomp have 4 MB of stack; recursion that the first thread bears the others must bear, too. */
OURS static void choose_stack(void)
{
	struct rlimit limit;
	size_t own = 8 << 20, theirs;

	if (atomic_load_explicit(&stack_for_tasks, memory_order_relaxed))
		return;
	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		own = limit.rlim_cur;
	if (!getenv("OMP_STACKSIZE") && !getenv("KMP_STACKSIZE"))
		kmp_set_stacksize_s(own > 8 << 20 ? own : 8 << 20);
	theirs = kmp_get_stacksize_s();
	atomic_store_explicit(&stack_for_tasks, (theirs < own ? theirs : own) / 8, memory_order_relaxed);
}

OURS static unsigned most_of_team(void)
{
	unsigned workers = (unsigned)omp_get_num_threads();

	return workers == 1 ? 0 : workers * MOST_PER_WORKER;
}

struct region {
	void (*run)(void *, struct cilk_frame *);
	void *arguments;
	struct cilk_frame *frame;
};

/* One thread runs the function; the others are at the region's end already, and take tasks. */
OURS static void region_body(int32_t *thread, int32_t *number, const struct region *r)
{
	(void)thread;
	if (*number == 0)
		run_inside(r->run, r->arguments, r->frame, most_of_team());
}

/* Within the region the user's own parallel regions have as many levels as without it. */
OURS static void open_region(struct region *r, int workers)
{
	int levels = omp_get_max_active_levels();

	omp_set_max_active_levels(levels + 1);
	__kmpc_push_num_threads(&here, __kmpc_global_thread_num(&here), workers);
	__kmpc_fork_call(&here, 1, (void (*)(int32_t *, int32_t *, ...))region_body, r);
	omp_set_max_active_levels(levels);
}

OURS void skein_cilk_enter(void (*run)(void *, struct cilk_frame *), void *arguments, struct cilk_frame *frame)
{
	struct region r = {run, arguments, frame};

	choose_stack();
	int workers = wanted_workers();
	if (omp_in_parallel())
		run_inside(run, arguments, frame, most_of_team());
	else if (workers == 1)
		run_inside(run, arguments, frame, 0);
	else
		open_region(&r, workers);
	if (atomic_load_explicit(&frame->thrown, memory_order_relaxed))
		skein_cilk_raise(frame);
}

/* For cilk/cilk_api.h. */
OURS int skein_cilk_workers(void)
{
	return omp_in_parallel() ? omp_get_num_threads() : wanted_workers();
}

OURS int skein_cilk_worker(void)
{
	return omp_get_thread_num();
}

OURS int skein_cilk_on_workers(void)
{
	return me.inside;
}

/* cilk_for: halves become tasks as long as there is room, and the rest runs in grains. */
struct loop {
	void (*run)(void *context, uint64_t low, uint64_t high, struct cilk_frame *);
	void *context;
	uint64_t grain;
};
struct part {
	const struct loop *loop;
	uint64_t low, high;
};

OURS static void run_part(void *arguments, struct cilk_frame *frame);

OURS static void push_part(struct part part, struct cilk_frame *frame)
{
	int32_t thread = __kmpc_global_thread_num(&here);
	struct part *p = new_task(frame, thread, run_part, sizeof *p);

	*p = part;
	count_task();
	__kmpc_omp_task(&here, thread, (struct kmp_task *)((char *)p - offsetof(struct task, arguments)));
}

OURS static void run_part(void *arguments, struct cilk_frame *frame)
{
	struct part part = *(struct part *)arguments;
	const struct loop *l = part.loop;

	while (part.low < part.high) {
		uint64_t left = part.high - part.low, some = left < l->grain ? left : l->grain;
		if (left > l->grain && skein_cilk_wants()) {
			push_part((struct part){l, part.low + left / 2, part.high}, frame);
			part.high = part.low + left / 2;
		} else {
			l->run(l->context, part.low, part.low + some, frame);
			part.low += some;
		}
	}
}

OURS void skein_cilk_loop(struct cilk_frame *frame, uint64_t count, void (*run)(void *, uint64_t, uint64_t, struct cilk_frame *),
                          void *context)
{
	if (count == 0)
		return;
	if (me.most == 0) {
		run(context, 0, count, frame);
	} else {
		uint64_t grain = count / ((uint64_t)PARTS_PER_WORKER * (me.most / MOST_PER_WORKER));
		struct loop loop = {run, context, grain < 1 ? 1 : grain > LARGEST_GRAIN ? LARGEST_GRAIN : grain};
		frame->open = OPEN;
		frame->thread = __kmpc_global_thread_num(&here);
		__kmpc_taskgroup(&here, frame->thread);
		run_part(&(struct part){&loop, 0, count}, frame);
		wait(frame);
	}
	if (atomic_load_explicit(&frame->thrown, memory_order_relaxed))
		skein_cilk_raise(frame);
}

/* Tells a sampler, if there is one, which code has no source. */
extern void skein_cilk_code(const void *start, const void *end) __attribute__((weak));
extern const char __start_skein_cilk[], __stop_skein_cilk[];

__attribute__((constructor)) OURS static void tell_sampler(void)
{
	if (skein_cilk_code)
		skein_cilk_code(__start_skein_cilk, __stop_skein_cilk);
}
