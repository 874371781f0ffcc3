/* SPDX-License-Identifier: MIT */
/* forks.c: which activations have forked, and what threads and tasks inherit from them.
 *
 * An activation has forked while threads or tasks that it created live on, or while a parallel region that it opened is
 * open; calls that it makes meanwhile are concurrent calls (section 3.4.2). The bit in its frame is changed by its own
 * thread only: when it creates something, and when it has waited (for a join, a barrier, tasks) and nothing is left.
 * A region is over when it is closed, though members of its team may leave it later.
 *
 * The body of a parallel region has its creator's states and is concurrent from the start (calls_push, inherit). A
 * region inside the body is nested parallelism: its creator counts as entered concurrently (the C-C case).
 *
 * What is created inherits its creator's place in the call graph: the creator as its caller, and the routines that were
 * open there, which it would re-enter as a recursion (section 4.4.1 by logical ancestry). The walk over the creator's
 * stack ends where a frame stands for an activation elsewhere: that one's own inheritance goes on from there. */
#include "rt/calls/calls.h"

#include "threads/arena.h"

enum { ENDS = 4096, ROUTINES = 512 };
#define STATES (uint64_t)(CALLS_CALL_CONCURRENT | CALLS_CALLER_CONCURRENT)

struct fork {
	_Atomic uint32_t alive; /* threads and tasks */
	uint32_t teams;         /* open parallel regions */
	bool opens_team;        /* what is captured next is for a team */
	uint64_t before;        /* the frame's states without what it forked */
	struct calls_frame *frame;
	struct fork *next;
};

struct inherited {
	_Atomic uint32_t users;
	uint32_t count;
	uint64_t as_caller;
	struct fork *fork;
	uint32_t routines[];
};

static size_t bytes_of(uint32_t count)
{
	return sizeof(struct inherited) + count * sizeof(uint32_t);
}

static bool is_elsewhere(const struct calls_frame *f)
{
	return f->arc->flags & CALLS_ELSEWHERE;
}

/* A fork whose frame is gone and whose children are too can serve another frame. */
static struct fork *fork_of(struct worker *w, struct calls_frame *f)
{
	if (f->fork)
		return f->fork;
	struct fork *fork = w->forks;
	while (fork && (atomic_load(&fork->alive) || (fork->frame <= w->lane.top && fork->frame->fork == fork)))
		fork = fork->next;
	if (!fork) {
		fork = arena_take(sizeof *fork);
		if (!fork)
			return NULL;
		fork->next = w->forks;
		w->forks = fork;
	}
	fork->teams = 0;
	fork->opens_team = false;
	fork->before = f->as_caller & STATES;
	fork->frame = f;
	f->fork = fork;
	return fork;
}

void forks_settle(struct worker *w)
{
	struct calls_frame *f = w->lane.top;
	struct fork *fork = is_elsewhere(f) ? NULL : f->fork;
	if (fork && fork->teams == 0)
		f->as_caller = (f->as_caller & ~STATES) | fork->before | (atomic_load(&fork->alive) ? CALLS_CALL_CONCURRENT : 0);
}

/* Collects distinct routines; a mark in active[] tells which it has. */
struct collection {
	struct worker *w;
	uint32_t count;
	uint32_t routines[ROUTINES];
};

#define MARK (UINT64_C(1) << 63)

static void collect(struct collection *c, uint32_t routine)
{
	uint64_t *active = c->w->lane.active;
	if (routine && c->count < ROUTINES && calls_covers(c->w, routine) && !(active[routine] & MARK)) {
		active[routine] |= MARK;
		c->routines[c->count++] = routine;
	}
}

static void collect_stack(struct collection *c)
{
	struct worker *w = c->w;
	const struct calls_frame *f = w->lane.top, *end = w->lane.base + ENDS;
	for (unsigned n = 0; f > w->lane.base && !is_elsewhere(f); f--, n++) {
		if (n > ENDS && f > end)
			f = end; /* a deep stack repeats itself in between */
		collect(c, calls_routine_of(f->as_caller));
	}
	const struct inherited *more = f->fork;
	for (uint32_t i = 0; more && i < more->count; i++)
		collect(c, more->routines[i]);
	for (uint32_t i = 0; i < c->count; i++)
		w->lane.active[c->routines[i]] &= ~MARK;
}

void *forks_capture(struct skein_self *self)
{
	struct worker *w = calls_mine(self);
	if (!w)
		return NULL;
	struct calls_frame *f = w->lane.top;
	struct collection c;
	c.w = w;
	c.count = 0;
	collect_stack(&c);
	struct inherited *i = arena_take(bytes_of(c.count));
	if (!i)
		return NULL;
	atomic_init(&i->users, 1);
	i->count = c.count;
	__builtin_memcpy(i->routines, c.routines, c.count * sizeof *c.routines);
	struct fork *fork = is_elsewhere(f) ? NULL : fork_of(w, f);
	bool for_team = fork && fork->opens_team;
	i->fork = for_team ? NULL : fork;
	if (for_team) {
		fork->opens_team = false;
	} else if (fork) {
		atomic_fetch_add(&fork->alive, 1);
		f->as_caller |= CALLS_CALL_CONCURRENT;
	}
	/* Without a stack (counts) the word that was stored before the call into the threads library names the
	 * creator. */
	i->as_caller = (raw_header()->flags & RAW_COUNTS ? self->from & ~(uint64_t)15 : f->as_caller) | CALLS_CALL_CONCURRENT;
	return i;
}

void forks_retain(void *inherited)
{
	if (inherited)
		atomic_fetch_add(&((struct inherited *)inherited)->users, 1);
}

void forks_release(void *inherited)
{
	struct inherited *i = inherited;
	if (!i || atomic_fetch_sub(&i->users, 1) != 1)
		return;
	if (i->fork)
		atomic_fetch_sub(&i->fork->alive, 1);
	arena_give(i, bytes_of(i->count));
}

void forks_team_begin(struct skein_self *self)
{
	struct worker *w = calls_mine(self);
	struct fork *fork = w && !is_elsewhere(w->lane.top) ? fork_of(w, w->lane.top) : NULL;
	if (!fork)
		return;
	fork->teams++;
	fork->opens_team = true;
	w->lane.top->as_caller |= CALLS_CALL_CONCURRENT | (fork->before & CALLS_CALL_CONCURRENT ? CALLS_CALLER_CONCURRENT : 0);
}

void forks_team_end(struct skein_self *self)
{
	struct worker *w = calls_mine(self);
	struct fork *fork = w && !is_elsewhere(w->lane.top) ? w->lane.top->fork : NULL;
	if (!fork)
		return;
	if (fork->teams)
		fork->teams--;
	fork->opens_team = false;
	forks_settle(w);
}

uint64_t forks_as_caller(const void *inherited)
{
	return inherited ? ((const struct inherited *)inherited)->as_caller : 0;
}

void forks_inherit(struct worker *w, const void *inherited)
{
	const struct inherited *i = inherited;
	for (uint32_t n = 0; i && n < i->count; n++)
		if (calls_covers(w, i->routines[n]))
			w->lane.active[i->routines[n]] += UINT64_C(1) << 32;
}

void forks_disinherit(struct worker *w, const void *inherited)
{
	const struct inherited *i = inherited;
	for (uint32_t n = 0; i && n < i->count; n++)
		if (calls_covers(w, i->routines[n]))
			w->lane.active[i->routines[n]] -= UINT64_C(1) << 32;
}
