/* SPDX-License-Identifier: MIT */
/* A recording of the flow lens: what is stored comes back, the events too, and one that lies is refused. */
#include "unit/session.h"

#include "analyse/flow/kept.h"
#include "analyse/flow/replay.h"
#include "analyse/flow/what_if.h"
#include "core/flow/log.h"
#include "store/store.h"

enum { THREADS = 3, CHUNK = 512, START = 1000000, PROGRAM = 1 };
enum { LOCK = 1, SEMAPHORE, BARRIER, UNUSED, LATE };

/* ---- a session ---- */

struct lane {
	uint64_t memory[CHUNK / 8];
	struct flow_chunk chunk;
	uint32_t number, chunks;
	struct rawmake *raw;
};

static void end_chunk(struct lane *lane)
{
	struct raw_table *table = (struct raw_table *)rawmake_table(lane->raw, RAW_FLOW_LOG, lane->number, 8, CHUNK / 8) - 1;
	table->object = lane->chunks++;
	memcpy(table + 1, lane->memory, sizeof lane->memory);
}

static void put(struct lane *lane, uint64_t time, enum flow_kind kind, uint64_t a, uint64_t b, uint64_t c)
{
	struct flow_record record = {.time = START + time, .kind = kind, .field = {a, b, c}};
	if (flow_log_put(&lane->chunk, &record))
		return;
	end_chunk(lane);
	flow_chunk_start(&lane->chunk, lane->memory, CHUNK, START + time);
	assert_true(flow_log_put(&lane->chunk, &record));
}

static uint64_t place(uint64_t offset)
{
	return (uint64_t)PROGRAM << RAW_PLACE_SHIFT | offset;
}

/* Each turn: the lock is handed on, a token too, and all meet at the barrier. */
static void put_turn(struct lane *lane, uint64_t time, uint32_t me)
{
	put(lane, time, FLOW_PAUSE, RAW_WAIT_LOCK, LOCK, place(0x100));
	put(lane, time + UINT64_C(1000) * (me + 1), FLOW_ACQUIRE, LOCK, place(0x100), 0);
	put(lane, time + UINT64_C(1000) * (me + 1) + 900, FLOW_RELEASE, LOCK, place(0x200 + me), 0);
	if (me == 0)
		put(lane, time + 5000, FLOW_POST, SEMAPHORE, place(0x300), 0);
	if (me == 1)
		put(lane, time + 5100, FLOW_PAUSE, RAW_WAIT_SEMAPHORE, SEMAPHORE, place(0x310));
	if (me == 1)
		put(lane, time + 5200, FLOW_TAKE, SEMAPHORE, place(0x310), 0);
	put(lane, time + 6000 + me, FLOW_ARRIVE, BARRIER, place(0x400), 0);
	put(lane, time + 6000 + me, FLOW_PAUSE, RAW_WAIT_BARRIER, BARRIER, place(0x400));
	put(lane, time + 7000 + me, FLOW_PASS, BARRIER, 0, 0);
}

static void put_lane(struct rawmake *raw, uint32_t me)
{
	static struct lane lane;
	lane = (struct lane){.number = me, .raw = raw};
	flow_chunk_start(&lane.chunk, lane.memory, CHUNK, START);
	put(&lane, UINT64_C(10) * me, FLOW_BEGIN, me ? me : 0, me, 1000 + me);
	for (uint32_t i = 1; me == 0 && i < THREADS; i++)
		put(&lane, 2 + i, FLOW_CREATE, i, place(0x500), 0);
	for (uint64_t turn = 0; turn < 40; turn++)
		put_turn(&lane, 100000 + turn * 10000, me);
	for (uint32_t i = 1; me == 0 && i < THREADS; i++)
		put(&lane, 700000 + i, FLOW_JOIN, 77 + i, place(0x600), 0);
	put(&lane, 600000 + me + (me ? 0 : 200000), FLOW_END, 77 + me, 0, 0);
	end_chunk(&lane);
	rawmake_thread(raw, me, me, UINT64_C(10) * me, 900000, me ? "helper" : "prog");
}

static void put_objects(struct rawmake *raw)
{
	struct raw_flow_object *o = rawmake_table(raw, RAW_FLOW_OBJECTS, RAW_NO_LANE, sizeof *o, LATE);
	((struct raw_table *)o - 1)->object = 1;
	o[LOCK - 1] =
		(struct raw_flow_object){.what = RAW_FLOW_LOCK, .site = place(0x100), .acquired = 120, .held_ticks = 5000, .shared = 1};
	o[SEMAPHORE - 1] = (struct raw_flow_object){.what = RAW_FLOW_SEMAPHORE, .site = place(0x300)};
	o[BARRIER - 1] = (struct raw_flow_object){.what = RAW_FLOW_BARRIER, .site = place(0x400)};
	o[LATE - 1] = (struct raw_flow_object){
		.what = RAW_FLOW_LOCK, .site = place(0x700), .acquired = 1, .first_thread = 1, .released = START + 99000};
}

static void put_switches(void)
{
	static uint64_t memory[FLOWS_SWITCHES_BYTES / 8];
	char path[512];
	struct flow_chunk chunk;
	flow_chunk_start(&chunk, memory, sizeof memory, START);
	for (uint64_t i = 0; i < 20; i++) {
		flow_log_put(&chunk, &(struct flow_record){.time = START + 108000 + i * 10000, .kind = FLOW_OFF, .field = {1000, 1}});
		flow_log_put(&chunk, &(struct flow_record){.time = START + 108500 + i * 10000, .kind = FLOW_ON, .field = {1000, 1}});
	}
	snprintf(path, sizeof path, "%s/switches", folder);
	FILE *file = fopen(path, "wb");
	assert_int_equal(fwrite(memory, 1, sizeof memory, file), sizeof memory);
	fclose(file);
}

static void make_session(const char *more)
{
	struct rawmake raw;
	char path[512], plan[512], command[256];
	snprintf(command, sizeof command, "rm -f '%s'/*.raw", folder);
	assert_int_equal(system(command), 0);
	snprintf(plan, sizeof plan, "lens\tflow\nmode\tevents\nnative\t/home/me/prog\ncommand\t./prog\nswitches\t40\ncores\t2\n%s", more);
	rawmake_text(folder, "session", plan);
	rawmake_start(&raw, RAW_FINISHED);
	raw.file->lens = RAW_LENS_FLOW;
	raw.file->workers = raw.file->threads = THREADS;
	for (uint32_t me = THREADS; me-- > 0;) /* a thread that got its number first may have its record later */
		put_lane(&raw, me);
	put_objects(&raw);
	put_switches();
	snprintf(path, sizeof path, "%s/1000.raw", folder);
	rawmake_write(&raw, path);
	rawmake_free(&raw);
}

/* ---- what is compared ---- */

/* An event as text, so that a difference can be read. */
static void describe(const struct flows_replay *r, char *to, size_t bytes)
{
	const struct flow_event *e = &r->event;
	const struct flow_cause *c = &r->pass.flow.cause;
	const struct flows_where *w = flows_replay_where(r, e->mark);
	snprintf(to, bytes, "%d %d %s strand %u object %u as %u wait %u core %u thread %u worker %u in %s %s:%u until %d %d %d by %u",
	         (int)e->time, (int)flows_replay_ns(r, e->time), flows_event_names[e->kind], e->strand, e->object,
	         flows_replay_object(r, e), r->about.wait, r->about.core, r->by.thread, r->by.worker, r->run->routines[w->routine].linkage,
	         w->file, w->line, c->waited, c->is_known, (int)c->sent, c->strand);
}

static size_t same_events(const struct flows_kept *before, const struct run *run_before, const struct flows_kept *after,
                          const struct run *run)
{
	struct flows_replay x, y;
	size_t count = 0;
	flows_replay_start(&x, before, run_before);
	flows_replay_start(&y, after, run);
	for (;; count++) {
		char a[1000], b[1000];
		bool more = flows_replay_next(&x);
		assert_int_equal(flows_replay_next(&y), more);
		if (!more)
			break;
		describe(&x, a, sizeof a);
		describe(&y, b, sizeof b);
		assert_string_equal(a, b);
	}
	flows_replay_free(&x);
	flows_replay_free(&y);
	return count;
}

#define SAME(field) assert_int_equal(a->field, b->field)

static const char *where(const struct flows *f, const struct flows_where *w, char *to, size_t bytes)
{
	snprintf(to, bytes, "%s %s:%u", f->run->routines[w->routine].linkage, w->file, w->line);
	return to;
}

static void same_where(const struct flows *a, const struct flows_where *x, const struct flows *b, const struct flows_where *y)
{
	char before[300], after[300];
	assert_string_equal(where(a, x, before, sizeof before), where(b, y, after, sizeof after));
}

static void same_totals(const struct flows *a, const struct flows *b)
{
	SAME(wall_ns), SAME(minimum_ns), SAME(load_ns), SAME(latency_ns), SAME(events), SAME(unexplained), SAME(bad), SAME(switches);
	SAME(switches_lost), SAME(slices), SAME(ended), SAME(path_all), SAME(keeps), SAME(object_count), SAME(wait_count), SAME(path_count);
	SAME(slice_count), SAME(core_count);
	SAME(machine_cores), SAME(idle_ns), SAME(skipped_ns);
	for (size_t i = 0; i <= a->run->thread_count; i++) {
		SAME(threads[i].work_ns), SAME(threads[i].load_ns), SAME(threads[i].waited_ns), SAME(threads[i].outside_ns);
		SAME(threads[i].late_ns), SAME(threads[i].critical_ns), SAME(threads[i].events);
		same_where(a, &a->threads[i].created, b, &b->threads[i].created);
	}
	assert_memory_equal(a->slice, b->slice, a->slice_count * sizeof *a->slice);
	for (size_t i = 0; i < a->core_count; i++)
		SAME(cores[i].cores), SAME(cores[i].ns);
	for (size_t i = 0; i < a->level_count; i++)
		assert_int_equal(a->levels[i], i < b->level_count ? b->levels[i] : 0);
}

static void same_objects(const struct flows *a, const struct flows *b)
{
	for (size_t i = 0; i < a->object_count; i++) {
		assert_string_equal(a->objects[i].name, b->objects[i].name);
		same_where(a, &a->objects[i].first, b, &b->objects[i].first);
		same_where(a, &a->objects[i].holder, b, &b->objects[i].holder);
		SAME(objects[i].what), SAME(objects[i].members), SAME(objects[i].acquired), SAME(objects[i].contended);
		SAME(objects[i].waited_ns), SAME(objects[i].held_ns), SAME(objects[i].longest_queue), SAME(objects[i].holder_ns);
		SAME(objects[i].free_ns), SAME(objects[i].free_idle_ns);
	}
}

static void same_rows(const struct flows *a, const struct flows *b)
{
	for (size_t i = 0; i < a->wait_count; i++) {
		same_where(a, &a->waits[i].where, b, &b->waits[i].where);
		assert_string_equal(a->waits[i].callers, b->waits[i].callers);
		same_where(a, &a->waits[i].for_where, b, &b->waits[i].for_where);
		SAME(waits[i].thread), SAME(waits[i].kind), SAME(waits[i].object), SAME(waits[i].for_thread), SAME(waits[i].outcome);
		SAME(waits[i].count), SAME(waits[i].waited_ns), SAME(waits[i].longest_ns), SAME(waits[i].late_ns);
	}
	for (size_t i = 0; i < a->path_count; i++) {
		same_where(a, &a->path[i].from, b, &b->path[i].from);
		same_where(a, &a->path[i].to, b, &b->path[i].to);
		SAME(path[i].thread), SAME(path[i].at_ns), SAME(path[i].ns), SAME(path[i].outside_ns), SAME(path[i].recorded_ns);
		SAME(path[i].kind), SAME(path[i].object), SAME(path[i].count);
	}
}

/* ---- tests ---- */

struct loaded {
	struct store *store;
	struct run run;
	struct flows flows;
	struct flows_kept kept;
};

static int load(struct loaded *l, struct fail *why)
{
	*l = (struct loaded){.store = store_open(recording, why)};
	if (!l->store)
		return -1;
	if (store_load_flow(l->store, &l->run, &l->flows, why) < 0) {
		store_close(l->store);
		return -1;
	}
	if (store_load_events(l->store, &l->flows, &l->kept, why) == 0)
		return 0;
	flows_free(&l->flows);
	run_free(&l->run);
	store_close(l->store);
	return -1;
}

static void unload(struct loaded *l)
{
	flows_kept_free(&l->kept);
	flows_free(&l->flows);
	run_free(&l->run);
	store_close(l->store);
}

static void save(struct session *session, struct flows *flows)
{
	char aside[PATH_MAX];
	struct fail why;
	if (session_read(session, folder, &why) < 0)
		fail_msg("%s", why.text);
	flows_build(session, flows);
	unlink(recording);
	if (store_save_flow(recording, flows, aside, &why) < 0)
		fail_msg("%s", why.text);
}

static void done(struct session *session, struct flows *flows)
{
	flows_free(flows);
	run_free(&session->run);
	session_free(session);
}

static void what_is_stored_comes_back(void **state)
{
	struct session session;
	struct flows before;
	struct loaded after;
	struct fail why;
	(void)state;
	make_session("");
	save(&session, &before);
	if (load(&after, &why) < 0)
		fail_msg("%s", why.text);
	assert_non_null(before.kept);
	same_totals(&before, &after.flows);
	same_objects(&before, &after.flows);
	same_rows(&before, &after.flows);
	size_t events = same_events(before.kept, &session.run, &after.kept, &after.run);
	assert_int_equal(events, before.events);
	assert_true(events > THREADS * 40 * 6 + 40); /* the switches are among them, and the release that no log has */
	unload(&after);
	done(&session, &before);
}

static void threads_are_known_by_their_numbers(void **state)
{
	struct session session;
	struct flows flows;
	(void)state;
	make_session("");
	save(&session, &flows);
	assert_int_equal(session.run.thread_count, THREADS);
	for (uint32_t i = 0; i < THREADS; i++) {
		assert_int_equal(session.run.threads[i].number, i);
		assert_true(flows.threads[i].events > 0);
	}
	assert_int_equal(flows.threads[THREADS].events, 0);
	done(&session, &flows);
}

static void what_if_is_what_the_analysis_found(void **state)
{
	struct session session;
	struct flows before;
	struct loaded after;
	struct fail why;
	uint32_t all[8];
	size_t asked = 0;
	(void)state;
	make_session("");
	save(&session, &before);
	assert_int_equal(load(&after, &why), 0);
	for (uint32_t i = 0; i < after.flows.object_count; i++) {
		all[i] = i;
		after.flows.objects[i].free_ns = after.flows.objects[i].free_idle_ns = RUN_UNKNOWN;
	}
	flows_ask_alone(&after.flows, &after.kept, all, after.flows.object_count);
	assert_true(flows_ask_together(&after.flows, &after.kept, all, after.flows.object_count) <= after.flows.idle_ns);
	for (size_t i = 0; i < after.flows.object_count; i++) {
		assert_true(after.flows.objects[i].free_idle_ns <= (int64_t)after.flows.idle_ns);
		if (before.objects[i].free_ns != RUN_UNKNOWN) {
			assert_int_equal(after.flows.objects[i].free_ns, before.objects[i].free_ns);
			assert_int_equal(after.flows.objects[i].free_idle_ns, before.objects[i].free_idle_ns);
		}
		asked += before.objects[i].free_ns != RUN_UNKNOWN;
	}
	assert_int_equal(asked, 3);
	assert_int_equal(flows_ask_together(&after.flows, &after.kept, all, 0), before.idle_ns);
	assert_int_equal(flows_ask_together(&after.flows, &after.kept, all, 1), before.objects[0].free_idle_ns);
	unload(&after);
	done(&session, &before);
}

static void events_can_be_left_out(void **state)
{
	struct session session;
	struct flows before;
	struct run run;
	struct flows after;
	struct fail why;
	(void)state;
	make_session("no_events\t1\n");
	save(&session, &before);
	assert_null(before.kept);
	struct store *store = store_open(recording, &why);
	assert_int_equal(store_load_flow(store, &run, &after, &why), 0);
	assert_int_equal(after.keeps, FLOWS_UNWANTED);
	assert_int_equal(after.minimum_ns, before.minimum_ns);
	flows_free(&after);
	run_free(&run);
	store_close(store);
	done(&session, &before);
}

/* So many chunks of 64 KiB, which are full. */
static enum flows_keeps keeps(size_t chunks)
{
	static uint64_t memory[8192];
	struct flows flows = {0};
	struct flow_spots spots;
	struct flows_kept all = {.logs = memory_zeroed(1, sizeof *all.logs), .count = 1};
	((struct flow_head *)(void *)memory)->used = sizeof memory - sizeof(struct flow_head);
	all.logs->chunks = memory_zeroed(chunks, sizeof *all.logs->chunks);
	all.logs->chunk_count = chunks;
	for (size_t i = 0; i < chunks; i++)
		all.logs->chunks[i] = (struct flow_logs_chunk){0, (uint32_t)i, memory, sizeof memory};
	flow_spots_start_given(&spots, 1);
	flows_keep(&flows, &all, &spots, true);
	assert_int_equal(flows.kept != NULL, flows.keeps == FLOWS_KEPT);
	enum flows_keeps result = flows.keeps;
	flow_spots_free(&spots);
	flows_free(&flows);
	return result;
}

static void too_many_events_are_left_out(void **state)
{
	(void)state;
	assert_int_equal(keeps(FLOWS_KEPT_BYTES >> 16), FLOWS_KEPT);
	assert_int_equal(keeps((FLOWS_KEPT_BYTES >> 16) + 1), FLOWS_TOO_MANY);
}

static void change(const char *text)
{
	char command[800];
	snprintf(command, sizeof command, "sqlite3 '%s' \"%s\"", recording, text);
	assert_int_equal(system(command), 0);
}

static void a_recording_that_lies_is_refused(void **state)
{
	static const char *const lies[] = {
		"update flow_log set bytes = bytes + 1 where chunk = 0 and lane = 1",
		"update flow_log set bytes = bytes - 1 where chunk = 0 and lane = 1",
		"update flow_log set bytes = 0",
		"update flow_log set bytes = -1",
		"update flow_log set bytes = 1 << 40",
		"update flow_log set log = x''",
		"update flow_log set log = x'789c'",
		"update flow_log set log = 'text'",
		"update flow_log set log = zeroblob(500)",
		"update flow_log set log = substr(log, 1, length(log) - 1) where lane = 0 and chunk = 1",
		"update flow_log set lane = -1 where lane = 0 and chunk = 0",
		"update flow_log set chunk = 1 << 40 where lane = 0 and chunk = 0",
		"update flow_log set process = 1",
		"update flow_switches set bytes = bytes / 2",
		"update flow_switches set log = x'00'",
		"update flow_process set process = 1",
		"update flow_process set ns_per_tick = 0",
		"update flow_process set ns_per_tick = -1",
		"update flow_process set ns_per_tick = 9e999",
		"update flow_process set ns_per_tick = 1e18",
		"update flow_process set start_tick = -1",
		"update flow_process set pid = -1",
		"delete from flow_process",
		"update flow_place set routine = 99999",
		"update flow_place set process = 7",
		"update flow_place set line = -1",
		"update flow_member set process = 7",
		"update flow_member set number = 1 << 25 where number = 4",
		"delete from flow_member where number = 1",
		"update flow_member set object = 99",
		"update flow_member set released = -1",
		"update flow_total set kept = 'perhaps'",
		/* 65 MiB, in pieces of which each is small */
		"insert into flow_log select run, 0, 9, key, 65536, x'00' from flow_process, json_each('[' || replace(hex(zeroblob(1040)), '00', '0,') || '0]')",
	};
	struct session session;
	struct flows flows;
	struct loaded after;
	struct fail why;
	(void)state;
	make_session("");
	save(&session, &flows);
	done(&session, &flows);
	for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
		lib_run("cp '%s' '%s.good'", recording, recording);
		change(lies[i]);
		if (load(&after, &why) == 0)
			fail_msg("nobody minds: %s", lies[i]);
		assert_non_null(strstr(why.text, "record again"));
		lib_run("mv '%s.good' '%s'", recording, recording);
	}
	assert_int_equal(load(&after, &why), 0);
	unload(&after);
}

/* ---- more than there is memory for ---- */

enum { LARGE_CHUNKS = 1536, LARGE_WORDS = 8192, LARGE_LANES = 3, MOST_MEMORY = 48 << 20 };

static size_t resident(void)
{
	size_t all = 0, now = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%zu %zu", &all, &now), 2);
	fclose(file);
	return now * (size_t)sysconf(_SC_PAGESIZE);
}

/* Lanes take their chunks in turn, as those of threads that do alike. */
static void write_large(const char *path)
{
	static struct {
		struct raw_table table;
		uint64_t words[LARGE_WORDS];
	} one;
	struct rawmake raw;
	rawmake_start(&raw, RAW_FINISHED);
	raw.file->lens = RAW_LENS_FLOW;
	raw.file->used_bytes = raw.file->file_bytes = RAW_HEADER_BYTES + (uint64_t)LARGE_CHUNKS * sizeof one;
	FILE *file = fopen(path, "wb");
	fwrite(raw.bytes, 1, RAW_HEADER_BYTES, file);
	for (uint32_t i = 0; i < LARGE_CHUNKS; i++) {
		struct flow_chunk chunk;
		one.table = (struct raw_table){.record = {.type = RAW_TABLE, .bytes = sizeof one},
		                               .kind = RAW_FLOW_LOG,
		                               .lane = i % LARGE_LANES,
		                               .row_bytes = sizeof(uint64_t),
		                               .object = i / LARGE_LANES,
		                               .capacity = LARGE_WORDS,
		                               .used = LARGE_WORDS};
		flow_chunk_start(&chunk, one.words, sizeof one.words, START + i);
		for (uint64_t k = 0; k < 3; k++)
			assert_true(
				flow_log_put(&chunk,
			                     &(struct flow_record){.time = START + i, .kind = FLOW_MARK, .field = {FLOW_MARK_MESSAGE}}));
		assert_int_equal(fwrite(&one, sizeof one, 1, file), 1);
	}
	fclose(file);
	rawmake_free(&raw);
}

/* Of what is mapped, only a part is in memory at a time: while records are looked at, and while events are merged. */
static void a_large_recording_needs_little_memory(void **state)
{
	struct raw_reader raw;
	struct fail why;
	struct flow_logs logs;
	struct flow_event e;
	struct flow_event_about about;
	char path[512];
	size_t before = resident(), events = 0;
	(void)state;
	snprintf(path, sizeof path, "%s/large.raw", folder);
	write_large(path);
	assert_int_equal(raw_reader_open(&raw, path, &why), 0);
	assert_in_range(resident(), 0, before + MOST_MEMORY);
	flow_logs_read(&logs, &raw);
	assert_in_range(resident(), 0, before + MOST_MEMORY);
	struct flow_events *all = flow_events_open(&logs, 1);
	while (flow_events_next(all, &e, &about))
		if (++events % 100 == 0)
			assert_in_range(resident(), 0, before + MOST_MEMORY);
	assert_int_equal(events, 3 * LARGE_CHUNKS);
	flow_events_close(all);
	flow_logs_free(&logs);
	raw_reader_close(&raw);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_large_recording_needs_little_memory, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(what_is_stored_comes_back, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(threads_are_known_by_their_numbers, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(what_if_is_what_the_analysis_found, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(events_can_be_left_out, make_folder, remove_folder),
		cmocka_unit_test(too_many_events_are_left_out),
		cmocka_unit_test_setup_teardown(a_recording_that_lies_is_refused, make_folder, remove_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
