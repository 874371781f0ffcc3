/* SPDX-License-Identifier: MIT */
#include "core/flow/way.h"

enum { MOST_BUNDLES = 64 };

static void give_bundles(struct flow *f, struct flow_bundle *bundle)
{
	while (bundle) {
		struct flow_bundle *next = bundle->next;
		f->memory.give(f->memory.context, bundle, sizeof *bundle);
		bundle = next;
	}
}

static void give_way(struct flow *f, struct flow_way *way)
{
	give_bundles(f, way->bundles);
	f->memory.give(f->memory.context, way, sizeof *way);
	f->ways--;
}

static void drop(struct flow *f, struct flow_way *way)
{
	while (way && --way->references == 0) {
		struct flow_way *before = way->before;
		give_way(f, way);
		way = before;
	}
}

void flow_way_hold(struct flow *f, struct flow_way **holder, struct flow_way *way)
{
	struct flow_way *old = *holder;
	if (way)
		way->references++;
	*holder = way;
	drop(f, old);
}

void flow_way_turn(struct flow *f, struct flow_strand *s, const struct flow_event *e, const struct flow_point *from)
{
	struct flow_way *way = f->memory.take(f->memory.context, sizeof *way);
	if (!way) {
		f->failed = true;
		return;
	}
	f->ways++;
	*way = (struct flow_way){.at = s->at[0],
	                         .ends = s->at[0],
	                         .time = e->time,
	                         .event = f->events,
	                         .sender = from ? from->event : FLOW_NONE,
	                         .sender_time = from ? from->time : 0,
	                         .mark = e->mark,
	                         .sender_mark = from ? from->mark : 0,
	                         .outside = s->outside,
	                         .sender_outside = from ? from->outside : 0,
	                         .strand = e->strand,
	                         .object = e->object,
	                         .kind = e->kind};
	flow_way_hold(f, &way->before, from ? from->way : NULL);
	flow_way_hold(f, &s->way, way);
}

/* ---- thinning ---- */

/* The strand's bundle, or that of all others where a way has too many; NULL: no memory. */
static struct flow_bundle *bundle_of(struct flow *f, struct flow_way *way, uint32_t strand)
{
	struct flow_bundle **at = &way->bundles, *others = NULL;
	uint32_t count = 0;
	for (; *at && (*at)->strand != strand; at = &(*at)->next, count++)
		others = (*at)->strand == UINT32_MAX ? *at : others;
	if (*at)
		return *at;
	if (count >= MOST_BUNDLES && others)
		return others;
	*at = f->memory.take(f->memory.context, sizeof **at);
	if (*at)
		**at = (struct flow_bundle){.strand = count >= MOST_BUNDLES ? UINT32_MAX : strand};
	return *at;
}

static void add(struct flow *f, struct flow_way *way, const struct flow_bundle *more)
{
	struct flow_bundle *mine = bundle_of(f, way, more->strand);
	if (!mine) {
		f->failed = true;
		return;
	}
	mine->ticks += more->ticks;
	mine->outside += more->outside;
	mine->count += more->count;
}

/* The stretch before it, which no other one follows, becomes a part of its bundles. */
static void swallow(struct flow *f, struct flow_way *way)
{
	struct flow_way *b = way->before;
	uint64_t outside = way->sender_outside > b->outside ? way->sender_outside - b->outside : 0;
	add(f, way, &(struct flow_bundle){.ticks = way->ends - b->at, .outside = outside, .count = 1, .strand = b->strand});
	for (const struct flow_bundle *more = b->bundles; more; more = more->next)
		add(f, way, more);
	way->ends = b->ends;
	way->sender_mark = b->sender_mark;
	way->sender_outside = b->sender_outside;
	way->sender_time = b->sender_time;
	way->before = b->before; /* with the reference to it */
	give_way(f, b);
}

void flow_way_thin(struct flow *f, struct flow_way *way, uint64_t least, uint64_t turn)
{
	while (way && way->turn != turn) {
		struct flow_way *b = way->before;
		if (b && b->before && b->references == 1 && way->ends - b->at < least) {
			swallow(f, way);
		} else {
			way->turn = turn;
			way = b;
		}
	}
}
