/* SPDX-License-Identifier: MIT */
/* waits.c: what threads waited for, and who ended that; the objects that they waited for. */
#include "base/text.h"
#include "report/flow/view.h"

/* ---- waits ---- */

struct wait_row {
	const struct flows *flows;
	const struct flows_wait *wait;
};

/* "thread 2: table_add (logs.c:149)" */
static const char *waited_for(struct sheet *s, const struct flows *f, const struct flows_wait *w)
{
	const char *routine = view_flow_routine(s, f, &w->for_where), *place = view_flow_place(s, &w->for_where);
	if (w->for_thread == FLOWS_NONE)
		return "";
	const char *thread = w->for_thread < f->run->thread_count ? pool_print(&s->pool, "thread %u", w->for_thread) : "a thread";
	return *routine ? pool_print(&s->pool, "%s: %s%s%s%s", thread, routine, *place ? " (" : "", place, *place ? ")" : "") : thread;
}

static void put_wait(struct sheet *s, const struct wait_row *r)
{
	const struct flows_wait *w = r->wait;
	COLUMN(s, ID, "thread", "thread", view_flow_thread(r->flows, w->thread));
	COLUMN(s, NAME, "routine", "routine", view_flow_routine(s, r->flows, &w->where));
	COLUMN(s, TEXT, "file", NULL, w->where.file);
	COLUMN(s, ID, "line", NULL, view_flow_line(&w->where));
	COLUMN(s, TEXT, NULL, "where", view_flow_place(s, &w->where), .drop = 3);
	COLUMN(s, TEXT, "kind", "kind", flows_wait_name(w->kind));
	COLUMN(s, NAME, "object", "object", view_flow_object(r->flows, w->object), .drop = 1);
	COLUMN(s, NAME, "waited_for", "until", waited_for(s, r->flows, w), .drop = 2, .meaning = "who ended the wait, and by which call");
	COLUMN(s, TEXT, "outcome", "outcome", flows_outcomes[w->outcome], .drop = 5);
	COLUMN(s, COUNT, "count", "count", (int64_t)w->count);
	COLUMN(s, NS, "waited_ns", "waited", view_flow_ns(r->flows, w->waited_ns));
	COLUMN(s, NS, "longest_ns", "longest", view_flow_ns(r->flows, w->longest_ns), .drop = 6);
	COLUMN(s, LIST, "callers", "called by", w->callers, .drop = 7);
	COLUMN(s, NS, "late_ns", "late", view_flow_ns(r->flows, w->late_ns), .drop = 4,
	       .meaning = "part of the waiting: from the call that ended the wait until the thread went on");
}

static void fill_waits(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct flow_data *mine = data;
	const struct flows *f = &mine->flows;
	put_wait(s,
	         &(struct wait_row){f,
	                            &(struct flows_wait){.callers = "",
	                                                 .where = {0, "", 0},
	                                                 .for_where = {0, "", 0},
	                                                 .object = FLOWS_NONE,
	                                                 .for_thread = FLOWS_NONE}});
	for (size_t i = 0; i < f->wait_count; i++) {
		const struct flows_wait *w = &f->waits[i];
		if (mine->thread >= 0 && w->thread != (uint32_t)mine->thread)
			continue;
		if (ask->routine && !view_wants(ask->routine, &f->run->routines[w->where.routine]) &&
		    !view_wants(ask->routine, &f->run->routines[w->for_where.routine]))
			continue;
		sheet_row(s, 0);
		sheet_about(s, w->where.routine);
		put_wait(s, &(struct wait_row){f, w});
	}
}

const struct view view_flow_waits = {
	.name = "waits",
	.help = "who waited for whom, on what and where",
	.sort = "waited_ns",
	.sort_else = "count",
	.top = 20,
	.fill = fill_waits,
	.draw = view_flow_draw_waits,
};

/* ---- objects ---- */

struct object_row {
	const struct flows *flows;
	const struct flows_object *object;
};

static void put_object(struct sheet *s, const struct object_row *r)
{
	const struct flows_object *o = r->object;
	COLUMN(s, NAME, "object", "object", o->name);
	COLUMN(s, TEXT, "kind", "kind", flows_object_kinds[o->what]);
	COLUMN(s, TEXT, "file", NULL, o->first.file);
	COLUMN(s, ID, "line", NULL, view_flow_line(&o->first));
	COLUMN(s, COUNT, "acquisitions", "taken", (int64_t)o->acquired,
	       .meaning = "how often; of a condition and a barrier, how often threads went on");
	COLUMN(s, COUNT, "contended", "contended", (int64_t)o->contended, .drop = 3);
	COLUMN(s, NS, "waited_ns", "waited", view_flow_ns(r->flows, o->waited_ns), .meaning = "sum over threads");
	COLUMN(s, NS, "held_ns", "held", view_flow_ns(r->flows, o->held_ns), .drop = 2);
	COLUMN(s, COUNT, "longest_queue", "queue", o->longest_queue, .drop = 4, .meaning = "the most threads that waited at once");
	COLUMN(s, NAME, "holder", "holder", view_flow_routine(s, r->flows, &o->holder),
	       .meaning = "had it while most of the time others waited");
	COLUMN(s, ID, "holder_line", NULL, *o->holder.file ? (int64_t)o->holder.line : RUN_UNKNOWN);
	COLUMN(s, NS, "minimum_if_free_ns", NULL, o->free_ns);
	COLUMN(s, NS, "idle_if_free_ns", "run if free", o->free_idle_ns,
	       .meaning = "what an idle machine would take if no thread ever waited for it");
	COLUMN(s, TEXT, "holder_file", NULL, o->holder.file);
	COLUMN(s, NS, "holder_ns", NULL, view_flow_ns(r->flows, o->holder_ns));
	COLUMN(s, COUNT, "members", "objects", (int64_t)o->members, .drop = 5, .meaning = "objects of that name");
	COLUMN(s, NAME, "routine", NULL, view_flow_routine(s, r->flows, &o->first));
	COLUMN(s, COUNT, "refused", "refused", (int64_t)o->refused, .drop = 6, .meaning = "tries that failed");
	COLUMN(s, TEXT, NULL, "first used", view_flow_place(s, &o->first), .drop = 1);
}

static void fill_objects(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct flows *f = &((const struct flow_data *)data)->flows;
	put_object(s, &(struct object_row){f, &(struct flows_object){.name = "", .first = {0, "", 0}, .holder = {0, "", 0}}});
	for (size_t i = 0; i < f->object_count; i++) {
		const struct flows_object *o = &f->objects[i];
		if (ask->routine && !view_wants(ask->routine, &f->run->routines[o->first.routine]) &&
		    !view_wants(ask->routine, &f->run->routines[o->holder.routine]))
			continue;
		sheet_row(s, 0);
		put_object(s, &(struct object_row){f, o});
	}
}

const struct view view_flow_objects = {
	.name = "objects",
	.help = "locks and the like: waiting, holders, the run without",
	.sort = "waited_ns",
	.sort_else = "contended",
	.top = 20,
	.fill = fill_objects,
};
