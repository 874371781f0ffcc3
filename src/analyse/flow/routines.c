/* SPDX-License-Identifier: MIT */
/* routines.c: a stack of frames for each strand, as the lane of the `calls` lens has it while the program runs (core/calls).
 *
 * Problem: counts and arcs must equal those of `calls`, and a routine's time must leave out waits and time without a core, which begin
 * and end at events that have nothing to do with routines.
 * Idea: each strand has a clock for each of its states. At each event the time since the last one goes to the clock of the
 * state and to the row of the innermost frame. A frame remembers the clocks at its entry; the difference at its end is what
 * its activation took. The first frame of a strand stands for its creator, as does one that it adopts: calls have the right
 * caller, and its row says only what was called from there. A forked process goes on in the frames of its parent.
 * A signal handler that interrupts a wait works, and so does a thread that was cancelled in one; the thread counts as waiting all the same.
 * The critical path is a list of stretches of single strands, which follow each other in the recorded time, too; each begins and ends with
 * an event of its strand, so a piece of time is inside of one or outside.
 * Cost: constant for each event, but for the creation of a thread or a task, and its beginning, which take as long as routines are open
 * there.
 *
 * Differs from `calls`: no activation is told that it opens a parallel region of OpenMP, or that its tasks are done, so nothing is known of
 * FLOW_ROUTINES_CALL_CONCURRENT there. */
#include "analyse/flow/routines.h"

#include <stdlib.h>
#include "analyse/run.h"
#include "base/hash.h"
#include "base/memory.h"

enum state { WORKS, WAITS, IN_KERNEL, OFF, GONE, STATES = GONE };
enum {
	CONCURRENT = FLOW_ROUTINES_CONCURRENT,
	FORKED = FLOW_ROUTINES_CALL_CONCURRENT,
	ENTERED_CONCURRENT = FLOW_ROUTINES_CALLER_CONCURRENT
};

struct frame {
	uint32_t routine;
	uint32_t groups;   /* in which it is, or a frame below it */
	uint32_t states;   /* of its calls, without CONCURRENT */
	uint32_t set;      /* of the routines that are open here, + 1; 0: not asked yet */
	uint32_t children; /* threads that it created and that have not ended */
	bool has_created;
	bool is_creator;   /* no activation: the creator of what follows */
	bool is_outermost; /* no activation of that routine is below it */
	bool is_inherited; /* an activation of that routine is open where the strand, or the task, comes from */
	size_t arc;        /* + 1 */
	uint64_t serial;   /* among the frames of its strand */
	uint64_t clocks[STATES];
};

/* Of a thread or a task: the frame that created it. */
struct flow_routines_origin {
	uint32_t routine, groups, states; /* as in the frame */
	uint32_t set;                     /* routines that were open */
};

struct open {
	uint32_t frames;    /* of a routine, that stand for no creator */
	uint32_t inherited; /* by the frames that do */
	size_t last_arc;    /* by which it was entered last, + 1 */
};

struct flow_routines_strand {
	struct frame *frames;
	size_t count, room;
	struct open *open; /* by routine */
	size_t open_count;
	enum state state;
	size_t waits_at; /* number of frames when its wait began */
	uint64_t since;
	uint64_t clocks[STATES];
	uint64_t inside[FLOW_ROUTINES_GROUPS];
	uint64_t serial;
	uint32_t process, lane;
	uint32_t origin; /* until it begins */
	uint32_t creator;
	size_t creator_frame;
	uint64_t creator_serial; /* 0: no frame has the strand among its children */
	bool has_begun, is_forked, has_origin;
};

void flow_routines_start(struct flow_routines *r)
{
	*r = (struct flow_routines){0};
}

void flow_routines_free(struct flow_routines *r)
{
	for (size_t i = 0; i < r->strand_count; i++) {
		free(r->strands[i].frames);
		free(r->strands[i].open);
	}
	free(r->strands);
	free(r->rows);
	free(r->arcs);
	free(r->stretches);
	free(r->processes);
	lookup_free(&r->by_arc);
	map_free(&r->lent);
	free(r->origins);
	lookup_free(&r->by_origin);
	sets_free(&r->open);
}

void flow_routines_critical(struct flow_routines *r, uint32_t strand, uint64_t from, uint64_t to)
{
	MEMORY_GROW(r->stretches, r->stretch_count, r->stretch_room);
	r->stretches[r->stretch_count++] = (struct flow_routines_stretch){strand, from, to};
}

static struct flow_routines_row *row_of(struct flow_routines *r, uint32_t routine)
{
	while (routine >= r->row_count) {
		MEMORY_GROW(r->rows, r->row_count, r->row_room);
		r->rows[r->row_count++] = (struct flow_routines_row){0};
	}
	return &r->rows[routine];
}

static struct flow_routines_process *process_of(struct flow_routines *r, uint32_t process)
{
	while (process >= r->process_count) {
		MEMORY_GROW(r->processes, r->process_count, r->process_room);
		r->processes[r->process_count++] = (struct flow_routines_process){0};
	}
	return &r->processes[process];
}

/* ---- strands ---- */

static struct flow_routines_strand *strand_of(struct flow_routines *r, uint32_t number)
{
	while (number >= r->strand_count) {
		MEMORY_GROW(r->strands, r->strand_count, r->strand_room);
		r->strands[r->strand_count++] = (struct flow_routines_strand){.state = GONE};
	}
	return &r->strands[number];
}

/* NULL: the strand has not begun, and is not a forked process. */
static struct frame *top_of(const struct flow_routines_strand *s)
{
	return s->count ? &s->frames[s->count - 1] : NULL;
}

static uint32_t innermost(const struct flow_routines_strand *s)
{
	return s->count ? top_of(s)->routine : RUN_OUTSIDE;
}

static uint32_t groups_of(const struct flow_routines_strand *s)
{
	return s->count ? top_of(s)->groups : 0;
}

static struct open *open_at(struct flow_routines_strand *s, uint32_t routine)
{
	if (routine >= s->open_count) {
		size_t more = routine + 16;
		s->open = memory_resize(s->open, more, sizeof *s->open);
		for (size_t i = s->open_count; i < more; i++)
			s->open[i] = (struct open){0};
		s->open_count = more;
	}
	return &s->open[routine];
}

static bool counts_as_working(enum state state)
{
	return state != WAITS && state != GONE;
}

static void change_state(struct flow_routines *r, struct flow_routines_strand *s, enum state state)
{
	process_of(r, s->process)->working += (uint64_t)counts_as_working(state) - (uint64_t)counts_as_working(s->state);
	s->state = state;
}

static bool is_critical(struct flow_routines *r, uint32_t strand, uint64_t from, uint64_t to)
{
	while (r->stretch_at < r->stretch_count && r->stretches[r->stretch_at].to < to)
		r->stretch_at++;
	if (r->stretch_at == r->stretch_count)
		return false;
	return r->stretches[r->stretch_at].strand == strand && r->stretches[r->stretch_at].from <= from;
}

/* What a routine does in a wait is done by a signal handler, or after the wait was left by a jump. */
static enum state seen_state(const struct flow_routines_strand *s)
{
	return (s->state == WAITS || s->state == IN_KERNEL) && s->count > s->waits_at ? WORKS : s->state;
}

static void charge_frame(struct flow_routines *r, const struct frame *f, enum state state, uint64_t ticks, bool critical)
{
	struct flow_routines_arc *arc = &r->arcs[f->arc - 1];
	*(state == WORKS ? &arc->work : state == WAITS ? &arc->wait : state == IN_KERNEL ? &arc->kernel : &arc->off) += ticks;
	if (state != WORKS || f->is_creator)
		return;
	struct flow_routines_row *row = row_of(r, f->routine);
	row->self += ticks;
	row->critical += critical ? ticks : 0;
}

/* The time until now, in the state that ends now or goes on. */
static void charge(struct flow_routines *r, uint32_t number, uint64_t time)
{
	struct flow_routines_strand *s = &r->strands[number];
	uint64_t ticks = time > s->since ? time - s->since : 0;
	bool critical = is_critical(r, number, s->since, time);
	if (s->state == GONE)
		return;
	enum state state = seen_state(s);
	s->clocks[state] += ticks;
	for (uint32_t left = s->state == WORKS ? groups_of(s) : 0; left; left &= left - 1)
		s->inside[__builtin_ctz(left)] += ticks;
	charge_frame(r, top_of(s), state, ticks, critical);
	s->since = time > s->since ? time : s->since;
}

/* ---- frames ---- */

static bool same_arc(const void *array, size_t number, const void *what)
{
	const struct flow_routines_arc *a = (const struct flow_routines_arc *)array + number, *b = what;
	return a->caller == b->caller && a->callee == b->callee && a->process == b->process && a->lane == b->lane && a->states == b->states;
}

static size_t arc_of(struct flow_routines *r, struct flow_routines_strand *s, uint32_t caller, uint32_t callee, uint32_t states)
{
	const struct flow_routines_arc key = {.caller = caller, .callee = callee, .process = s->process, .lane = s->lane, .states = states};
	struct open *open = open_at(s, callee);
	if (open->last_arc && same_arc(r->arcs, open->last_arc - 1, &key))
		return open->last_arc;
	uint64_t hash = hash_number(hash_number(HASH_START, (uint64_t)caller << 32 | callee),
	                            (uint64_t)s->process << 40 ^ (uint64_t)s->lane << 4 ^ states);
	size_t *place = lookup_at(&r->by_arc, hash, same_arc, r->arcs, &key);
	if (!*place) {
		MEMORY_GROW(r->arcs, r->arc_count, r->arc_room);
		r->arcs[r->arc_count++] = key;
		*place = r->arc_count;
	}
	open->last_arc = *place;
	return *place;
}

static struct frame *push(struct flow_routines_strand *s, uint32_t routine, uint32_t groups, uint32_t states)
{
	MEMORY_GROW(s->frames, s->count, s->room);
	struct frame *f = &s->frames[s->count++];
	*f = (struct frame){.routine = routine, .groups = groups, .states = states, .serial = ++s->serial};
	for (int i = 0; i < STATES; i++)
		f->clocks[i] = s->clocks[i];
	return f;
}

static void inherit(struct flow_routines *r, struct flow_routines_strand *s, uint32_t set, uint32_t more)
{
	const uint32_t *routines = NULL;
	for (size_t i = sets_members(&r->open, set, &routines); i--;)
		open_at(s, routines[i])->inherited += more;
}

/* The row of a frame that stands for a creator names that one's own state. */
static size_t elsewhere(struct flow_routines *r, struct flow_routines_strand *s, const struct frame *f)
{
	return arc_of(r, s, RUN_OUTSIDE, f->routine, FLOW_ROUTINES_ELSEWHERE | (f->states & ENTERED_CONCURRENT ? CONCURRENT : 0));
}

static void push_creator(struct flow_routines *r, struct flow_routines_strand *s, const struct flow_routines_origin *from)
{
	struct frame *f = push(s, from->routine, from->groups, from->states);
	f->is_creator = true;
	f->set = from->set + 1;
	inherit(r, s, from->set, 1);
	f->arc = elsewhere(r, s, f);
}

static void enter(struct flow_routines *r, struct flow_routines_strand *s, uint32_t routine)
{
	struct frame *caller = top_of(s);
	uint32_t concurrent = process_of(r, s->process)->working > 1 ? CONCURRENT : 0;
	size_t arc = arc_of(r, s, caller->routine, routine, caller->states | concurrent);
	struct open *open = open_at(s, routine);
	r->arcs[arc - 1].calls++;
	r->arcs[caller->arc - 1].callee_calls++;
	row_of(r, routine)->calls++;
	row_of(r, routine)->concurrent += concurrent;
	struct frame *f =
		push(s, routine, caller->groups | (routine < r->group_count ? r->groups[routine] : 0), concurrent ? ENTERED_CONCURRENT : 0);
	f->arc = arc;
	f->is_outermost = open->frames++ == 0;
	f->is_inherited = open->inherited != 0;
}

/* The first one stays. */
static void leave(struct flow_routines *r, struct flow_routines_strand *s)
{
	if (s->count < 2)
		return;
	const struct frame *f = &s->frames[--s->count];
	if (s->count < s->waits_at)
		s->waits_at = 0;
	struct flow_routines_arc *arc = &r->arcs[f->arc - 1], *below = &r->arcs[f[-1].arc - 1];
	uint64_t took[STATES], elapsed = 0;
	for (int i = 0; i < STATES; i++)
		elapsed += took[i] = s->clocks[i] - f->clocks[i];
	if (f->is_creator) {
		below->displaced += elapsed;
		inherit(r, s, f->set - 1, UINT32_MAX);
		return;
	}
	arc->total += took[WORKS];
	arc->elapsed += elapsed;
	below->callees += elapsed;
	open_at(s, f->routine)->frames--;
	if (!f->is_outermost)
		return;
	*(f->is_inherited ? &arc->nested : &arc->outer) += elapsed;
	struct flow_routines_row *row = row_of(r, f->routine);
	row->total += took[WORKS];
	row->wait += took[WAITS] + took[IN_KERNEL];
	row->off += took[OFF];
}

static void unwind(struct flow_routines *r, struct flow_routines_strand *s, size_t keep)
{
	while (s->count > keep && s->count > 1)
		leave(r, s);
}

/* ---- what begins elsewhere ---- */

/* The routines that are open in the innermost frame: those of the frame below it, and its own. */
static uint32_t open_set(struct flow_routines *r, struct flow_routines_strand *s)
{
	size_t known = s->count;
	while (!s->frames[known - 1].set)
		known--;
	for (; known < s->count; known++)
		s->frames[known].set = sets_with(&r->open, s->frames[known - 1].set - 1, s->frames[known].routine) + 1;
	return top_of(s)->set - 1;
}

static bool same_origin(const void *array, size_t number, const void *what)
{
	const struct flow_routines_origin *a = (const struct flow_routines_origin *)array + number, *b = what;
	return a->routine == b->routine && a->groups == b->groups && a->states == b->states && a->set == b->set;
}

/* Where something comes from that the innermost routine creates: for that it has forked. */
static uint32_t origin_here(struct flow_routines *r, struct flow_routines_strand *s)
{
	const struct flow_routines_origin here = {innermost(s), groups_of(s), top_of(s)->states | FORKED, open_set(r, s)};
	uint64_t hash = hash_number(HASH_START, (uint64_t)here.routine << 32 | here.groups);
	hash = hash_number(hash, (uint64_t)here.states << 32 | here.set);
	size_t *place = lookup_at(&r->by_origin, hash, same_origin, r->origins, &here);
	if (!*place) {
		MEMORY_GROW(r->origins, r->origin_count, r->origin_room);
		r->origins[r->origin_count++] = here;
		*place = r->origin_count;
	}
	return (uint32_t)(*place - 1);
}

static void fork_process(struct flow_routines *r, const struct flow_routines_strand *from, struct flow_routines_strand *s)
{
	s->is_forked = true;
	for (size_t i = 0; i < from->count; i++) {
		const struct frame *f = &from->frames[i];
		struct frame *mine = push(s, f->routine, f->groups, f->states);
		uint64_t serial = mine->serial;
		*mine = *f;
		mine->serial = serial;
		for (int k = 0; k < STATES; k++)
			mine->clocks[k] = 0;
		if (f->is_creator)
			inherit(r, s, f->set - 1, 1);
		else
			open_at(s, f->routine)->frames++;
	}
}

static void create(struct flow_routines *r, const struct flow_event *e, const struct flow_event_about *about)
{
	strand_of(r, e->object);
	struct flow_routines_strand *from = &r->strands[e->strand], *s = &r->strands[e->object];
	if (s->has_begun || s->count || s->has_origin || s == from || about->executes || about->spawns)
		return;
	if (about->forks) {
		fork_process(r, from, s);
		return;
	}
	s->origin = origin_here(r, from);
	s->has_origin = true;
	struct frame *f = top_of(from);
	if (f->is_creator)
		return;
	f->children++;
	f->has_created = true;
	f->states |= FORKED;
	s->creator = e->strand;
	s->creator_frame = from->count - 1;
	s->creator_serial = f->serial;
}

/* The process of an event that is about no lane is not told. */
static void begin(struct flow_routines *r, struct flow_routines_strand *s, const struct flow_event *e, const struct flow_event_about *about)
{
	static const struct flow_routines_origin nowhere = {.routine = RUN_OUTSIDE};
	s->has_begun = true;
	s->process = about->process;
	s->lane = about->lane;
	s->since = e->time;
	if (s->has_origin) {
		const struct flow_routines_origin from = r->origins[s->origin];
		push_creator(r, s, &from);
	} else if (!s->is_forked) {
		push_creator(r, s, &nowhere);
	}
	for (size_t i = 0; s->is_forked && i < s->count; i++) {
		struct frame *f = &s->frames[i];
		const struct flow_routines_arc arc = r->arcs[f->arc - 1];
		f->arc = arc_of(r, s, arc.caller, arc.callee, arc.states);
	}
	change_state(r, s, WORKS);
}

static void no_child(struct flow_routines *r, struct flow_routines_strand *s)
{
	struct flow_routines_strand *creator = s->creator_serial ? &r->strands[s->creator] : NULL;
	if (creator && s->creator_frame < creator->count && creator->frames[s->creator_frame].serial == s->creator_serial)
		creator->frames[s->creator_frame].children--;
	s->creator_serial = 0;
}

static void end(struct flow_routines *r, struct flow_routines_strand *s)
{
	unwind(r, s, 1);
	no_child(r, s);
	change_state(r, s, GONE);
}

static void forget(struct flow_routines_strand *s)
{
	free(s->open);
	s->open = NULL;
	s->open_count = 0;
}

/* With its process all that its threads did ends; what they still do counts. */
static void end_process(struct flow_routines *r, uint32_t process, uint64_t time)
{
	for (uint32_t i = 0; i < r->strand_count; i++)
		if (r->strands[i].state != GONE && r->strands[i].process == process) {
			charge(r, i, time);
			end(r, &r->strands[i]);
		}
}

static uint64_t lent_key(const struct flow_event *e, const struct flow_event_about *about)
{
	return (uint64_t)about->process << 32 | e->count;
}

static void lend(struct flow_routines *r, struct flow_routines_strand *s, uint64_t key)
{
	*map_at(&r->lent, key) = (void *)((uintptr_t)origin_here(r, s) + 1);
}

static void adopt(struct flow_routines *r, struct flow_routines_strand *s, const struct flow_event *e, const struct flow_event_about *about)
{
	const struct flow_routines_strand *made = e->object < r->strand_count ? &r->strands[e->object] : NULL;
	uintptr_t lent = (uintptr_t)map_find(&r->lent, lent_key(e, about));
	struct flow_routines_origin from = {.routine = RUN_OUTSIDE};
	if (lent)
		from = r->origins[lent - 1];
	else if (made && made->has_origin)
		from = r->origins[made->origin];
	push_creator(r, s, &from);
}

/* ---- events ---- */

static enum state state_behind(enum state before, const struct flow_event *e, const struct flow_event_about *about)
{
	switch (e->kind) {
	case FLOW_PAUSE: return about->wait == FLOW_WAIT_KERNEL ? IN_KERNEL : WAITS;
	case FLOW_OFF: return before == WORKS ? OFF : before;
	case FLOW_ON: return before == OFF ? WORKS : before;
	default: return WORKS;
	}
}

static void step(struct flow_routines *r, const struct flow_event *e, const struct flow_event_about *about, uint32_t routine)
{
	struct flow_routines_strand *s = &r->strands[e->strand];
	r->events++;
	if (e->kind == FLOW_ENTRY)
		enter(r, s, routine);
	else if (e->kind == FLOW_RETURN)
		leave(r, s);
	else if (e->kind == FLOW_UNWIND)
		unwind(r, s, e->object);
	else if (e->kind == FLOW_LEND)
		lend(r, s, lent_key(e, about));
	else if (e->kind == FLOW_ADOPT)
		adopt(r, s, e, about);
}

/* Threads that an activation created may have ended while it waited. */
static void settle(struct flow_routines_strand *s)
{
	struct frame *f = top_of(s);
	if (f->has_created)
		f->states = (f->states & ENTERED_CONCURRENT) | (f->children ? FORKED : 0);
}

static void go_on(struct flow_routines *r, struct flow_routines_strand *s, const struct flow_event *e, const struct flow_event_about *about)
{
	enum state before = s->state;
	change_state(r, s, state_behind(before, e, about));
	if (e->kind == FLOW_PAUSE)
		s->waits_at = s->count;
	if (before == WAITS && e->kind != FLOW_OFF && e->kind != FLOW_ON)
		settle(s);
	if (e->kind == FLOW_CREATE)
		create(r, e, about);
}

/* The kernel tells them of the thread, whatever program it runs by then. */
static bool is_switch(const struct flow_event *e, const struct flow_event_about *about)
{
	return e->kind == FLOW_OFF || e->kind == FLOW_ON || about->wait == FLOW_WAIT_KERNEL;
}

void flow_routines_event(struct flow_routines *r, const struct flow_event *e, const struct flow_event_about *about, uint32_t routine)
{
	struct flow_routines_strand *s = strand_of(r, e->strand);
	if (!s->has_begun)
		begin(r, s, e, about);
	charge(r, e->strand, e->time);
	if (!is_switch(e, about))
		process_of(r, s->process)->executes = about->executes ? e->time : 0;
	if (s->state == GONE) { /* the process has ended, and the thread goes on */
		s->since = e->time;
		change_state(r, s, WORKS);
	}
	if (e->kind >= FLOW_ENTRY) {
		step(r, e, about, routine);
		return;
	}
	if (e->kind != FLOW_END && e->kind != FLOW_EXIT)
		go_on(r, s, e, about);
	else if (s->state != GONE)
		end(r, s);
	s = &r->strands[e->strand];
	if (about->ends)
		end_process(r, s->process, e->time);
	else if (e->kind == FLOW_END)
		forget(s);
}

uint64_t *flow_routines_inside(struct flow_routines *r, uint32_t strand)
{
	return r->groups ? r->strands[strand].inside : NULL;
}

void flow_routines_end(struct flow_routines *r, uint64_t time)
{
	for (uint32_t i = 0; i < r->strand_count; i++)
		if (r->strands[i].state != GONE) {
			uint64_t executes = process_of(r, r->strands[i].process)->executes;
			charge(r, i, executes ? executes : time);
			end(r, &r->strands[i]);
		}
}
