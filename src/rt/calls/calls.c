/* SPDX-License-Identifier: MIT */
/* calls.c: workers, and the slow paths of the hooks.
 *
 * Everything here may run inside the subject's malloc or in its signal handlers: memory comes from the arena, errno is
 * left alone, and what cannot be recorded goes into a scratch frame or a spare arc and is counted as lost. */
#include "rt/calls/calls.h"

#include "rt/counters.h"
#include "threads/arena.h"

enum { FIRST_LOG2_SLOTS = 7, FIRST_ARCS = 32, MORE_ARCS = 128 };
#define STACK_BYTES ((size_t)256 << 20)

struct calls_frame calls_scratch;

static struct calls_cost cost;

void calls_set_cost(const struct calls_cost *measured)
{
	cost = *measured;
}

struct worker *calls_worker(struct lane *lane)
{
	return lane ? lane->lens : NULL;
}

static void set_limit(struct worker *w)
{
	w->lane.limit = w->lane.base + w->stack_open / sizeof *w->lane.base;
}

bool calls_deepen(struct worker *w)
{
	if (w->is_closed)
		return false;
	if (w->lane.top + 1 < w->lane.limit)
		return true;
	if (!arena_open(w->lane.base, STACK_BYTES, &w->stack_open, w->stack_open + 1))
		return false;
	set_limit(w);
	return true;
}

/* Hooks add to active[] without looking. A worker that cannot have all of it is closed: its limit sends every entry into
 * skein_rt_enter, which declines. */
static void cover(struct worker *w, uint32_t routines)
{
	if (arena_open(w->lane.active, CALLS_ROUTINES_ALL * sizeof *w->lane.active, &w->active_open, routines * sizeof *w->lane.active))
		return;
	w->is_closed = true;
	__atomic_store_n(&w->lane.limit, w->lane.base, __ATOMIC_RELAXED);
}

void calls_cover(uint32_t routines)
{
	for (unsigned i = 0; i < lane_count(); i++)
		if (calls_worker(lane_at(i)))
			cover(calls_worker(lane_at(i)), routines);
}

static bool has_memory(struct worker *w)
{
	w->lane.active = arena_reserve(CALLS_ROUTINES_ALL * sizeof *w->lane.active, &w->active_open);
	w->lane.base = arena_reserve(STACK_BYTES, &w->stack_open);
	w->tables = arena_take(SELF_TABLES_MAX * sizeof *w->tables);
	if (w->lane.active && w->lane.base && w->tables)
		return true;
	arena_release(w->lane.active, w->active_open);
	arena_release(w->lane.base, w->stack_open);
	arena_give(w->tables, SELF_TABLES_MAX * sizeof *w->tables);
	return false;
}

static struct worker *new_worker(uint32_t number)
{
	struct worker *w = arena_take(sizeof *w);
	struct calls_slot *slots = arena_take(sizeof *slots << FIRST_LOG2_SLOTS);
	if (!w || !slots || !has_memory(w)) {
		arena_give(w, sizeof *w);
		arena_give(slots, sizeof *slots << FIRST_LOG2_SLOTS);
		return NULL;
	}
	w->lane.number = number;
	w->spare_elsewhere.flags = CALLS_ELSEWHERE;
	w->lane.inside = cost.inside;
	w->lane.outside = cost.outside;
	w->lane.untimed = cost.untimed;
	w->lane.chance = arch_tick() ^ (uint64_t)number << 40;
	set_limit(w);
	calls_index_move(&w->lane, slots, FIRST_LOG2_SLOTS);
	return w;
}

/* A row of the recording; rows come in tables of many. */
static struct calls_arc *new_row(struct worker *w)
{
	if (!w->arcs || w->arcs->used == w->arcs->capacity) {
		struct raw_table *table = raw_add_table(RAW_CALLS_ARCS, w->lane.number, 0, w->arcs ? MORE_ARCS : FIRST_ARCS);
		if (!table)
			return NULL;
		w->arcs = table;
	}
	return (struct calls_arc *)raw_rows(w->arcs) + w->arcs->used;
}

static bool make_room(struct worker *w)
{
	if (calls_index_has_room(&w->lane))
		return true;
	unsigned log2_slots = (unsigned)(64 - w->lane.shift) + 1;
	struct calls_slot *old = w->lane.index, *slots = arena_take(sizeof *slots << log2_slots);
	if (!slots)
		return false;
	calls_index_move(&w->lane, slots, log2_slots);
	arena_give(old, sizeof *old << (log2_slots - 1));
	return true;
}

static struct calls_arc *spare_for(struct worker *w, uint64_t key)
{
	return key & CALLS_ELSEWHERE ? &w->spare_elsewhere : &w->spare;
}

/* What finds no row once is pointed to the spare one for good: a full disk must not cost the subject its speed. */
static struct calls_arc *add_arc(struct worker *w, uint64_t key)
{
	if (!make_room(w))
		return spare_for(w, key);
	struct calls_arc *arc = new_row(w);
	if (!arc) {
		calls_point(&w->lane, key, spare_for(w, key));
		return spare_for(w, key);
	}
	calls_insert(&w->lane, key, arc);
	w->arcs->used++;
	return arc;
}

struct calls_arc *calls_arc_of(struct calls_lane *lane, uint64_t key)
{
	struct worker *w = (struct worker *)lane;
	struct calls_arc *arc = calls_find(lane, key);
	if (arc)
		return arc;
	if (w->busy) {
		raw_lose(RAW_LOST_IN_SIGNAL, 1);
		return spare_for(w, key);
	}
	w->busy = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	arc = add_arc(w, key);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	w->busy = 0;
	return arc;
}

/* The arc that gathers what this worker does for an activation in another one. Its first flag is that activation's own
 * entry state, so that its row can be found. */
static struct calls_arc *elsewhere(struct worker *w, uint64_t as_caller)
{
	uint64_t entry = as_caller & CALLS_CALLER_CONCURRENT ? CALLS_CONCURRENT : 0;
	return calls_arc_of(&w->lane, calls_key(0, calls_routine_of(as_caller), entry) | CALLS_ELSEWHERE);
}

void calls_take_up(struct worker *w, const void *inherited)
{
	uint64_t as_caller = forks_as_caller(inherited);
	calls_adopt(&w->lane, elsewhere(w, as_caller), as_caller, calls_now(w));
	w->lane.top->fork = (void *)(uintptr_t)inherited;
	forks_inherit(w, inherited);
}

/* A lane's stack begins with one frame that stands for the thread's creator. */
void calls_begin(struct skein_self *self, void *inherited)
{
	struct worker *w = self->lane->lens;
	if (!w) {
		w = new_worker(self->lane->number);
		if (!w) {
			raw_lose(RAW_LOST_NO_MEMORY, 1);
			return;
		}
		self->lane->lens = w;
	}
	cover(w, objects_routines()); /* after it can be found, so that none is missed that is registered now */
	w->lane.number = self->lane->number;
	w->lane.top = w->lane.base - 1;
	calls_take_up(w, inherited);
	pace_begin(w, self->lane);
	self->tables = w->tables;
	self->from = forks_as_caller(inherited) | CALLS_ELSEWHERE;
	self->calls = &w->lane;
}

/* ---- waits ---- */

static uint64_t in_others(const struct calls_arc *arc)
{
	return arc->callee_ticks + arc->displaced_ticks;
}

void calls_wait_begin(struct worker *w)
{
	w->waits_in = w->lane.top;
	w->waits_after = in_others(w->waits_in->arc);
}

/* A signal handler may run in the middle of a wait, and may even end it by a jump: its time is not what the activation below it waited. */
void calls_wait_end(struct worker *w, uint64_t ticks, uint64_t now)
{
	const struct calls_frame *f = w->waits_in;
	if (!f)
		return;
	uint64_t others = in_others(f->arc) - w->waits_after;
	if (w->lane.top > f && f[1].weight)
		others += now - f[1].start;
	__atomic_fetch_add(&f->arc->wait_ticks, ticks > others ? ticks - others : 0, __ATOMIC_RELAXED);
	w->waits_in = NULL;
}

/* A thread that is cancelled in a wait, or leaves it by a jump or an exception, works from here on. */
static void leave_wait(struct worker *w, const struct calls_frame *keep, uint64_t now)
{
	uint64_t from = skein_self.lane ? atomic_load(&skein_self.lane->wait_from) : 0, ticks = now + w->lane.bias - from;
	if (w->waits_in > keep && from)
		calls_wait_end(w, (int64_t)ticks > 0 ? ticks : 0, now);
}

void calls_drop_to(struct worker *w, struct calls_frame *keep, uint64_t now)
{
	leave_wait(w, keep, now);
	for (struct calls_frame *f = w->lane.top; f > keep; f--)
		if (f->arc->flags & CALLS_ELSEWHERE) {
			calls_drop(&w->lane, f - 1, now); /* what is above inherits until it ends */
			forks_disinherit(w, f->fork);
		}
	calls_drop(&w->lane, keep, now);
}

void calls_end(struct skein_self *self)
{
	struct worker *w = calls_mine(self);
	if (!w)
		return;
	calls_drop_to(w, w->lane.base, calls_now(w));
	forks_disinherit(w, w->lane.base->fork);
	self->calls = &self_nobody;
	self->tables = self_no_tables;
}

/* The stack that the child took over consists of the parent's activations. They go on in the child as of now, and are
 * not counted as calls again. */
void calls_restart(struct skein_self *self)
{
	struct worker *w = calls_mine(self);
	for (unsigned i = 0; i < lane_count(); i++)
		if (calls_worker(lane_at(i)))
			calls_worker(lane_at(i))->seen_tid = 0;
	counters_lose_unwritten(false);
	if (!w)
		return;
	w->lane.number = self->lane->number;
	uint64_t now = calls_now(w);
	for (struct calls_frame *f = w->lane.base; f <= w->lane.top; f++)
		f->start = f->before = now;
	w->lane.last = now;
	pace_begin(w, self->lane);
}

/* The innermost activation of a waiting thread stays what it is as long as the same wait goes on. */
void calls_split_wait(struct worker *w, struct lane *lane)
{
	uint64_t from = atomic_load(&lane->wait_from);
	struct calls_frame *top = __atomic_load_n(&w->lane.top, __ATOMIC_ACQUIRE);
	uint64_t ticks = threads_wait_split(lane, from);
	if (!ticks)
		return;
	__atomic_fetch_add(&top->arc->wait_ticks, ticks, __ATOMIC_RELAXED);
	waits_go_on(w, ticks);
}

/* Spare arcs hold calls that had no row. */
void calls_flush(bool timed)
{
	for (unsigned i = 0; i < lane_count(); i++) {
		struct worker *w = calls_worker(lane_at(i));
		if (!w)
			continue;
		if (timed && atomic_load(&lane_at(i)->alive))
			calls_split_wait(w, lane_at(i));
		if (timed && atomic_load(&lane_at(i)->alive) && w->lane.top > w->lane.base)
			calls_split(&w->lane, calls_now(w));
		if (w->spare.calls) {
			raw_lose(RAW_LOST_NO_SPACE, w->spare.calls);
			w->spare.calls = 0;
		}
	}
	counters_lose_unwritten(true);
}

/* Checks whether another worker is inside the same routine, for each of an arc's first concurrent calls and then for
 * every 64th, since reading another core's counters is expensive. */
static void look_around(const struct calls_lane *lane, struct calls_arc *arc, uint64_t weight)
{
	for (unsigned i = 0; i < lane_count(); i++) {
		struct worker *other = calls_worker(lane_at(i));
		if (other && &other->lane != lane && atomic_load_explicit(&lane_at(i)->alive, memory_order_relaxed) &&
		    calls_covers(other, arc->callee) && (uint32_t)__atomic_load_n(&other->lane.active[arc->callee], __ATOMIC_RELAXED)) {
			arc->same_calls += weight;
			return;
		}
	}
}

static struct calls_frame *enter_now(struct worker *w, uint32_t routine, bool inherit)
{
	uint64_t concurrent = atomic_load_explicit(&skein_n_working, memory_order_relaxed) > 1;
	struct calls_arc *arc = calls_arc_of(&w->lane, calls_key(w->lane.top->as_caller, routine, concurrent));
	if (concurrent && hot_looks_around(arc))
		look_around(&w->lane, arc, arc->calls < 64 ? 1 : 64);
	struct calls_frame *mine = calls_push(&w->lane, arc, routine, concurrent, inherit);
	if (arc->left) {
		arc->left--;
		calls_time_not(&w->lane, mine);
		return mine;
	}
	return skein_rt_time(&w->lane, mine);
}

/* The slow half of an entry: a new arc; or no room on the stack, since the thread is new to the runtime, or too deep, or must be left
 * alone. */
struct calls_frame *skein_rt_enter(struct skein_object *object, uint32_t index, uint32_t inherit)
{
	struct skein_self *self = &skein_self;
	if (self->vforked) {
		raw_lose(RAW_LOST_VFORK, 1);
		return &calls_scratch;
	}
	if (!object->first_routine)
		skein_rt_register(object);
	if (self->calls == &self_nobody)
		self = threads_meet();
	struct worker *w = calls_mine(self);
	if (!w || !object->first_routine) {
		raw_lose(RAW_LOST_TOO_EARLY, 1);
		return &calls_scratch;
	}
	if (!calls_deepen(w)) {
		raw_lose(w->is_closed ? RAW_LOST_NO_MEMORY : RAW_LOST_TOO_DEEP, 1);
		return &calls_scratch;
	}
	return enter_now(w, object->first_routine + index, inherit);
}

static bool is_on_stack(const struct worker *w, const struct calls_frame *f)
{
	return w && f > w->lane.base && f <= w->lane.top;
}

/* Frames above mine were left by a jump; or mine is not this thread's: scratch, or of a stack that moved on. clock is 0 if
 * mine is not timed. */
void skein_rt_leave(struct calls_frame *mine, uint64_t clock)
{
	struct worker *w = calls_mine(&skein_self);
	if (is_on_stack(w, mine))
		calls_drop_to(w, mine - 1, calls_time(&w->lane, clock ? clock : arch_tick()));
}

void skein_rt_catch(struct calls_frame *mine)
{
	struct worker *w = calls_mine(&skein_self);
	if (is_on_stack(w, mine))
		calls_drop_to(w, mine, calls_now(w));
}
