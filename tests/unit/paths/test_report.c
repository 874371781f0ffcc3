/* SPDX-License-Identifier: MIT */
/* From raw recordings of copies to profiles, on random programs, against the calls that were made.
 *
 * Called as `test_report --session FOLDER COPIES [differ]` it only leaves the session of a known program there. */
#include "unit/paths/program.h"

static void copies_together_tell_what_was_called(void **state)
{
	uint64_t wanted = graphs_wanted(400), split = 0, turns = 0, cut = 0, stopped = 0;
	(void)state;
	for (uint64_t seed = 1; seed <= wanted; seed++) {
		struct session session;
		struct paths p;
		seed_with(seed);
		uint32_t copies = seed % 3 ? 1 + pick(MADE_COPIES) : 1;
		stop_odds = seed % 2 ? 30 : 4;
		make_program(copies, copies == 1 ? PATHS_HOW_ALL : pick(3) ? PATHS_HOW_BEST : PATHS_HOW_P3);
		for (uint32_t i = 0; i < 120; i++)
			call_randomly();
		pathsession_write(&s, folder);
		build(&session, &p);
		check_all(&p);
		for (size_t i = 0; i < p.profile_count; i++) {
			split += (p.profiles[i].flags & PATHS_IS_SPLIT) != 0;
			turns += (p.profiles[i].flags & PATHS_IS_TURNS) != 0;
			cut += (p.profiles[i].flags & PATHS_IS_CUT) != 0;
			stopped += p.profiles[i].flags & PATHS_IS_SPLIT && p.profiles[i].stops;
		}
		assert_int_equal(p.differ_count, 0);
		done(&session, &p);
	}
	assert_true(split && turns && cut && stopped);
}

/* ---- a recording of it ---- */

static void what_is_stored_is_what_is_loaded(void **state)
{
	uint64_t wanted = graphs_wanted(400) / 25, probes = 0;
	(void)state;
	for (uint64_t seed = 1; seed <= wanted; seed++) {
		struct session session;
		struct paths p, again;
		struct run run;
		struct fail why;
		char aside[PATH_MAX];
		seed_with(seed);
		uint32_t copies = 1 + pick(MADE_COPIES);
		make_program(copies, copies == 1 ? PATHS_HOW_ALL : PATHS_HOW_P3);
		for (uint32_t i = 0; i < 120; i++)
			call_randomly();
		pathsession_write(&s, folder);
		build(&session, &p);
		p.threshold = 7;
		unlink(recording);
		assert_int_equal(store_save_paths(recording, &p, aside, &why), 0);
		struct store *store = store_open(recording, &why);
		assert_non_null(store);
		if (store_load_paths(store, &run, &again, &why) < 0)
			fail_msg("%s", why.text);
		check_all(&again);
		for (size_t i = 0; i < p.path_count; i++) {
			const struct paths_path *x = &p.list[i], *y = &again.list[i];
			assert_true(x->number == y->number && x->kind == y->kind && x->blocks == y->blocks &&
			            x->instructions == y->instructions && x->copy == y->copy);
		}
		for (size_t i = 0; i < p.profile_count; i++)
			assert_true(p.profiles[i].flags == again.profiles[i].flags &&
			            p.profiles[i].sequential.updates == again.profiles[i].sequential.updates &&
			            p.profiles[i].sequential_probes.increments == again.profiles[i].sequential_probes.increments &&
			            p.profiles[i].sequential_probes.updates == again.profiles[i].sequential_probes.updates);
		assert_int_equal(p.part_count, again.part_count);
		for (size_t i = 0; i < p.part_count; i++) {
			assert_memory_equal(&p.parts[i].probes, &again.parts[i].probes, sizeof p.parts[i].probes);
			probes += p.parts[i].probes.increments;
		}
		assert_true(again.threshold == 7);
		store_close(store);
		paths_free(&again);
		run_free(&run);
		done(&session, &p);
	}
	assert_true(probes > 0);
}

/* ---- numbers ---- */

/* By trying all paths: numbers are those of the graph, each once. */
static void numbers_are_those_of_all_paths(void **state)
{
	uint64_t wanted = graphs_wanted(400);
	static struct listing all;
	(void)state;
	for (uint64_t seed = 1; seed <= wanted; seed++) {
		struct paths_mark mark = paths_mark(&memory);
		struct function f;
		struct run run;
		struct paths p;
		seed_with(seed);
		make_function(&f, 10, NULL);
		list_paths(&f.g, &all);
		run_start(&run);
		paths_start(&p, &run);
		struct paths_profile profile = {.blocks = f.blocks, .edges = f.edges};
		for (uint32_t b = 0; b < f.blocks; b++)
			paths_add_block(&p, &(struct paths_block){.instructions = 1}, f.stops[b]);
		for (uint32_t e = 0; e <= f.edges; e++)
			paths_add_edge(&p, &f.edge[e < f.edges ? e : 0]);
		for (uint32_t i = 0; i < all.count && !all.too_many; i++) {
			struct paths_path mine = {.begin = PATHS_NONE, .count = 1, .first_step = p.step_count, .length = all.length[i] - 1};
			if (f.g.arc[all.arcs[i][0]].kind == PATHS_HEAD)
				mine.begin = f.g.arc[all.arcs[i][0]].to;
			for (uint32_t k = 1; k < all.length[i]; k++)
				paths_add_step(&p, f.g.arc[all.arcs[i][k]].edge);
			MEMORY_GROW(p.list, p.path_count, p.path_room);
			p.list[p.path_count++] = mine;
		}
		profile.paths = p.path_count;
		MEMORY_GROW(p.profiles, p.profile_count, p.profile_room);
		p.profiles[p.profile_count++] = profile;
		assert_true(paths_complete(&p, &p.profiles[0], &memory));
		assert_true(all.too_many || p.profiles[0].possible == all.count);
		for (size_t i = 0; i < p.path_count; i++) {
			assert_int_equal(p.list[i].number, i); /* sorted by it, since all counts are equal */
			assert_int_equal(p.list[i].blocks, p.list[i].instructions);
		}
		paths_free(&p);
		run_free(&run);
		paths_release(&memory, mark);
	}
}

/* ---- copies that differ ---- */

static void copies_that_differ_are_found_out(void **state)
{
	struct session session;
	struct paths p;
	(void)state;
	seed_with(7);
	make_program(3, PATHS_HOW_P3);
	for (uint32_t i = 0; i < 120; i++)
		call_randomly();
	s.made[2].lane[1][0][0].entries += 5;
	pathsession_write(&s, folder);
	build(&session, &p);
	assert_int_equal(p.differ_count, 1);
	assert_string_equal(p.run->routines[p.profiles[p.differs[0].profile].routine].linkage, "f2");
	assert_int_equal(p.differs[0].copy, 1);
	assert_int_equal(p.differs[0].other, p.differs[0].first + 5);
	done(&session, &p);
}

static void a_missing_copy_is_said(void **state)
{
	struct session session;
	struct paths p;
	struct fail why;
	char file[128];
	(void)state;
	seed_with(8);
	make_program(3, PATHS_HOW_P3);
	pathsession_write(&s, folder);
	snprintf(file, sizeof file, "%s/copy-2/session", folder);
	unlink(file);
	assert_int_equal(session_read(&session, folder, &why), 0);
	assert_int_equal(paths_build(&session, &p, &why), -1);
	assert_non_null(strstr(why.text, "copy 2 of 3 left no readable recording"));
	session_free(&session);
	run_free(&session.run);
}

/* ---- damage ---- */

/* Whatever a file says: an answer or a sentence, and no crash. */
static void damaged_sessions_are_survived(void **state)
{
	uint64_t wanted = graphs_wanted(400);
	uint32_t read = 0, refused = 0;
	(void)state;
	seed_with(9);
	make_program(1, PATHS_HOW_ALL);
	for (uint32_t i = 0; i < 60; i++)
		call_randomly();
	for (uint64_t i = 1; i <= wanted; i++) {
		static const char *const names[] = {"shape", "shape", "0.raw"};
		struct session session;
		struct paths p;
		struct fail why;
		char file[128];
		seed_with(i);
		pathsession_write(&s, folder);
		snprintf(file, sizeof file, "%s/%s", folder, names[pick(3)]);
		FILE *open = fopen(file, "r+");
		fseek(open, 0, SEEK_END);
		long size = ftell(open), from = strstr(file, "raw") ? RAW_HEADER_BYTES : 0;
		for (uint32_t k = 0; k < 1 + pick(3); k++) {
			fseek(open, from + pick((uint32_t)(size - from)), SEEK_SET);
			fputc(from ? (int)pick(256) : "0123456789\t\nabcefnox*-"[pick(22)], open);
		}
		fclose(open);
		if (session_read(&session, folder, &why) < 0)
			continue;
		if (paths_build(&session, &p, &why) == 0) {
			read++;
			paths_free(&p);
		} else {
			refused++;
			assert_true(strlen(why.text) > 10);
		}
		session_free(&session);
		run_free(&session.run);
	}
	assert_true(read && refused);
}

/* ---- the known program ---- */

static void edge(struct made *m, uint32_t from, uint32_t to)
{
	m->edge[m->edges++] = (struct paths_edge){from, to, 0};
}

static void call(uint32_t function, uint32_t length, const uint32_t *edges, bool stops)
{
	struct made_call mine = {.function = function, .length = length, .stops = stops};
	memcpy(mine.edge, edges, length * sizeof *edges);
	pathsession_call(&s, &mine);
}

/* compress runs a loop 60 times in each of 10 calls, 54 of them by block 3 and 6 by block 4; parse goes one of two
 * ways, 30 and 10 times, and once ends in a call that does not come back; many has 4^10 paths; nobody calls idle. */
static void make_known(uint32_t copies)
{
	pathsession_start(&s, copies, copies > 1 ? PATHS_HOW_P3 : PATHS_HOW_ALL);
	struct made *m = pathsession_add(&s, "compress", 100);
	m->blocks = 6;
	edge(m, 0, 1), edge(m, 1, 2), edge(m, 1, 5), edge(m, 2, 3), edge(m, 2, 4), edge(m, 3, 1), edge(m, 4, 1), edge(m, 5, PATHS_EXIT);
	m = pathsession_add(&s, "_ZN4text5parseEi", 300);
	m->blocks = 4;
	m->stops[1] = 1;
	edge(m, 0, 1), edge(m, 0, 2), edge(m, 1, 3), edge(m, 2, 3), edge(m, 3, PATHS_EXIT);
	m = pathsession_add(&s, "many", 500);
	make_many_paths(m);
	m->edge[40].to = PATHS_EXIT;
	memset(m->stops, 0, sizeof m->stops);
	m = pathsession_add(&s, "idle", 700);
	m->blocks = 1;
	edge(m, 0, PATHS_EXIT);
	if (pathsession_plan(&s) != 0)
		abort();
	for (uint32_t i = 0; i < 10; i++) {
		uint32_t list[MADE_STEPS] = {0}, at = 1;
		for (uint32_t k = 0; k < 60; k++) {
			list[at++] = 1;
			list[at++] = k % 10 ? 3 : 4;
			list[at++] = k % 10 ? 5 : 6;
		}
		list[at++] = 2;
		list[at++] = 7;
		call(0, at, list, false);
	}
	for (uint32_t i = 0; i < 40; i++)
		call(1, 3, i % 4 ? (const uint32_t[]){0, 2, 4} : (const uint32_t[]){1, 3, 4}, false);
	call(1, 1, (const uint32_t[]){0}, true);
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t list[11];
		for (uint32_t k = 0; k < 11; k++)
			list[k] = 4 * k + (i > 1);
		call(2, 11, list, false);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(copies_together_tell_what_was_called),
	                                   cmocka_unit_test(what_is_stored_is_what_is_loaded),
	                                   cmocka_unit_test(numbers_are_those_of_all_paths),
	                                   cmocka_unit_test(copies_that_differ_are_found_out),
	                                   cmocka_unit_test(a_missing_copy_is_said),
	                                   cmocka_unit_test(damaged_sessions_are_survived)};
	if (argc > 3 && strcmp(argv[1], "--session") == 0) {
		make_known((uint32_t)atoi(argv[3]));
		if (argc > 4)
			s.made[0].lane[1][0][0].entries++;
		pathsession_write(&s, argv[2]);
		return 0;
	}
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
