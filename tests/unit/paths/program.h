/* SPDX-License-Identifier: MIT */
/* program.h: random programs that run as copies, what they really did, and a profile held against it. The slow way: each call is cut at
 * its back edges, and pieces that are the same are counted. */
#ifndef SKEIN_UNIT_PATHS_PROGRAM_H
#define SKEIN_UNIT_PATHS_PROGRAM_H

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

static inline void add_piece(const struct piece *p)
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

static inline bool is_back(const struct made *m, uint32_t edge)
{
	return m->g.arc[m->g.arc_of[edge]].kind == PATHS_TAIL;
}

static inline void remember(const struct made_call *call)
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
static inline void make_many_paths(struct made *m)
{
	m->blocks = 11;
	for (uint32_t v = 0; v < m->blocks; v++)
		for (uint32_t i = 0; i < 4; i++)
			m->edge[m->edges++] = (struct paths_edge){v, v + 1 < m->blocks ? v + 1 : i ? PATHS_EXIT : pick(m->blocks), 0};
	for (uint32_t v = 0; v < m->blocks; v++)
		m->stops[v] = pick(4) == 0;
}

static inline void make_program(uint32_t copies, enum paths_how how)
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

static inline void call_randomly(void)
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

static inline uint32_t function_of(const struct paths *p, const struct paths_profile *f)
{
	for (uint32_t i = 0; i < s.functions; i++)
		if (strcmp(s.made[i].name, p->run->routines[f->routine].linkage) == 0)
			return i;
	fail_msg("there is no such function");
	return 0;
}

static inline const struct piece *find_piece(uint32_t function, uint32_t begin, const uint32_t *edge, uint32_t length, uint32_t stop)
{
	for (uint32_t i = 0; i < piece_count; i++) {
		const struct piece *q = &pieces[i];
		if (q->function == function && q->begin == begin && q->length == length && q->stop == stop &&
		    memcmp(q->edge, edge, length * sizeof *edge) == 0)
			return q;
	}
	return NULL;
}

static inline void check_paths(const struct paths *p, const struct paths_profile *f, uint32_t function)
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

static inline void check_stops(const struct paths *p, const struct paths_profile *f, uint32_t function)
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

static inline void check_edges(const struct paths *p, const struct paths_profile *f, uint32_t function)
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

static inline void check_all(const struct paths *p)
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

static inline void build(struct session *session, struct paths *p)
{
	struct fail why;
	if (session_read(session, folder, &why) < 0 || paths_build(session, p, &why) < 0)
		fail_msg("%s", why.text);
}

static inline void done(struct session *session, struct paths *p)
{
	paths_free(p);
	session_free(session);
	run_free(&session->run);
}

#endif
