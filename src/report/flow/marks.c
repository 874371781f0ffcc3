/* SPDX-License-Identifier: MIT */
/* marks.c: what the program said itself. */
#include "report/flow/view.h"

struct mark_row {
	const struct flows *flows;
	const struct flows_mark *mark;
};

static int64_t of_parts(const struct mark_row *r, uint64_t ns)
{
	return r->mark->kind == FLOWS_PART ? view_flow_ns(r->flows, ns) : RUN_UNKNOWN;
}

/* A value may be any number. */
static struct cell of_values(const struct flows_mark *m, int64_t value)
{
	return m->kind == FLOWS_VALUE ? (struct cell){.kind = CELL_NUMBER, .number = value} : (struct cell){.kind = CELL_EMPTY};
}

static void put_mark(struct sheet *s, const struct mark_row *r)
{
	const struct flows_mark *m = r->mark;
	COLUMN(s, NAME, "name", "name", view_flow_routine(s, r->flows, &m->name));
	COLUMN(s, TEXT, "kind", "kind", flows_mark_kinds[m->kind]);
	COLUMN(s, TEXT, "file", NULL, m->name.file);
	COLUMN(s, ID, "line", NULL, view_flow_line(&m->name));
	COLUMN(s, ID, "thread", "thread", view_flow_thread(r->flows, m->thread));
	COLUMN(s, COUNT, "count", "count", (int64_t)m->count);
	COLUMN(s, NS, "time_ns", "time", of_parts(r, m->ns), .meaning = "from their beginnings to their ends");
	COLUMN(s, NS, "longest_ns", "longest", of_parts(r, m->longest_ns), .drop = 2);
	COLUMN(s, NS, "work_ns", "work", of_parts(r, m->work_ns), .meaning = "of the thread, meanwhile: so are the following");
	COLUMN(s, NS, "load_ns", "no core", of_parts(r, m->load_ns), .drop = 1);
	COLUMN(s, NS, "waited_ns", "waited", of_parts(r, m->waited_ns));
	COLUMN(s, NS, "outside_ns", "outside", of_parts(r, m->outside_ns), .drop = 3);
	COLUMN(s, FIGURE, "least", "least", of_values(m, m->least), .drop = 4, .meaning = "of values");
	COLUMN(s, FIGURE, "most", "most", of_values(m, m->most), .drop = 4);
	COLUMN(s, FIGURE, "last", "last", of_values(m, m->last), .drop = 5);
	COLUMN(s, TEXT, NULL, "where", view_flow_place(s, &m->name), .drop = 6);
}

static int check_marks(const void *data, const struct view_ask *ask, struct fail *why)
{
	(void)ask;
	if (((const struct flow_data *)data)->flows.mark_count)
		return 0;
	return fail_set(why, FAIL_USAGE,
	                "this recording has no marks: skein_begin, skein_message and skein_value of skein/skein.h make them");
}

static void fill_marks(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct flow_data *mine = data;
	const struct flows *f = &mine->flows;
	put_mark(s, &(struct mark_row){f, &(struct flows_mark){.name = {0, "", 0}}});
	for (size_t i = 0; i < f->mark_count; i++) {
		const struct flows_mark *m = &f->marks[i];
		if ((mine->thread >= 0 && m->thread != (uint32_t)mine->thread) ||
		    (ask->routine && !view_wants(ask->routine, &f->run->routines[m->name.routine])))
			continue;
		sheet_row(s, 0);
		put_mark(s, &(struct mark_row){f, m});
	}
}

const struct view view_flow_marks = {
	.name = "marks",
	.help = "parts, messages and values that the program itself marked",
	.sort = "time_ns",
	.sort_else = "count",
	.top = 40,
	.check = check_marks,
	.fill = fill_marks,
};
