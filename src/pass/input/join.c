/* SPDX-License-Identifier: MIT */
/* join.c: accesses of a stretch of code that one hook can stand for.
 *
 * A stretch is part of a block without calls and synchronisation, so the thread's stack and what it knows of others
 * stay as they are. Then
 *  - an access to bytes that were accessed before needs no hook, unless it is a write and they were only read;
 *  - a write of all that a hook has read can be told together with the read: what others read in between they know already;
 *  - neighbours of the same kind, at constant distances from one pointer, become one access of twice the size, at the
 *  place of the first of them. A read must not come before a
 *    write that may be to the same place, nor a write before such a read: unless both are known to be apart, there is no joining.
 * Joined are whole cells that make one, two, four or eight, for which there are hooks. */
#include "pass/input/input.h"

enum { CELLS_MAX = 8 };

void input_stretch_end(struct input_stretch *stretch, struct input_spots *spots)
{
	for (unsigned i = 0; i < stretch->count; i++) {
		struct input_event *read = &stretch->at[i];
		bool whole = read->exact && read->bytes <= 64 && read->written == (read->bytes == 64 ? ~0ull : (1ull << read->bytes) - 1);
		if (read->what != INPUT_READ || !whole)
			continue;
		read->what = INPUT_MODIFY;
		for (unsigned k = 0; k < stretch->count; k++) {
			struct input_event *w = &stretch->at[k];
			w->gone |= w->what == INPUT_WRITE && w->base == read->base && w->offset >= read->offset &&
				w->offset + w->bytes <= read->offset + read->bytes;
		}
	}
	for (unsigned i = 0; i < stretch->count; i++) {
		const struct input_event *e = &stretch->at[i];
		if (!e->gone)
			input_spot_add(spots,
			               (struct input_spot){.at = e->at,
			                                   .what = e->what,
			                                   .pointer = e->base,
			                                   .offset = e->offset,
			                                   .bytes = (unsigned)e->bytes,
			                                   .alignment = e->alignment,
			                                   .exact = e->exact});
	}
	*stretch = (struct input_stretch){0};
}

static bool overlap(const struct input_event *a, const struct input_event *b)
{
	return a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

/* Whether something that was accessed since `first` may be part of e, and by the other kind of access. */
static bool is_in_between(const struct input_stretch *stretch, const struct input_event *first, const struct input_event *e)
{
	if (stretch->ranges_at > first->order)
		return true;
	for (unsigned i = 0; i < stretch->logged; i++) {
		const struct input_event *between = &stretch->log[i];
		if (between->order > first->order && between->order < e->order && between->what != e->what &&
		    (between->base != e->base || overlap(between, e)))
			return true;
	}
	return false;
}

static bool may_join(const struct input_pass *s, const struct input_stretch *stretch, const struct input_event *a,
                     const struct input_event *b)
{
	const struct input_event *first = a->order < b->order ? a : b, *second = first == a ? b : a;
	long long cell = 1ll << s->cell_log2;
	unsigned alignment = a->offset < b->offset ? a->alignment : b->alignment;
	return a->base == b->base && a->what == b->what && a->exact && b->exact && !a->gone && !b->gone && a->bytes == b->bytes &&
		a->bytes >= cell && 2 * a->bytes <= CELLS_MAX * cell &&
		(a->offset + a->bytes == b->offset || b->offset + b->bytes == a->offset) && alignment >= cell &&
		!is_in_between(stretch, first, second);
}

/* e has been added or has grown: it may go together with another one, and that with yet another. */
static void join(const struct input_pass *s, struct input_stretch *stretch, struct input_event *e)
{
	for (unsigned i = 0; i < stretch->count; i++) {
		struct input_event *other = &stretch->at[i];
		if (other == e || !may_join(s, stretch, other, e))
			continue;
		struct input_event *first = other->order < e->order ? other : e, *second = first == other ? e : other;
		bool second_is_below = second->offset < first->offset;
		first->written = second_is_below ? first->written << second->bytes | second->written
						 : second->written << first->bytes | first->written;
		if (second_is_below) {
			first->offset = second->offset;
			first->alignment = second->alignment;
		}
		first->bytes *= 2;
		second->gone = true;
		join(s, stretch, first);
		return;
	}
}

static bool covers(const struct input_event *by, const struct input_event *e)
{
	return !by->gone && by->base == e->base && by->offset <= e->offset && e->offset + e->bytes <= by->offset + by->bytes;
}

/* Whether what was accessed before says what this would. */
static bool is_said(struct input_stretch *stretch, const struct input_event *e)
{
	for (unsigned i = 0; i < stretch->count; i++) {
		struct input_event *before = &stretch->at[i];
		if (!covers(before, e))
			continue;
		if (e->what == INPUT_READ || before->what == INPUT_WRITE)
			return true;
		if (before->bytes <= 64)
			before->written |= (e->bytes == 64 ? ~0ull : (1ull << e->bytes) - 1) << (e->offset - before->offset);
	}
	return false;
}

void input_stretch_add(const struct input_pass *s, struct input_stretch *stretch, struct input_event e, struct input_spots *spots)
{
	if (stretch->count == INPUT_STRETCH || stretch->logged == INPUT_STRETCH)
		input_stretch_end(stretch, spots);
	e.order = ++stretch->order;
	stretch->log[stretch->logged++] = e;
	if (is_said(stretch, &e))
		return;
	stretch->at[stretch->count++] = e;
	join(s, stretch, &stretch->at[stretch->count - 1]);
}

void input_stretch_range(struct input_stretch *stretch)
{
	stretch->ranges_at = ++stretch->order;
}
