/* SPDX-License-Identifier: MIT */
/* what_ifs.c: what it would bring to free an object, or to make a routine twice as fast: the ones that promise most, and what was asked
 * for. */
#include <math.h>
#include <stdlib.h>

#include "analyse/flow/what_if.h"
#include "report/flow/view.h"

enum { MOST_ROUTINES = 10 };
#define TWICE_AS_FAST 0.5

struct row {
	const struct flows *flows;
	const char *what, *name;
	double factor; /* of objects: not a number */
	int64_t ns;
};

static void put_row(struct sheet *s, const struct row *r)
{
	int64_t idle = (int64_t)r->flows->idle_ns;
	COLUMN(s, TEXT, "what", "what", r->what);
	COLUMN(s, NAME, "name", "name", r->name);
	COLUMN(s, RATIO, "factor", "factor", r->factor,
	       .meaning = "what the routine and its callees take then, in parts of what they took");
	COLUMN(s, NS, "run_ns", "run", r->ns,
	       .meaning = "what an idle machine would take without waiting for the object, or with the faster routine");
	COLUMN(s, NS, "saves_ns", "saves", r->ns < idle ? idle - r->ns : 0);
	COLUMN(s, PERCENT, "saves_pct", "saves%", idle ? 100 * (double)(r->ns < idle ? idle - r->ns : 0) / (double)idle : 0);
}

static void add(struct sheet *s, const struct row *r)
{
	sheet_row(s, 0);
	put_row(s, r);
}

static void add_objects(struct sheet *s, const struct flows *f)
{
	for (size_t i = 0; i < f->object_count; i++)
		if (f->objects[i].free_idle_ns != RUN_UNKNOWN)
			add(s,
			    &(struct row){f, flows_object_kinds[f->objects[i].what], f->objects[i].name, NAN, f->objects[i].free_idle_ns});
}

static int critical_order(const void *a, const void *b)
{
	const struct flows_routine *const *x = a, *const *y = b;
	if ((*x)->critical_ns != (*y)->critical_ns)
		return (*x)->critical_ns > (*y)->critical_ns ? -1 : 1;
	return (*x)->self_ns > (*y)->self_ns ? -1 : (*x)->self_ns < (*y)->self_ns;
}

/* Routines with most of their own time on the critical path. */
static void add_routines(struct sheet *s, const struct flow_data *mine)
{
	const struct flows *f = &mine->flows;
	const struct flows_routine **all = memory_zeroed(f->routine_count + 1, sizeof *all);
	uint32_t chosen[MOST_ROUTINES];
	uint64_t ns[MOST_ROUTINES];
	size_t count = 0;
	for (size_t i = 0; i < f->routine_count; i++)
		all[i] = &f->routines[i];
	qsort(all, f->routine_count, sizeof *all, critical_order);
	for (; count < MOST_ROUTINES && count < f->routine_count && all[count]->critical_ns; count++)
		chosen[count] = all[count]->routine;
	if (count)
		flows_ask_each_faster(f, &mine->lazy->kept, chosen, count, TWICE_AS_FAST, ns);
	for (size_t i = 0; i < count; i++)
		add(s, &(struct row){f, "routine", view_name(s, &f->run->routines[chosen[i]]), TWICE_AS_FAST, (int64_t)ns[i]});
	free(all);
}

static void add_asked(struct sheet *s, const struct flows *f)
{
	for (size_t i = 0; i < f->what_if_count; i++) {
		const struct flows_what_if *w = &f->what_ifs[i];
		add(s,
		    &(struct row){f, w->routines ? "asked: routine" : "asked: object", w->asked, w->factor ? strtod(w->factor, NULL) : NAN,
		                  (int64_t)w->ns});
	}
}

static int check(const void *data, const struct view_ask *ask, struct fail *why)
{
	const struct flow_data *mine = data;
	if (view_flow_check_times(data, ask, why) < 0)
		return -1;
	if (mine->flows.routine_count && mine->flows.keeps == FLOWS_KEPT && !view_flow_kept(mine, why))
		return -1;
	return 0;
}

static void fill(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct flow_data *mine = data;
	const struct flows *f = &mine->flows;
	(void)ask;
	put_row(s, &(struct row){.flows = f});
	add_asked(s, f);
	add_objects(s, f);
	if (mine->lazy->is_loaded && f->routine_count)
		add_routines(s, mine);
	if (f->routine_count && f->keeps != FLOWS_KEPT)
		s->doubt = "Routines are missing: the events themselves are not in the recording.";
}

const struct view view_flow_what_ifs = {
	.name = "what-if",
	.help = "the run without an object, or with a faster routine",
	.sort = "saves_ns",
	.top = 20,
	.check = check,
	.fill = fill,
};
