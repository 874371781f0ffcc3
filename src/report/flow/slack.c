/* SPDX-License-Identifier: MIT */
/* slack.c: by how much work could be longer without making the run longer. */
#include "base/text.h"
#include "report/flow/view.h"

/* Both do not fit a terminal. */
static const char *short_place(struct sheet *s, const struct flows *f, const struct flows_where *where)
{
	const char *place = view_flow_place(s, where);
	return *place ? place : view_flow_routine(s, f, where);
}

static void put_row(struct sheet *s, const struct flows *f, const struct flows_slack *r)
{
	COLUMN(s, ID, "thread", "thread", view_flow_thread(f, r->thread));
	COLUMN(s, NS, "work_ns", "work", (int64_t)r->work_ns);
	COLUMN(s, NS, "critical_ns", "critical", (int64_t)r->critical_ns, .meaning = "part of work: has no slack");
	COLUMN(s, NS, "least_ns", "slack", r->least_ns,
	       .meaning =
	               "the least; by so much one of these stretches of work could be longer, and the run would be as long. Empty: by anything");
	COLUMN(s, NS, "average_ns", "average", r->average_ns, .meaning = "slack on average: a stretch counts for as much as it takes");
	COLUMN(s, COUNT, "count", "count", (int64_t)r->count, .drop = 1);
	COLUMN(s, NAME, "from_routine", NULL, view_flow_routine(s, f, &r->from));
	COLUMN(s, TEXT, "from_file", NULL, r->from.file);
	COLUMN(s, ID, "from_line", NULL, view_flow_line(&r->from));
	COLUMN(s, TEXT, NULL, "from", short_place(s, f, &r->from));
	COLUMN(s, NAME, "to_routine", NULL, view_flow_routine(s, f, &r->to));
	COLUMN(s, TEXT, "to_file", NULL, r->to.file);
	COLUMN(s, ID, "to_line", NULL, view_flow_line(&r->to));
	COLUMN(s, TEXT, NULL, "to", short_place(s, f, &r->to));
}

static void fill(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct flow_data *mine = data;
	const struct flows *f = &mine->flows;
	put_row(s, f, &(struct flows_slack){.from = {0, "", 0}, .to = {0, "", 0}});
	for (size_t i = 0; i < f->slack_count; i++) {
		const struct flows_slack *r = &f->slack[i];
		if (mine->thread >= 0 && r->thread != (uint32_t)mine->thread)
			continue;
		if (ask->routine && !view_wants(ask->routine, &f->run->routines[r->from.routine]) &&
		    !view_wants(ask->routine, &f->run->routines[r->to.routine]))
			continue;
		sheet_row(s, 0);
		put_row(s, f, r);
	}
}

const struct view view_flow_slack = {
	.name = "slack",
	.check = view_flow_check_times,
	.help = "which work could be longer without making the run longer",
	.top = 20,
	.fill = fill,
};
