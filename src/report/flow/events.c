/* SPDX-License-Identifier: MIT */
/* events.c: the events themselves, one by one. */
#include <stdlib.h>

#include "analyse/flow/replay.h"
#include "base/text.h"
#include "report/flow/view.h"

/* Rows of which a sheet keeps all: 4 million take 700 MB. Rows of CSV are printed at once. */
enum { MOST_ROWS = 4000000 };

struct row {
	const struct flow_data *mine;
	struct flows_replay *replay;
	const char **places; /* by mark: as text shows it */
};

/* Of a join or a detachment, the thread that was waited for. */
static const char *object_of(struct sheet *s, const struct row *r)
{
	const struct flow_event *e = &r->replay->event;
	if (e->kind != FLOW_JOIN && e->kind != FLOW_DETACH)
		return view_flow_object(&r->mine->flows, flows_replay_object(r->replay, e));
	uint32_t thread = flows_replay_runner(r->replay, e->object).thread;
	return thread < r->mine->run.thread_count ? pool_print(&s->pool, "thread %u", thread) : "";
}

static const char *place_of(struct sheet *s, const struct row *r)
{
	const char **place = &r->places[r->replay->event.mark];
	if (!*place)
		*place = view_flow_place(s, flows_replay_where(r->replay, r->replay->event.mark));
	return *place;
}

static struct cell time_of(const struct row *r)
{
	if (r->mine->flows.orders)
		return (struct cell){.kind = CELL_EMPTY};
	return (struct cell){.kind = CELL_NUMBER, .number = (int64_t)flows_replay_ns(r->replay, r->replay->event.time)};
}

static bool is_switch(const struct row *r)
{
	return r->replay->event.kind == FLOW_OFF || r->replay->event.kind == FLOW_ON;
}

static const struct flows_where *where_of(const struct row *r)
{
	return flows_replay_where(r->replay, r->replay->event.mark);
}

static const char *name_event(const struct flow_event *e)
{
	return e->kind == FLOW_MARK && e->count < FLOW_MARKS ? flows_said_names[e->count] : flows_event_names[e->kind];
}

static struct cell value_of(const struct row *r)
{
	const struct flow_event *e = &r->replay->event;
	bool has = e->kind == FLOW_MARK && e->count == FLOW_MARK_VALUE;
	return has ? (struct cell){.kind = CELL_NUMBER, .number = r->replay->about.value} : (struct cell){.kind = CELL_EMPTY};
}

static void put_event(struct sheet *s, const struct row *r)
{
	COLUMN(s, FIGURE, "time_ns", "at (ns)", time_of(r));
	COLUMN(s, ID, "thread", "thread", view_flow_thread(&r->mine->flows, r->replay->by.thread));
	COLUMN(s, ID, "worker", NULL, r->replay->by.worker == FLOWS_NONE ? RUN_UNKNOWN : (int64_t)r->replay->by.worker);
	COLUMN(s, TEXT, "event", "event", name_event(&r->replay->event));
	COLUMN(s, NAME, "object", "object", object_of(s, r));
	COLUMN(s, NAME, "routine", "routine", view_flow_routine(s, &r->mine->flows, where_of(r)));
	COLUMN(s, TEXT, "file", NULL, where_of(r)->file);
	COLUMN(s, ID, "line", NULL, view_flow_line(where_of(r)));
	COLUMN(s, TEXT, NULL, "where", place_of(s, r), .drop = 1);
	COLUMN(s, TEXT, "kind", "kind", r->replay->event.kind == FLOW_PAUSE ? flows_wait_name(r->replay->about.wait) : "", .drop = 2,
	       .meaning = "of a wait");
	COLUMN(s, ID, "core", NULL, is_switch(r) && r->replay->about.core != UINT32_MAX ? (int64_t)r->replay->about.core : RUN_UNKNOWN);
	COLUMN(s, FIGURE, "value", "value", value_of(r), .drop = 3);
}

static bool is_wanted(const struct row *r, const struct view_ask *ask)
{
	if (r->mine->thread >= 0 && r->replay->by.thread != (uint32_t)r->mine->thread)
		return false;
	return !ask->routine || view_wants(ask->routine, &r->mine->run.routines[where_of(r)->routine]);
}

static int check(const void *data, const struct view_ask *ask, struct fail *why)
{
	const struct flow_data *mine = data;
	if (mine->is_sorted && !ask->routine && mine->thread < 0 && mine->flows.events > MOST_ROWS)
		return fail_set(why, FAIL_USAGE, "these are more events than can be sorted: choose some with --thread or --routine");
	return view_flow_kept(mine, why) ? 0 : -1;
}

static void say_cut(struct sheet *s, uint64_t wanted)
{
	s->doubt = pool_print(&s->pool, "Only the first %s of %s events are here; --csv has all.", text_count(&s->pool, MOST_ROWS),
	                      text_count(&s->pool, (int64_t)wanted));
}

/* For all places that were met since; text is made once for each. */
static void make_room(struct row *r, size_t *room)
{
	size_t count = r->replay->spots.count;
	if (count <= *room)
		return;
	r->places = memory_resize(r->places, count, sizeof *r->places);
	while (*room < count)
		r->places[(*room)++] = NULL;
}

/* `check` has loaded them. */
static void fill(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct flow_data *mine = data;
	struct flows_replay replay;
	struct row row = {.mine = mine, .replay = &replay};
	bool keeps_all = s->pour || mine->is_sorted;
	uint64_t wanted = 0;
	size_t room = 0;
	flows_replay_start(&replay, &mine->lazy->kept, &mine->run);
	put_event(s, &row);
	while (flows_replay_next(&replay)) {
		if (!is_wanted(&row, ask) || (++wanted > MOST_ROWS && !keeps_all))
			continue;
		make_room(&row, &room);
		sheet_row(s, 0);
		put_event(s, &row);
	}
	if (wanted > MOST_ROWS && !keeps_all)
		say_cut(s, wanted);
	free(row.places);
	flows_replay_free(&replay);
}

const struct view view_flow_events = {
	.name = "events",
	.help = "what each thread did to others, one by one",
	.top = 40,
	.check = check,
	.fill = fill,
	.pours = true,
};
