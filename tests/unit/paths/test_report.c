/* SPDX-License-Identifier: MIT */
/* From raw recordings of copies to profiles, on random programs, against the calls that were made.
 *
 * The slow way: each call is cut at its back edges, and pieces that are the same are counted.
 *
 * Called as `test_paths_report --session FOLDER COPIES [differ]` it only leaves the session of a known program there. */
#include "unit/lib.h"

#define run walks_of_a_plan /* make.h has a struct of that name, too */
#include "unit/paths/make.h"
#undef run

#include "analyse/paths/paths.h"
#include "store/store.h"
#include "unit/paths/session.h"

#include "unit/session.h" /* last: others have parameters that are called folder */

/* ---- what was really done ---- */

enum { PIECES = 4000 };

struct piece {
	uint32_t function, begin, length;
	uint32_t edge[MADE_STEPS];
	uint32_t stop; /* block, or PATHS_NONE */
	uint64_t count;
};

static struct pathsession s;
static struct piece pieces[PIECES];
static uint32_t piece_count;
static uint64_t passed[MADE_FUNCTIONS][MADE_EDGES + 1];

static void add_piece(const struct piece *p)
{
	for (uint32_t i = 0; i < piece_count; i++) {
		struct piece *q = &pieces[i];
		if (q->function == p->function && q->begin == p->begin && q->length == p->length && q->stop == p->stop &&
		    memcmp(q->edge, p->edge, p->length * sizeof *p->edge) == 0) {
			q->count++;
			return;
		}
	}
	assert_true(piece_count < PIECES);
	pieces[piece_count] = *p;
	pieces[piece_count++].count = 1;
}

static bool is_back(const struct made *m, uint32_t edge)
{
	return m->g.arc[m->g.arc_of[edge]].kind == PATHS_TAIL;
}

static void remember(const struct made_call *call)
{
	const struct made *m = &s.made[call->function];
	struct piece p = {.function = call->function, .begin = PATHS_NONE, .stop = PATHS_NONE};
	uint32_t block = 0;
	passed[call->function][m->edges]++;
	for (uint32_t i = 0; i < call->length; i++) {
		p.edge[p.length++] = call->edge[i];
		passed[call->function][call->edge[i]]++;
		block = m->edge[call->edge[i]].to;
		if (block != PATHS_EXIT && !is_back(m, call->edge[i]))
			continue;
		add_piece(&p);
		p.begin = block;
		p.length = 0;
	}
	if (call->stops) {
		p.stop = block;
		add_piece(&p);
	}
}

/* ---- random programs ---- */

/* Few blocks with many edges between them: too many paths for an array. */
static void make_many_paths(struct made *m)
{
	m->blocks = 11;
	for (uint32_t v = 0; v < m->blocks; v++)
		for (uint32_t i = 0; i < 4; i++)
			m->edge[m->edges++] = (struct paths_edge){v, v + 1 < m->blocks ? v + 1 : i ? PATHS_EXIT : pick(m->blocks), 0};
	for (uint32_t v = 0; v < m->blocks; v++)
		m->stops[v] = pick(4) == 0;
}

static void make_program(uint32_t copies, enum paths_how how)
{
	pathsession_start(&s, copies, how);
	s.turns = how == PATHS_HOW_BEST && pick(2);
	s.pbl = how == PATHS_HOW_P3 && pick(4) == 0;
	piece_count = 0;
	memset(passed, 0, sizeof passed);
	for (uint32_t i = 0; i < 4; i++) {
		char name[16];
		struct function f;
		snprintf(name, sizeof name, "f%u", i);
		struct made *m = pathsession_add(&s, name, 1000 * (i + 1));
		if (i == 3) {
			make_many_paths(m);
		} else {
			make_edges(&f, 10);
			m->blocks = f.blocks;
			m->edges = f.edges;
			memcpy(m->edge, f.edge, f.edges * sizeof *f.edge);
			memcpy(m->stops, f.stops, f.blocks);
		}
		for (uint32_t e = 0; e <= m->edges; e++)
			m->passed[e] = 1 + pick(1000);
	}
	assert_int_equal(pathsession_plan(&s), 0);
}

static uint32_t stop_odds = 30;

static void call_randomly(void)
{
	struct made_call call = {.function = pick(s.functions), .process = pick(MADE_PROCESSES), .lane = pick(MADE_LANES)};
	const struct made *m = &s.made[call.function];
	uint32_t v = 0;
	while (v != PATHS_EXIT) {
		if (m->stops[v] && (call.length > 40 || pick(stop_odds) == 0)) {
			call.stops = true;
			break;
		}
		if (call.length == MADE_STEPS)
			return; /* it never comes to an end: it was never made */
		uint32_t count = 0, e = 0;
		for (uint32_t i = 0; i < m->edges; i++)
			if (m->edge[i].from == v && pick(++count) == 0)
				e = i;
		call.edge[call.length++] = e;
		v = m->edge[e].to;
	}
	pathsession_call(&s, &call);
	remember(&call);
}

/* ---- what is reported ---- */

static uint32_t function_of(const struct paths *p, const struct paths_profile *f)
{
	for (uint32_t i = 0; i < s.functions; i++)
		if (strcmp(s.made[i].name, p->run->routines[f->routine].linkage) == 0)
			return i;
	fail_msg("there is no such function");
	return 0;
}

static const struct piece *find_piece(uint32_t function, uint32_t begin, const uint32_t *edge, uint32_t length, uint32_t stop)
{
	for (uint32_t i = 0; i < piece_count; i++) {
		const struct piece *q = &pieces[i];
		if (q->function == function && q->begin == begin && q->length == length && q->stop == stop &&
		    memcmp(q->edge, edge, length * sizeof *edge) == 0)
			return q;
	}
	return NULL;
}

static void check_paths(const struct paths *p, const struct paths_profile *f, uint32_t function)
{
	uint32_t wanted = 0;
	for (uint32_t i = 0; i < piece_count; i++)
		wanted += pieces[i].function == function && pieces[i].stop == PATHS_NONE;
	assert_int_equal(f->paths, wanted);
	for (size_t i = 0; i < f->paths; i++) {
		const struct paths_path *path_at = &p->list[f->first_path + i];
		const struct piece *q = find_piece(function, path_at->begin, p->steps + path_at->first_step, path_at->length, PATHS_NONE);
		assert_non_null(q);
		assert_int_equal(path_at->count, q->count);
		assert_true(i == 0 || path_at[-1].count >= path_at->count);
		assert_true(path_at->copy < s.copies && s.made[function].counts[path_at->copy]);
	}
}

static void check_stops(const struct paths *p, const struct paths_profile *f, uint32_t function)
{
	uint64_t told = 0, wanted = 0;
	for (uint32_t i = 0; i < piece_count; i++)
		wanted += pieces[i].function == function && pieces[i].stop != PATHS_NONE ? pieces[i].count : 0;
	for (size_t i = 0; i < f->stops; i++) {
		const struct paths_stop *stop = &p->stops[f->first_stop + i];
		told += stop->count;
		assert_true(stop->is_known);
		const struct piece *q = find_piece(function, stop->begin, p->steps + stop->first_step, stop->length, stop->block);
		assert_non_null(q);
		assert_int_equal(stop->count, q->count);
	}
	assert_int_equal(told, wanted);
}

static void check_edges(const struct paths *p, const struct paths_profile *f, uint32_t function)
{
	for (uint32_t e = 0; e <= f->edges; e++)
		assert_int_equal(p->passed[f->first_edge + e], passed[function][e]);
	assert_int_equal(f->entries, passed[function][f->edges]);
	for (size_t i = 0; i < f->parts; i++) {
		const struct paths_part *part = &p->parts[f->first_part + i];
		const struct paths_hits *hits = &s.made[function].hits[part->copy];
		assert_true(part->hits.increments == hits->increments && part->hits.updates == hits->updates &&
		            part->hits.zeroed == hits->zeroed);
	}
}

static void check_all(const struct paths *p)
{
	assert_int_equal(p->profile_count, s.functions);
	assert_int_equal(p->undecoded, 0);
	assert_int_equal(p->copies, s.copies);
	/* copy c loses c events in each process */
	assert_int_equal(run_lost_events(p->run), MADE_PROCESSES * s.copies * (s.copies - 1) / 2);
	for (size_t i = 0; i < p->profile_count; i++) {
		const struct paths_profile *f = &p->profiles[i];
		uint32_t function = function_of(p, f);
		check_paths(p, f, function);
		check_stops(p, f, function);
		check_edges(p, f, function);
	}
}

static void build(struct session *session, struct paths *p)
{
	struct fail why;
	if (session_read(session, folder, &why) < 0 || paths_build(session, p, &why) < 0)
		fail_msg("%s", why.text);
}

static void done(struct session *session, struct paths *p)
{
	paths_free(p);
	session_free(session);
	run_free(&session->run);
}

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

/* ---- only some paths ---- */

static struct listing all_paths[MADE_FUNCTIONS]; /* a path's number is its place there */

static bool is_named(const struct made *m, uint32_t number)
{
	for (uint32_t i = 0; i < m->name_count; i++)
		if (m->names[i] == number)
			return true;
	return false;
}

static bool is_wanted(const struct made *m, uint32_t number)
{
	return is_named(m, number) == (strcmp(m->asked, "these") == 0);
}

/* All arcs of all paths that are asked for, and no others. */
static void ask_randomly(struct made *m, struct listing *all)
{
	list_paths(&m->g, all);
	if (m->g.cuts || all->too_many)
		return;
	uint32_t odds = 1 + pick(6);
	m->asked = pick(2) ? "these" : "others";
	for (uint32_t i = 0; i < all->count && m->name_count < MADE_NAMES; i++)
		if (pick(odds + all->count / 20) == 0)
			m->names[m->name_count++] = i;
	uint8_t *chosen = m->chosen[0] = calloc(m->g.arcs, 1);
	for (uint32_t i = 0; i < all->count; i++)
		for (uint32_t k = 0; is_wanted(m, i) && k < all->length[i]; k++)
			chosen[all->arcs[i][k]] = 1;
	assert_int_equal(paths_body_plan(&m->plan[0], &m->g, PATHS_HOW_ALL, chosen, m->weights, &s.memory), PATHS_OK);
}

static uint32_t number_of(const struct made *m, const struct listing *all, const struct piece *p)
{
	for (uint32_t i = 0; i < all->count; i++) {
		const struct paths_arc *first = &m->g.arc[all->arcs[i][0]];
		bool same = all->length[i] == p->length + 1 &&
			(p->begin == PATHS_NONE ? first->kind != PATHS_HEAD : first->kind == PATHS_HEAD && first->to == p->begin);
		for (uint32_t k = 0; same && k < p->length; k++)
			same = m->g.arc[all->arcs[i][k + 1]].edge == p->edge[k];
		if (same)
			return i;
	}
	fail_msg("there is no such path");
	return 0;
}

static bool is_counted(const struct made *m, const struct listing *all, uint32_t number)
{
	for (uint32_t k = 0; k < all->length[number]; k++)
		if (!m->chosen[0][all->arcs[number][k]])
			return false;
	return true;
}

static uint64_t check_asked(const struct paths *p, const struct paths_profile *f, const struct made *m, uint32_t function)
{
	const struct listing *all = &all_paths[function];
	uint64_t wanted = 0, others = 0, others_taken = 0, stopped = 0, told = 0;
	for (uint32_t i = 0; i < piece_count; i++) {
		const struct piece *q = &pieces[i];
		if (q->function != function)
			continue;
		stopped += q->stop != PATHS_NONE ? q->count : 0;
		uint32_t number = q->stop == PATHS_NONE ? number_of(m, all, q) : 0;
		bool asked = q->stop == PATHS_NONE && is_wanted(m, number),
		     other = q->stop == PATHS_NONE && !asked && is_counted(m, all, number);
		wanted += asked;
		others += other;
		others_taken += other ? q->count : 0;
		bool found = false;
		for (size_t k = 0; asked && k < f->paths; k++)
			found |= p->list[f->first_path + k].number == number && p->list[f->first_path + k].count == q->count;
		assert_true(found == asked);
	}
	assert_int_equal(f->paths, wanted);
	assert_int_equal(f->others, others);
	assert_int_equal(f->others_taken, others_taken);
	assert_true(paths_asked(f) == (strcmp(m->asked, "these") == 0 ? m->name_count : all->count - m->name_count));
	for (size_t i = 0; i < f->stops; i++) {
		const struct paths_stop *stop = &p->stops[f->first_stop + i];
		const struct piece *q =
			stop->is_known ? find_piece(function, stop->begin, p->steps + stop->first_step, stop->length, stop->block) : NULL;
		told += stop->count;
		assert_true(!stop->is_known || (q && q->count == stop->count));
	}
	assert_int_equal(told, stopped);
	return others;
}

static void only_what_was_asked_for_is_told(void **state)
{
	uint64_t wanted = graphs_wanted(400), others = 0;
	(void)state;
	for (uint64_t seed = 1; seed <= wanted; seed++) {
		struct session session;
		struct paths p;
		seed_with(seed);
		make_program(1, PATHS_HOW_ALL);
		for (uint32_t i = 0; i < s.functions; i++)
			ask_randomly(&s.made[i], &all_paths[i]);
		for (uint32_t i = 0; i < 120; i++)
			call_randomly();
		pathsession_write(&s, folder);
		build(&session, &p);
		for (size_t i = 0; i < p.profile_count; i++) {
			uint32_t function = function_of(&p, &p.profiles[i]);
			struct made *m = &s.made[function];
			others += m->asked ? check_asked(&p, &p.profiles[i], m, function) : 0;
			if (m->asked)
				free(m->chosen[0]);
		}
		done(&session, &p);
	}
	assert_true(others > 0);
}

/* ---- a recording of it ---- */

static void what_is_stored_is_what_is_loaded(void **state)
{
	uint64_t wanted = graphs_wanted(400) / 25;
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
			            p.profiles[i].sequential.updates == again.profiles[i].sequential.updates);
		store_close(store);
		paths_free(&again);
		run_free(&run);
		done(&session, &p);
	}
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
	                                   cmocka_unit_test(only_what_was_asked_for_is_told),
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
