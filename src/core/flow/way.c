/* SPDX-License-Identifier: MIT */
#include "core/flow/way.h"

static void drop(struct flow *f, struct flow_way *way)
{
	while (way && --way->references == 0) {
		struct flow_way *before = way->before;
		f->memory.give(f->memory.context, way, sizeof *way);
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
	*way = (struct flow_way){.at = s->at[0],
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
