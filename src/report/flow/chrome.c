/* SPDX-License-Identifier: MIT */
/* chrome.c: `skein export chrome-trace`: the events in the Trace Event Format, which Perfetto and other viewers of time lines read.
 *
 * Each thread has slices, one behind the other: work, no core, and waits. Behind a wait that another thread ended, an arrow (an event
 * "s" and one "f") leads from what the other thread did then into the slice that follows. Times that locks were held may overlap in any
 * way, so they are asynchronous slices ("b" and "e") of their process. So are parts that the program marked; its messages are instants
 * ("i"), its values counters ("C").
 *
 * Readers add a duration to a time in floating point: a slice ends 1 ns early, lest it seem to overlap the next one. They sort events by
 * time and keep the order of the file where times are equal, so an arrow's end is written behind its slice. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/flow/replay.h"
#include "analyse/flow/tally.h"
#include "base/escape.h"
#include "base/text.h"
#include "report/flow/view.h"

enum { UNKNOWN_TID = 1 << 30 }; /* threads without a record have numbers from here on: the kernel has none so large */

/* What a strand is doing. */
struct track {
	enum flow_tally_state state;
	uint64_t since;
	uint64_t mark; /* of the wait that goes on */
	uint32_t wait, object;
	uint64_t arrow; /* number of the arrow into the slice; 0: none */
	bool is_named;
};

/* A lock that is held. */
struct hold {
	uint64_t since, mark;
	uint32_t strand;
};

struct trace {
	FILE *file;
	const struct flows *flows;
	struct flows_replay replay;
	struct track *tracks; /* by strand */
	size_t track_count, track_room;
	struct map holds; /* by object: struct hold */
	uint64_t arrows, hold_count, working;
	bool is_begun;
};

static int64_t ns_of(const struct trace *t, uint64_t time)
{
	return (int64_t)flows_replay_ns(&t->replay, time);
}

static void put_time(const struct trace *t, const char *name, int64_t ns)
{
	fprintf(t->file, ",\"%s\":%" PRId64 ".%03d", name, ns / 1000, (int)(ns % 1000));
}

static uint32_t pid_of(const struct trace *t, uint32_t process)
{
	const struct run *run = t->flows->run;
	return process < run->process_count ? run->processes[process].pid : run->process_count ? run->processes[0].pid : 0;
}

/* The head of an event; put_end ends it. */
static void begin(struct trace *t, char phase, uint32_t pid, uint32_t tid)
{
	fprintf(t->file, "%s{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u", t->is_begun ? ",\n" : "", phase, pid, tid);
	t->is_begun = true;
}

static void begin_of(struct trace *t, char phase, uint32_t strand)
{
	struct flows_runner runner = flows_replay_runner(&t->replay, strand);
	const struct run *run = t->flows->run;
	begin(t, phase, pid_of(t, runner.process),
	      runner.thread < run->thread_count ? run->threads[runner.thread].tid : UNKNOWN_TID + strand);
}

static void put_end(struct trace *t)
{
	fputc('}', t->file);
}

static void put_text(struct trace *t, const char *name, const char *text)
{
	fprintf(t->file, ",\"%s\":", name);
	escape_json(t->file, text);
}

/* ---- names ---- */

static void name_it(struct trace *t, const char *what, uint32_t pid, uint32_t tid, const char *name)
{
	begin(t, 'M', pid, tid);
	put_text(t, "name", what);
	fputs(",\"args\":{\"name\":", t->file);
	escape_json(t->file, name);
	fputc('}', t->file);
	put_end(t);
}

static void name_all(struct trace *t)
{
	const struct run *run = t->flows->run;
	const char *slash = strrchr(run->program, '/');
	struct pool pool = {0};
	for (uint32_t i = 0; i < run->process_count; i++)
		name_it(t, "process_name", run->processes[i].pid, 0, slash ? slash + 1 : run->program);
	for (size_t i = 0; i < run->thread_count; i++) {
		const struct run_thread *thread = &run->threads[i];
		name_it(t, "thread_name", pid_of(t, thread->process), thread->tid,
		        pool_print(&pool, "%s%sthread %zu", thread->name, *thread->name ? ", " : "", i));
	}
	pool_free(&pool);
}

/* ---- slices ---- */

static struct track *track_of(struct trace *t, uint32_t strand)
{
	while (strand >= t->track_count) {
		MEMORY_GROW(t->tracks, t->track_count, t->track_room);
		t->tracks[t->track_count++] = (struct track){0};
	}
	return &t->tracks[strand];
}

static void put_where(struct trace *t, uint64_t mark)
{
	const struct flows_where *w = flows_replay_where(&t->replay, mark);
	fputs("\"routine\":", t->file);
	escape_json(t->file, w->routine == RUN_OUTSIDE ? "" : t->flows->run->routines[w->routine].name);
	put_text(t, "file", w->file);
	if (*w->file)
		fprintf(t->file, ",\"line\":%u", w->line);
}

const char *view_flow_wait_name(const struct flows *flows, uint32_t wait, uint32_t object, struct pool *pool)
{
	const char *kind = flows_wait_name(wait);
	if (object == FLOWS_NONE)
		return pool_print(pool, "wait: %s", kind);
	return pool_print(pool, "wait: %s (%s)", flows->objects[object].name, kind);
}

/* "thread 2: table_add (logs.c:149)" */
static const char *until(const struct trace *t, const struct flow_cause *cause, struct pool *pool)
{
	const struct flows_where *w = flows_replay_where(&t->replay, cause->mark);
	uint32_t thread = flows_replay_runner(&t->replay, cause->strand).thread;
	const char *who = thread < t->flows->run->thread_count ? pool_print(pool, "thread %u", thread) : "a thread";
	const char *place = text_place(pool, w->file, w->line);
	if (w->routine == RUN_OUTSIDE)
		return who;
	return pool_print(pool, "%s: %s%s%s%s", who, t->flows->run->routines[w->routine].name, *place ? " (" : "", place,
	                  *place ? ")" : "");
}

static void put_wait(struct trace *t, const struct track *track, const struct flow_cause *cause, const char *outcome)
{
	struct pool pool = {0};
	put_text(t, "cat", "wait");
	put_text(t, "name", view_flow_wait_name(t->flows, track->wait, track->object, &pool));
	fputs(",\"args\":{", t->file);
	put_where(t, track->mark);
	if (cause && cause->is_known)
		put_text(t, "until", until(t, cause, &pool));
	put_text(t, "outcome", outcome);
	fputc('}', t->file);
	pool_free(&pool);
}

static void put_arrow(struct trace *t, char phase, uint32_t strand, int64_t ns, uint64_t arrow)
{
	begin_of(t, phase, strand);
	put_time(t, "ts", ns);
	fprintf(t->file, ",\"id\":%" PRIu64 ",\"cat\":\"flow\",\"name\":\"goes on\"%s", arrow, phase == 'f' ? ",\"bp\":\"e\"" : "");
	put_end(t);
}

/* The arrow into the slice that has been written. */
static void end_arrow(struct trace *t, uint32_t strand)
{
	struct track *track = track_of(t, strand);
	if (track->arrow)
		put_arrow(t, 'f', strand, ns_of(t, track->since), track->arrow);
	track->arrow = 0;
}

/* The slice that ends now, with the arrow into it. One without length is left out: its arrow leads into the next one. `cause`, `outcome`:
 * of a wait. */
static void put_slice(struct trace *t, uint32_t strand, uint64_t time, const struct flow_cause *cause, const char *outcome)
{
	struct track *track = track_of(t, strand);
	int64_t from = ns_of(t, track->since), to = ns_of(t, time);
	if (track->state == FLOW_TALLY_GONE || to <= from)
		return;
	begin_of(t, 'X', strand);
	put_time(t, "ts", from);
	put_time(t, "dur", to - from - 1);
	if (track->state == FLOW_TALLY_WAITS) {
		put_wait(t, track, cause, outcome);
	} else {
		put_text(t, "cat", "state");
		put_text(t, "name", track->state == FLOW_TALLY_WORKS ? "work" : "no core");
	}
	put_end(t);
	end_arrow(t, strand);
}

static void put_level(struct trace *t, uint64_t time)
{
	begin(t, 'C', pid_of(t, 0), 0);
	put_time(t, "ts", ns_of(t, time));
	fprintf(t->file, ",\"name\":\"threads at work\",\"args\":{\"threads\":%" PRIu64 "}", t->working);
	put_end(t);
}

static bool is_at_work(enum flow_tally_state state)
{
	return state == FLOW_TALLY_WORKS || state == FLOW_TALLY_OFF;
}

static void turn(struct trace *t, uint32_t strand, enum flow_tally_state state, uint64_t time)
{
	struct track *track = track_of(t, strand);
	if (is_at_work(state) != is_at_work(track->state)) {
		t->working += is_at_work(state) ? 1 : UINT64_MAX;
		put_level(t, time);
	}
	track->state = state;
	track->since = time;
}

/* ---- locks ---- */

static void put_hold(struct trace *t, const struct hold *hold, uint32_t object, uint64_t time)
{
	struct pool pool = {0};
	const char *name = pool_print(&pool, "hold: %s", t->flows->objects[object].name);
	int64_t at[2] = {ns_of(t, hold->since), ns_of(t, time)};
	t->hold_count++;
	for (int i = 0; i < 2; i++) {
		begin_of(t, i ? 'e' : 'b', hold->strand);
		put_time(t, "ts", at[i]);
		fprintf(t->file, ",\"id\":%" PRIu64 ",\"cat\":\"hold\"", t->hold_count);
		put_text(t, "name", name);
		if (i == 0) {
			fputs(",\"args\":{", t->file);
			put_where(t, hold->mark);
			fputc('}', t->file);
		}
		put_end(t);
	}
	pool_free(&pool);
}

/* What is held when the run ends. */
static void end_holds(struct trace *t, uint64_t end)
{
	const struct flows_kept *k = t->replay.kept;
	for (size_t i = 0; i < t->holds.room; i++) {
		const struct map_item *item = &t->holds.at[i];
		if (item->value && item->key < k->member_count && k->members[item->key] != FLOWS_NONE)
			put_hold(t, item->value, k->members[item->key], end);
	}
}

static void acquire(struct trace *t, const struct flow_event *e)
{
	struct hold *hold = memory_zeroed(1, sizeof *hold);
	void **place = map_at(&t->holds, e->object);
	*hold = (struct hold){e->time, e->mark, e->strand};
	free(*place);
	*place = hold;
}

static void release(struct trace *t, const struct flow_event *e)
{
	struct hold *hold = map_find(&t->holds, e->object);
	uint32_t object = flows_replay_object(&t->replay, e);
	if (!hold || hold->strand != e->strand)
		return;
	if (object != FLOWS_NONE)
		put_hold(t, hold, object, e->time);
	free(hold);
	map_drop(&t->holds, e->object);
}

/* ---- marks ---- */

/* Parts need not end before a wait does, so they are asynchronous slices; those of one strand are in each other. */
static void put_mark(struct trace *t)
{
	static const char phases[FLOW_MARKS] = {
		[FLOW_MARK_BEGIN] = 'b', [FLOW_MARK_END] = 'e', [FLOW_MARK_MESSAGE] = 'i', [FLOW_MARK_VALUE] = 'C'};
	const struct flow_event *e = &t->replay.event;
	const struct flows_where *w = flows_replay_where(&t->replay, e->mark);
	if (e->count >= FLOW_MARKS)
		return;
	begin_of(t, phases[e->count], e->strand);
	put_time(t, "ts", ns_of(t, e->time));
	put_text(t, "name", w->routine == RUN_OUTSIDE ? "" : t->flows->run->routines[w->routine].name);
	if (e->count == FLOW_MARK_VALUE)
		fprintf(t->file, ",\"args\":{\"value\":%" PRId64 "}", t->replay.about.value);
	else if (e->count == FLOW_MARK_MESSAGE)
		fputs(",\"cat\":\"message\",\"s\":\"t\"", t->file);
	else
		fprintf(t->file, ",\"cat\":\"part\",\"id\":%u", e->strand + 1);
	put_end(t);
}

/* ---- the whole ---- */

static void name_strand(struct trace *t, uint32_t strand)
{
	struct flows_runner runner = flows_replay_runner(&t->replay, strand);
	struct track *track = track_of(t, strand);
	if (!track->is_named && runner.thread >= t->flows->run->thread_count)
		name_it(t, "thread_name", pid_of(t, runner.process), UNKNOWN_TID + strand, "a thread");
	track->is_named = true;
}

/* In the slice that the other thread's event was in, which may have been its last. */
static int64_t sent_ns(struct trace *t, const struct flow_cause *cause)
{
	const struct track *from = track_of(t, cause->strand);
	int64_t ns = ns_of(t, cause->sent);
	return from->state == FLOW_TALLY_GONE && ns > 1 ? ns - 2 : ns;
}

static void put_event(struct trace *t)
{
	const struct flow_event *e = &t->replay.event;
	const struct flow_cause *cause = &t->replay.pass.flow.cause;
	struct track *track = track_of(t, e->strand);
	enum flow_tally_state state = flow_tally_state_behind(track->state, e->kind);
	name_strand(t, e->strand);
	if (e->kind == FLOW_ACQUIRE && e->object != UINT32_MAX)
		acquire(t, e);
	else if (e->kind == FLOW_RELEASE)
		release(t, e);
	else if (e->kind == FLOW_MARK)
		put_mark(t);
	if (state == track->state && e->kind != FLOW_PAUSE)
		return;
	put_slice(t, e->strand, e->time, cause, flows_outcomes[flow_tally_outcome(e->kind, track->wait)]);
	if (cause->waited && cause->is_known) {
		end_arrow(t, e->strand);
		track->arrow = ++t->arrows;
		put_arrow(t, 's', cause->strand, sent_ns(t, cause), track->arrow);
		track = track_of(t, e->strand);
	}
	if (e->kind == FLOW_PAUSE) {
		track->mark = e->mark;
		track->wait = t->replay.about.wait;
		track->object = flows_replay_object(&t->replay, e);
	}
	turn(t, e->strand, state, e->time);
}

static void end_all(struct trace *t)
{
	uint64_t end = t->replay.pass.flow.end;
	for (uint32_t i = 0; i < t->track_count; i++) {
		put_slice(t, i, end, NULL, flows_outcomes[FLOWS_UNFINISHED]);
		end_arrow(t, i);
	}
	end_holds(t, end);
	if (t->track_count)
		put_level(t, end);
}

static void trace_free(struct trace *t)
{
	for (size_t i = 0; i < t->holds.room; i++)
		free(t->holds.at[i].value);
	map_free(&t->holds);
	free(t->tracks);
	flows_replay_free(&t->replay);
}

int view_flow_chrome(const void *data, FILE *file, struct fail *why)
{
	const struct flow_data *mine = data;
	struct trace t = {.file = file, .flows = &mine->flows};
	const struct flows_kept *kept = view_flow_kept(mine, why);
	if (!kept)
		return -1;
	flows_replay_start(&t.replay, kept, mine->flows.run);
	fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"made by\":\"skein " SKEIN_VERSION "\",\"command\":", file);
	escape_json(file, mine->run.command);
	fputs("},\"traceEvents\":[\n", file);
	name_all(&t);
	while (flows_replay_next(&t.replay))
		put_event(&t);
	end_all(&t);
	fputs("\n]}\n", file);
	trace_free(&t);
	return 0;
}
