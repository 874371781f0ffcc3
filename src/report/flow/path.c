/* SPDX-License-Identifier: MIT */
/* path.c: the critical path, stretch by stretch. */
#include "base/text.h"
#include "report/flow/view.h"

struct row {
	const struct flows *flows;
	const struct flows_stretch *stretch;
};

/* A task of OpenMP that depends on others. */
static bool needs_tasks(const struct row *r)
{
	uint32_t object = r->stretch->object;
	return object != FLOWS_NONE && r->flows->objects[object].what == RAW_FLOW_DEPENDENCE;
}

static const char *begins(const struct row *r)
{
	if (r->stretch->count != 1)
		return "(short ones)";
	switch (r->stretch->kind) {
	case FLOW_JOIN: return "joined a thread";
	case FLOW_ACQUIRE:
	case FLOW_SHARE: return needs_tasks(r) ? "tasks before it were done" : "got the lock";
	case FLOW_TAKE: return "got a token";
	case FLOW_HEAR: return "was signalled";
	case FLOW_PASS: return "all had arrived";
	case FLOW_ENTER: return "was let go on";
	case FLOW_FOLLOW: return "tasks were done";
	default: return "began";
	}
}

static void put_row(struct sheet *s, const struct row *r)
{
	const struct flows_stretch *t = r->stretch;
	COLUMN(s, NS, "at_ns", "at", (int64_t)t->at_ns, .meaning = "in the shortest run");
	COLUMN(s, NS, "duration_ns", "time", (int64_t)t->ns);
	COLUMN(s, ID, "thread", "thread", view_flow_thread(r->flows, t->thread));
	COLUMN(s, TEXT, "begins", "because it", r->flows ? begins(r) : "");
	COLUMN(s, NAME, "object", "object", view_flow_object(r->flows, t->object), .drop = 1);
	COLUMN(s, NAME, "from_routine", "from", view_flow_routine(s, r->flows, &t->from));
	COLUMN(s, TEXT, "from_file", NULL, t->from.file);
	COLUMN(s, ID, "from_line", NULL, view_flow_line(&t->from));
	COLUMN(s, NAME, "to_routine", "to", view_flow_routine(s, r->flows, &t->to));
	COLUMN(s, TEXT, "to_file", NULL, t->to.file);
	COLUMN(s, ID, "to_line", NULL, view_flow_line(&t->to));
	COLUMN(s, NS, "outside_ns", "outside", (int64_t)t->outside_ns, .drop = 3,
	       .meaning = "part of the time: waiting for something outside of the program");
	COLUMN(s, NS, "recorded_ns", "recorded at", (int64_t)t->recorded_ns, .drop = 4, .meaning = "when it began in the run as it was");
	COLUMN(s, COUNT, "count", NULL, (int64_t)t->count);
	COLUMN(s, TEXT, NULL, "ends at", view_flow_place(s, &t->to), .drop = 2);
}

static void fill(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct flow_data *mine = data;
	const struct flows *f = &mine->flows;
	put_row(s, &(struct row){f, &(struct flows_stretch){.from = {0, "", 0}, .to = {0, "", 0}, .object = FLOWS_NONE}});
	for (size_t i = 0; i < f->path_count; i++) {
		const struct flows_stretch *t = &f->path[i];
		if (mine->thread >= 0 && t->thread != (uint32_t)mine->thread)
			continue;
		if (ask->routine && !view_wants(ask->routine, &f->run->routines[t->from.routine]) &&
		    !view_wants(ask->routine, &f->run->routines[t->to.routine]))
			continue;
		sheet_row(s, 0);
		put_row(s, &(struct row){f, t});
	}
	if (f->path_all > f->path_count)
		s->legend = pool_print(&s->pool, "The critical path has %s stretches; short ones are summed up, or left out.",
		                       text_count(&s->pool, (int64_t)f->path_all));
}

const struct view view_flow_path = {
	.name = "critical-path",
	.check = view_flow_check_times,
	.help = "what the run could not do without, in the order of time",
	.top = 40,
	.fill = fill,
};
