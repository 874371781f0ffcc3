/* SPDX-License-Identifier: MIT */
/* routines.c: a stack of frames for each strand, as the lane of the `calls` lens has it while the program runs (core/calls).
 *
 * Problem: counts and arcs must equal those of `calls`, and a routine's time must leave out waits and time without a core, which begin
 * and end at events that have nothing to do with routines.
 * Idea: each strand has three clocks, one for each of its states. At each event the time since the last one goes to the clock of the
 * state and, if the strand worked, to the innermost routine. A frame remembers the clocks at its entry; the difference at its end is what
 * its activation took. The first frame of a strand stands for its creator, as does one that it adopts: calls have the right
 * caller, and no time is charged there. A forked process goes on in the frames of its parent.
 * The critical path is a list of stretches of single strands, which follow each other in the recorded time, too; each begins and ends with
 * an event of its strand, so a piece of time is inside of one or outside.
 * Cost: constant for each event. */
#include "analyse/flow/routines.h"

#include <stdlib.h>
#include "analyse/run.h"
#include "base/hash.h"
#include "base/memory.h"

enum state { WORKS, WAITS, OFF, GONE, STATES = GONE };

struct frame {
	uint32_t routine;
	uint32_t groups;   /* in which it is, or a frame below it */
	bool is_outermost; /* no activation of that routine is below it */
	size_t arc;        /* + 1; 0: it stands for a creator */
	uint64_t clocks[STATES];
};

struct flow_routines_strand {
	struct frame *frames;
	size_t count, room;
	uint32_t *active; /* by routine: frames that are no creators */
	size_t active_count;
	enum state state;
	uint64_t since;
	uint64_t clocks[STATES];
	uint64_t inside[FLOW_ROUTINES_GROUPS];
	uint32_t process; /* of its creator */
	bool has_begun, is_forked;
};

void flow_routines_start(struct flow_routines *r)
{
	*r = (struct flow_routines){0};
}

void flow_routines_free(struct flow_routines *r)
{
	for (size_t i = 0; i < r->strand_count; i++) {
		free(r->strands[i].frames);
		free(r->strands[i].active);
	}
	free(r->strands);
	free(r->rows);
	free(r->arcs);
	free(r->stretches);
	lookup_free(&r->by_arc);
	map_free(&r->lent);
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

/* ---- strands ---- */

static void push(struct flow_routines_strand *s, uint32_t routine, uint32_t groups, size_t arc)
{
	MEMORY_GROW(s->frames, s->count, s->room);
	struct frame *f = &s->frames[s->count++];
	*f = (struct frame){.routine = routine, .groups = groups, .arc = arc};
	for (int i = 0; i < STATES; i++)
		f->clocks[i] = s->clocks[i];
}

/* With the frame that stands for its creator, who is not known yet. */
static struct flow_routines_strand *strand_of(struct flow_routines *r, uint32_t number)
{
	while (number >= r->strand_count) {
		MEMORY_GROW(r->strands, r->strand_count, r->strand_room);
		r->strands[r->strand_count++] = (struct flow_routines_strand){.state = GONE};
	}
	return &r->strands[number];
}

static uint32_t innermost(const struct flow_routines_strand *s)
{
	return s->count ? s->frames[s->count - 1].routine : RUN_OUTSIDE;
}

static uint32_t groups_of(const struct flow_routines_strand *s)
{
	return s->count ? s->frames[s->count - 1].groups : 0;
}

static uint32_t *active_at(struct flow_routines_strand *s, uint32_t routine)
{
	if (routine >= s->active_count) {
		size_t more = routine + 16;
		s->active = memory_resize(s->active, more, sizeof *s->active);
		for (size_t i = s->active_count; i < more; i++)
			s->active[i] = 0;
		s->active_count = more;
	}
	return &s->active[routine];
}

static bool is_critical(struct flow_routines *r, uint32_t strand, uint64_t from, uint64_t to)
{
	while (r->stretch_at < r->stretch_count && r->stretches[r->stretch_at].to < to)
		r->stretch_at++;
	if (r->stretch_at == r->stretch_count)
		return false;
	return r->stretches[r->stretch_at].strand == strand && r->stretches[r->stretch_at].from <= from;
}

/* The time until now, in the state that ends now or goes on. */
static void charge(struct flow_routines *r, uint32_t number, uint64_t time)
{
	struct flow_routines_strand *s = &r->strands[number];
	uint64_t ticks = time > s->since ? time - s->since : 0;
	bool critical = is_critical(r, number, s->since, time);
	if (s->state == GONE)
		return;
	s->clocks[s->state] += ticks;
	for (uint32_t left = s->state == WORKS ? groups_of(s) : 0; left; left &= left - 1)
		s->inside[__builtin_ctz(left)] += ticks;
	if (s->state == WORKS && s->count && s->frames[s->count - 1].arc) {
		struct flow_routines_row *row = row_of(r, innermost(s));
		row->self += ticks;
		row->critical += critical ? ticks : 0;
	}
	s->since = time > s->since ? time : s->since;
}

/* ---- frames ---- */

static bool same_arc(const void *array, size_t number, const void *what)
{
	const struct flow_routines_arc *a = (const struct flow_routines_arc *)array + number, *b = what;
	return a->caller == b->caller && a->callee == b->callee;
}

static size_t arc_of(struct flow_routines *r, uint32_t caller, uint32_t callee)
{
	struct flow_routines_row *row = row_of(r, callee);
	if (row->last_arc && r->arcs[row->last_arc - 1].caller == caller)
		return row->last_arc;
	struct flow_routines_arc key = {.caller = caller, .callee = callee};
	size_t *place = lookup_at(&r->by_arc, hash_number(HASH_START, (uint64_t)caller << 32 | callee), same_arc, r->arcs, &key);
	if (!*place) {
		MEMORY_GROW(r->arcs, r->arc_count, r->arc_room);
		r->arcs[r->arc_count++] = key;
		*place = r->arc_count;
	}
	row->last_arc = *place;
	return *place;
}

static void enter(struct flow_routines *r, struct flow_routines_strand *s, uint32_t routine)
{
	size_t arc = arc_of(r, innermost(s), routine);
	r->arcs[arc - 1].calls++;
	row_of(r, routine)->calls++;
	push(s, routine, groups_of(s) | (routine < r->group_count ? r->groups[routine] : 0), arc);
	s->frames[s->count - 1].is_outermost = (*active_at(s, routine))++ == 0;
}

/* The first one stays. */
static void leave(struct flow_routines *r, struct flow_routines_strand *s)
{
	if (s->count < 2)
		return;
	const struct frame *f = &s->frames[--s->count];
	if (!f->arc)
		return;
	uint64_t took[STATES];
	for (int i = 0; i < STATES; i++)
		took[i] = s->clocks[i] - f->clocks[i];
	r->arcs[f->arc - 1].total += took[WORKS];
	(*active_at(s, f->routine))--;
	if (!f->is_outermost)
		return;
	struct flow_routines_row *row = row_of(r, f->routine);
	row->total += took[WORKS];
	row->wait += took[WAITS];
	row->off += took[OFF];
}

static void unwind(struct flow_routines *r, struct flow_routines_strand *s, size_t keep)
{
	while (s->count > keep && s->count > 1)
		leave(r, s);
}

/* ---- events ---- */

/* What a process takes over at a fork; who creates a thread or a task stands at its bottom. */
static void create(struct flow_routines *r, const struct flow_event *e, const struct flow_event_about *about)
{
	strand_of(r, e->object);
	const struct flow_routines_strand *from = &r->strands[e->strand];
	struct flow_routines_strand *s = &r->strands[e->object];
	if (s->has_begun || s->count)
		return;
	s->process = about->process;
	s->is_forked = about->forks;
	for (size_t i = 0; about->forks && i < from->count; i++) {
		push(s, from->frames[i].routine, from->frames[i].groups, from->frames[i].arc);
		s->frames[i].is_outermost = from->frames[i].is_outermost;
		if (from->frames[i].arc)
			++*active_at(s, from->frames[i].routine);
	}
	if (!about->forks)
		push(s, innermost(from), groups_of(from), 0);
}

/* The program that a process becomes has no caller. */
static void begin(struct flow_routines_strand *s, const struct flow_event *e, const struct flow_event_about *about)
{
	s->has_begun = true;
	s->state = WORKS;
	s->since = e->time;
	if (!s->count)
		push(s, RUN_OUTSIDE, 0, 0);
	else if (!s->is_forked && s->process != about->process)
		s->frames[0].routine = RUN_OUTSIDE;
}

static void end(struct flow_routines *r, struct flow_routines_strand *s)
{
	unwind(r, s, 1);
	free(s->active);
	s->active = NULL;
	s->active_count = 0;
	s->state = GONE;
}

static enum state state_behind(enum state before, enum flow_kind kind)
{
	switch (kind) {
	case FLOW_PAUSE: return WAITS;
	case FLOW_OFF: return before == WORKS ? OFF : before;
	case FLOW_ON: return before == OFF ? WORKS : before;
	default: return WORKS;
	}
}

static uint64_t lent_key(const struct flow_event *e, const struct flow_event_about *about)
{
	return (uint64_t)about->process << 32 | e->count;
}

/* Groups are fewer than 31 bits. */
static void lend(struct flow_routines *r, const struct flow_routines_strand *s, uint64_t key)
{
	_Static_assert(FLOW_ROUTINES_GROUPS < 31, "a frame fits a pointer");
	*map_at(&r->lent, key) = (void *)(uintptr_t)(((uint64_t)groups_of(s) << 33) | ((uint64_t)innermost(s) + 1));
}

static void adopt(struct flow_routines *r, const struct flow_event *e, const struct flow_event_about *about)
{
	const struct flow_routines_strand *made = e->object < r->strand_count ? &r->strands[e->object] : NULL;
	uint64_t lent = (uint64_t)(uintptr_t)map_find(&r->lent, lent_key(e, about));
	if (lent)
		push(&r->strands[e->strand], (uint32_t)((lent & ((UINT64_C(1) << 33) - 1)) - 1), (uint32_t)(lent >> 33), 0);
	else if (made && made->count)
		push(&r->strands[e->strand], made->frames[0].routine, made->frames[0].groups, 0);
	else
		push(&r->strands[e->strand], RUN_OUTSIDE, 0, 0);
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
		adopt(r, e, about);
}

void flow_routines_event(struct flow_routines *r, const struct flow_event *e, const struct flow_event_about *about, uint32_t routine)
{
	struct flow_routines_strand *s = strand_of(r, e->strand);
	if (!s->has_begun)
		begin(s, e, about);
	charge(r, e->strand, e->time);
	if (e->kind >= FLOW_ENTRY) {
		step(r, e, about, routine);
		return;
	}
	if (e->kind == FLOW_END || e->kind == FLOW_EXIT) {
		end(r, s);
		return;
	}
	s->state = state_behind(s->state, e->kind);
	if (e->kind == FLOW_CREATE)
		create(r, e, about);
}

uint64_t *flow_routines_inside(struct flow_routines *r, uint32_t strand)
{
	return r->groups ? r->strands[strand].inside : NULL;
}

void flow_routines_end(struct flow_routines *r, uint64_t time)
{
	for (uint32_t i = 0; i < r->strand_count; i++)
		if (r->strands[i].state != GONE) {
			charge(r, i, time);
			end(r, &r->strands[i]);
		}
}
