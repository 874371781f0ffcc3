/* SPDX-License-Identifier: MIT */
/* intervals.c: what each thread did over time, one stretch behind the other: work, time without a core, waits, and which call of which
 * thread ended a wait.
 *
 * A page shows the longest ones (longest.h), for which the events are passed over twice: a run may have a hundred million, and a screen
 * has a few thousand columns. */
#include <stdlib.h>

#include "analyse/flow/replay.h"
#include "analyse/flow/tally.h"
#include "base/text.h"
#include "report/flow/longest.h"
#include "report/flow/view.h"

/* Rows of which a sheet keeps all, as of the view `events`; how many of the longest a page has. */
enum { MOST_ROWS = 4000000, PAGE_ROWS = 100000 };

/* What a strand is doing. */
struct track {
	enum flow_tally_state state;
	uint32_t wait, object;
	uint64_t since, mark;
};

struct interval {
	const struct flow_data *mine;
	const struct flows_replay *replay;
	struct flows_runner by, until;
	struct track track;
	int64_t start, end, until_ns; /* until_ns: RUN_UNKNOWN if nothing in the run ended it */
	uint64_t until_mark;
	enum flows_outcome outcome;
};

struct intervals {
	const struct flow_data *mine;
	const struct view_ask *ask;
	struct sheet *sheet;
	struct flows_replay replay;
	struct track *tracks; /* by strand */
	size_t track_count, track_room;
	struct longest longest; /* of a page */
	bool counts;            /* intervals are counted, and make no rows yet */
	uint64_t wanted, most;
	uint64_t left_out_ns, all_ns;
};

/* ---- cells ---- */

static const struct flows_where nowhere = {RUN_OUTSIDE, "", 0};

static const struct flows_where *where_of(const struct interval *i)
{
	return i->track.state == FLOW_TALLY_WAITS ? flows_replay_where(i->replay, i->track.mark) : &nowhere;
}

static const struct flows_where *until_of(const struct interval *i)
{
	return i->until_ns == RUN_UNKNOWN ? &nowhere : flows_replay_where(i->replay, i->until_mark);
}

static const char *state_of(const struct interval *i)
{
	static const char *const names[] = {[FLOW_TALLY_WORKS] = "work", [FLOW_TALLY_OFF] = "no core", [FLOW_TALLY_WAITS] = "wait"};
	return names[i->track.state];
}

static const char *kind_of(const struct interval *i)
{
	return i->track.state == FLOW_TALLY_WAITS ? flows_wait_name(i->track.wait) : "";
}

static const char *object_of(const struct interval *i)
{
	return i->track.state == FLOW_TALLY_WAITS ? view_flow_object(&i->mine->flows, i->track.object) : "";
}

static const char *outcome_of(const struct interval *i)
{
	return i->track.state == FLOW_TALLY_WAITS ? flows_outcomes[i->outcome] : "";
}

static int64_t number_of(uint32_t number)
{
	return number == FLOWS_NONE ? RUN_UNKNOWN : (int64_t)number;
}

static void put_interval(struct sheet *s, const struct interval *i)
{
	const struct flows *f = &i->mine->flows;
	COLUMN(s, ID, "thread", "thread", view_flow_thread(f, i->by.thread));
	COLUMN(s, ID, "worker", NULL, number_of(i->by.worker));
	COLUMN(s, NS, "start_ns", "start", i->start);
	COLUMN(s, NS, "end_ns", "end", i->end);
	COLUMN(s, NS, NULL, "time", i->end - i->start);
	COLUMN(s, TEXT, "state", "state", state_of(i));
	COLUMN(s, TEXT, "kind", "kind", kind_of(i), .drop = 2, .meaning = "of a wait");
	COLUMN(s, NAME, "object", "object", object_of(i), .drop = 1);
	COLUMN(s, NAME, "routine", "routine", view_flow_routine(s, f, where_of(i)));
	COLUMN(s, TEXT, "file", NULL, where_of(i)->file);
	COLUMN(s, ID, "line", NULL, view_flow_line(where_of(i)));
	COLUMN(s, TEXT, NULL, "where", view_flow_place(s, where_of(i)), .drop = 3);
	COLUMN(s, ID, "until_thread", "by thread", i->until_ns == RUN_UNKNOWN ? RUN_UNKNOWN : view_flow_thread(f, i->until.thread),
	       .drop = 4, .meaning = "which ended the wait");
	COLUMN(s, ID, "until_worker", NULL, i->until_ns == RUN_UNKNOWN ? RUN_UNKNOWN : number_of(i->until.worker));
	COLUMN(s, NS, "until_ns", NULL, i->until_ns);
	COLUMN(s, NAME, "until_routine", "by routine", view_flow_routine(s, f, until_of(i)), .drop = 4);
	COLUMN(s, TEXT, "until_file", NULL, until_of(i)->file);
	COLUMN(s, ID, "until_line", NULL, view_flow_line(until_of(i)));
	COLUMN(s, TEXT, "outcome", "outcome", outcome_of(i), .drop = 5);
}

/* ---- which become rows ---- */

static bool is_wanted(const struct intervals *v, const struct interval *i)
{
	const struct run_routine *routines = v->mine->run.routines;
	if (v->mine->thread >= 0 && i->by.thread != (uint32_t)v->mine->thread)
		return false;
	if (!v->ask->routine)
		return true;
	const struct flows_where *at[2] = {where_of(i), until_of(i)};
	return (at[0]->routine != RUN_OUTSIDE && view_wants(v->ask->routine, &routines[at[0]->routine])) ||
		(at[1]->routine != RUN_OUTSIDE && view_wants(v->ask->routine, &routines[at[1]->routine]));
}

static bool has_room(struct intervals *v, uint64_t ns)
{
	if (v->ask->most)
		return longest_has(&v->longest, ns);
	return !v->most || v->wanted <= v->most;
}

static void meet(struct intervals *v, const struct interval *i)
{
	uint64_t ns = (uint64_t)(i->end - i->start);
	if (!is_wanted(v, i))
		return;
	if (v->counts) {
		longest_count(&v->longest, ns);
		return;
	}
	v->wanted++;
	v->all_ns += ns;
	if (!has_room(v, ns)) {
		v->left_out_ns += ns;
		return;
	}
	sheet_row(v->sheet, 0);
	put_interval(v->sheet, i);
}

/* ---- the events ---- */

static struct track *track_of(struct intervals *v, uint32_t strand)
{
	while (strand >= v->track_count) {
		MEMORY_GROW(v->tracks, v->track_count, v->track_room);
		v->tracks[v->track_count++] = (struct track){0};
	}
	return &v->tracks[strand];
}

/* What the strand did until now. `cause`: of the event that ends it, NULL at the end of the run. */
static void end_interval(struct intervals *v, uint32_t strand, uint64_t time, const struct flow_cause *cause, enum flows_outcome outcome)
{
	const struct track *track = track_of(v, strand);
	struct interval i = {.mine = v->mine,
	                     .replay = &v->replay,
	                     .by = flows_replay_runner(&v->replay, strand),
	                     .track = *track,
	                     .start = (int64_t)flows_replay_ns(&v->replay, track->since),
	                     .end = (int64_t)flows_replay_ns(&v->replay, time),
	                     .until_ns = RUN_UNKNOWN,
	                     .outcome = outcome};
	if (track->state == FLOW_TALLY_GONE || i.end <= i.start)
		return;
	if (track->state == FLOW_TALLY_WAITS && cause && cause->waited && cause->is_known) {
		i.until = flows_replay_runner(&v->replay, cause->strand);
		i.until_ns = (int64_t)flows_replay_ns(&v->replay, cause->sent);
		i.until_mark = cause->mark;
	}
	meet(v, &i);
}

static void step(struct intervals *v)
{
	const struct flow_event *e = &v->replay.event;
	struct track *track = track_of(v, e->strand);
	enum flow_tally_state state = flow_tally_state_behind(track->state, e->kind);
	if (state == track->state && e->kind != FLOW_PAUSE)
		return;
	end_interval(v, e->strand, e->time, &v->replay.pass.flow.cause, flow_tally_outcome(e->kind, track->wait));
	*track = (struct track){.state = state, .since = e->time};
	if (e->kind == FLOW_PAUSE) {
		track->mark = e->mark;
		track->wait = v->replay.about.wait;
		track->object = flows_replay_object(&v->replay, e);
	}
}

static void pass(struct intervals *v)
{
	v->track_count = 0;
	flows_replay_start(&v->replay, &v->mine->lazy->kept, &v->mine->run);
	while (flows_replay_next(&v->replay))
		step(v);
	for (uint32_t i = 0; i < v->track_count; i++)
		end_interval(v, i, v->replay.pass.flow.end, NULL, FLOWS_UNFINISHED);
	flows_replay_free(&v->replay);
}

/* ---- the view ---- */

static int check(const void *data, const struct view_ask *ask, struct fail *why)
{
	const struct flow_data *mine = data;
	if (view_flow_check_times(data, ask, why) < 0)
		return -1;
	if (mine->is_sorted && !ask->routine && mine->thread < 0 && mine->flows.events > MOST_ROWS)
		return fail_set(why, FAIL_USAGE, "these are more events than can be sorted: choose some with --thread or --routine");
	return view_flow_kept(mine, why) ? 0 : -1;
}

static void say_left_out(struct intervals *v)
{
	struct sheet *s = v->sheet;
	const char *rows = text_count(&s->pool, (int64_t)s->row_count), *all = text_count(&s->pool, (int64_t)v->wanted);
	s->left_out = v->wanted - s->row_count;
	if (v->ask->most)
		s->doubt = pool_print(&s->pool,
		                      "Only the %s longest of %s intervals are here; the others are %s of the threads' time. "
		                      "`skein report flow --view intervals --csv` has all.",
		                      rows, all, text_percent(&s->pool, text_share_of((double)v->left_out_ns, (double)v->all_ns)));
	else
		s->doubt = pool_print(&s->pool, "Only the first %s of %s intervals are here; --csv has all.", rows, all);
}

/* `check` has loaded the events. */
static void fill(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct flow_data *mine = data;
	struct intervals v = {.mine = mine, .ask = ask, .sheet = s, .most = s->pour || mine->is_sorted ? 0 : MOST_ROWS};
	put_interval(s, &(struct interval){.mine = mine});
	if (ask->most) {
		v.counts = true;
		pass(&v);
		v.counts = false;
		longest_choose(&v.longest, ask->most);
	}
	pass(&v);
	if (!s->pour && v.wanted > s->row_count)
		say_left_out(&v);
	free(v.tracks);
}

const struct view view_flow_intervals = {
	.name = "intervals",
	.help = "work and waits of each thread over time, one by one",
	.top = 40,
	.page_rows = PAGE_ROWS,
	.check = check,
	.fill = fill,
	.pours = true,
};
