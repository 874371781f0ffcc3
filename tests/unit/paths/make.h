/* SPDX-License-Identifier: MIT */
/* make.h: random functions, all their paths by trying every arc, and walks that execute a plan's operations one by one. */
#ifndef PATHSMAKE_H
#define PATHSMAKE_H

#include "unit/lib.h"

#include "core/paths/plan.h"

enum { BLOCKS_MAX = 12, EDGES_MAX = 64, ARCS_MAX = 128, LENGTH_MAX = 32, PATHS_LISTED = 2000, STEPS = 150 };

static uint64_t random_state = 1;

static uint32_t pick(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)((random_state >> 20) % below);
}

static void seed_with(uint64_t seed)
{
	random_state = seed * 0x9e3779b97f4a7c15ull + 1;
	pick(2);
}

/* How many random graphs: PATHS_GRAPHS says, if it is set. */
static inline uint64_t graphs_wanted(uint64_t usual)
{
	const char *s = getenv("PATHS_GRAPHS");
	return s ? strtoull(s, NULL, 10) : usual;
}

static void *more_bytes(void *context, size_t bytes)
{
	(void)context;
	return malloc(bytes);
}

static struct paths_memory memory = {.more = more_bytes};

struct function {
	uint32_t blocks, edges;
	struct paths_edge edge[EDGES_MAX];
	uint8_t stops[BLOCKS_MAX];
	struct paths_graph g;
};

/* Blocks that cannot come to an end must be able to stop: walks have to. */
static void let_stop(struct function *f)
{
	bool ends[BLOCKS_MAX] = {false};
	for (uint32_t round = 0; round < f->blocks; round++)
		for (uint32_t e = 0; e < f->edges; e++)
			ends[f->edge[e].from] |= f->edge[e].to == PATHS_EXIT || ends[f->edge[e].to];
	for (uint32_t v = 0; v < f->blocks; v++)
		f->stops[v] = !ends[v] || pick(6) == 0;
}

static void make_edges(struct function *f, uint32_t blocks)
{
	*f = (struct function){.blocks = 1 + pick(blocks)};
	uint32_t bias = pick(3);
	for (uint32_t v = 0; v < f->blocks; v++) {
		static const uint8_t usual[] = {0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 5};
		uint32_t count = usual[pick(sizeof usual)];
		for (uint32_t i = 0; i < count || i == 0; i++) {
			uint32_t to = pick(f->blocks);
			if (bias && to <= v && v + 1 < f->blocks)
				to = v + 1 + pick(f->blocks - v - 1); /* mostly onwards */
			if (bias == 2 && pick(4) == 0)
				to = pick(f->blocks);
			if (count == 0 || (v + 1 == f->blocks && i == 0) || pick(20) == 0)
				to = PATHS_EXIT;
			f->edge[f->edges++] = (struct paths_edge){v, to, pick(20) == 0 ? PATHS_PINNED : 0};
		}
	}
	let_stop(f);
}

static inline void make_function(struct function *f, uint32_t blocks, const struct paths_limits *limits)
{
	make_edges(f, blocks);
	assert_int_equal(paths_graph_build(&f->g, f->blocks, f->edge, f->edges, f->stops, limits, &memory), PATHS_OK);
	assert_true(f->g.arcs <= ARCS_MAX);
}

/* All ways from entry to exit. */
struct listing {
	uint32_t count;
	bool too_many;
	uint32_t length[PATHS_LISTED];
	uint32_t arcs[PATHS_LISTED][LENGTH_MAX];
};

static void list_from(const struct paths_graph *g, struct listing *l, uint32_t v, uint32_t *way, uint32_t length)
{
	if (v == g->exit) {
		if (l->count == PATHS_LISTED) {
			l->too_many = true;
			return;
		}
		memcpy(l->arcs[l->count], way, length * sizeof *way);
		l->length[l->count++] = length;
		return;
	}
	assert_true(length < LENGTH_MAX);
	for (uint32_t a = 0; a < g->arcs && !l->too_many; a++) {
		if (g->arc[a].from != v)
			continue;
		way[length] = a;
		list_from(g, l, g->arc[a].to, way, length + 1);
	}
}

static inline void list_paths(const struct paths_graph *g, struct listing *l)
{
	uint32_t way[LENGTH_MAX];
	l->count = 0;
	l->too_many = false;
	list_from(g, l, g->entry, way, 0);
}

/* A path as the edges that were passed, the first of which is that of the entry, or stands for the head where it began. */
struct walked {
	uint32_t length;
	uint32_t edge[LENGTH_MAX + STEPS];
};

static inline bool same_walk(const struct walked *a, const struct walked *b)
{
	return a->length == b->length && memcmp(a->edge, b->edge, a->length * sizeof *a->edge) == 0;
}

#define FROM_HEAD 0x80000000u

static inline void walked_of_arcs(const struct paths_graph *g, const uint32_t *arcs, uint32_t count, struct walked *w)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct paths_arc *a = &g->arc[arcs[i]];
		if (a->kind == PATHS_CUT_HEAD)
			continue;
		w->edge[w->length++] = a->kind == PATHS_HEAD ? FROM_HEAD | a->to : a->edge;
	}
}

/* What a run left behind: counters by index, prefixes by place, how often each edge was passed, and what was really walked. */
enum { COUNTERS = 4096, WALKS = 1024 };

struct run {
	const struct function *f;
	const struct paths_plan *plan;
	uint32_t counters, prefixes, walks;
	uint64_t index[COUNTERS], counted[COUNTERS], prefix[COUNTERS];
	struct walked walk[WALKS];
	uint64_t walk_count[WALKS];
	double passed[EDGES_MAX + 1];
	struct paths_hits hits;
	bool stopped;
	bool counts; /* this call */
	bool whole;  /* the plan is one of all paths */
};

static void count_index(struct run *r, uint64_t index)
{
	uint32_t i = 0;
	if (!r->f->g.cuts)
		assert_true(index < r->plan->keys);
	while (i < r->counters && r->index[i] != index)
		i++;
	if (i == r->counters) {
		assert_true(r->counters++ < COUNTERS);
		r->index[i] = index;
		r->counted[i] = 0;
	}
	r->counted[i]++;
}

static uint64_t place_of(struct run *r, uint64_t key)
{
	uint32_t i = 0;
	while (i < r->prefixes && r->prefix[i] != key)
		i++;
	if (i == r->prefixes) {
		assert_true(r->prefixes++ < COUNTERS);
		r->prefix[i] = key;
	}
	return i + 1;
}

static void execute(struct run *r, uint32_t edge, uint64_t *reg)
{
	if (!r->counts)
		return;
	r->passed[edge]++;
	for (uint32_t i = 0; i < r->plan->count; i++) {
		const struct paths_op *op = &r->plan->op[i];
		if (op->edge != edge)
			continue;
		switch (op->kind) {
		case PATHS_SET:
			*reg = op->value;
			*(op->value ? &r->hits.increments : &r->hits.zeroed) += 1;
			break;
		case PATHS_ADD:
			*reg += op->value;
			r->hits.increments++;
			break;
		case PATHS_COUNT:
			count_index(r, *reg + op->value);
			r->hits.updates++;
			break;
		case PATHS_COUNT_AT:
			count_index(r, op->value);
			r->hits.updates++;
			break;
		default: *reg = place_of(r, *reg + op->value) * r->plan->labels.paths; r->hits.updates++;
		}
	}
}

static void walk_ended(struct run *r, struct walked *w)
{
	uint32_t i = 0;
	while (i < r->walks && !same_walk(&r->walk[i], w))
		i++;
	if (i == r->walks) {
		assert_true(r->walks++ < WALKS);
		r->walk[i] = *w;
		r->walk_count[i] = 0;
	}
	r->walk_count[i]++;
}

/* The path that an index stands for, through its prefixes: the first `known` arcs of its last segment. */
static inline bool walked_of_index(const struct run *r, uint64_t index, uint32_t known, struct walked *w)
{
	uint64_t keys[LENGTH_MAX], paths = r->plan->labels.paths;
	uint32_t arcs[ARCS_MAX], depth = 0;
	for (;;) {
		assert_true(depth < LENGTH_MAX);
		keys[depth++] = index;
		if (!r->f->g.cuts || index < paths)
			break;
		assert_true(index / paths - 1 < r->prefixes);
		index = r->prefix[index / paths - 1];
	}
	w->length = 0;
	while (depth--) {
		uint64_t number = r->f->g.cuts ? keys[depth] % paths : keys[depth];
		uint32_t count = paths_decode(&r->plan->labels, &r->f->g, number, arcs);
		if (!count)
			return false;
		walked_of_arcs(&r->f->g, arcs, depth == 0 && count > known ? known : count, w);
	}
	return true;
}

/* A frame that stopped is known by its register. */
static void stopped(struct run *r, uint32_t v, uint64_t reg, const struct walked *w)
{
	uint32_t arcs[ARCS_MAX];
	uint64_t key;
	struct walked prefix;
	r->stopped = true;
	if (!r->whole)
		return;
	uint32_t count = paths_decode_prefix(r->plan, &r->f->g, v, reg, &key, arcs);
	assert_true(count > 0);
	assert_true(walked_of_index(r, key, count, &prefix));
	assert_true(same_walk(&prefix, w));
}

/* One call: random edges until the frame ends. The register begins as rubbish. */
static inline void walk_once(struct run *r)
{
	const struct function *f = r->f;
	const struct paths_graph *g = &f->g;
	uint64_t reg = 0xdeadbeefcafe;
	struct walked w = {1, {g->edges - 1}};
	uint32_t v = 0, steps = 0;
	execute(r, g->edges - 1, &reg);
	for (;;) {
		if (f->stops[v] && (steps > STEPS / 2 || pick(40) == 0)) {
			stopped(r, v, reg, &w);
			return;
		}
		uint32_t count = 0, e = 0;
		for (uint32_t i = 0; i < f->edges; i++)
			if (f->edge[i].from == v && pick(++count) == 0)
				e = i;
		execute(r, e, &reg);
		steps++;
		w.edge[w.length++] = e;
		bool back = g->arc[g->arc_of[e]].kind == PATHS_TAIL;
		if (back || f->edge[e].to == PATHS_EXIT)
			walk_ended(r, &w);
		if (f->edge[e].to == PATHS_EXIT)
			return;
		v = f->edge[e].to;
		if (back)
			w = (struct walked){1, {FROM_HEAD | v}};
	}
}

/* Copy `me` of so many counts each of its turns. */
static inline void run_turns(struct run *r, const struct function *f, const struct paths_plan *plan, uint32_t calls, uint32_t copies,
                             uint32_t me)
{
	r->f = f;
	r->plan = plan;
	r->counters = r->prefixes = r->walks = 0;
	memset(r->passed, 0, sizeof r->passed);
	r->hits = (struct paths_hits){0, 0, 0};
	r->stopped = false;
	for (uint32_t i = 0; i < calls; i++) {
		r->counts = i % copies == me;
		walk_once(r);
	}
}

static inline void run_plan(struct run *r, const struct function *f, const struct paths_plan *plan, uint32_t calls)
{
	run_turns(r, f, plan, calls, 1, 0);
}

static inline void hits_are_as_computed(const struct run *r)
{
	struct paths_hits h = paths_hits(r->plan, r->passed);
	assert_true(h.increments == r->hits.increments && h.updates == r->hits.updates && h.zeroed == r->hits.zeroed);
}

static inline uint64_t count_of_walk(const struct run *r, const struct walked *w)
{
	for (uint32_t i = 0; i < r->walks; i++)
		if (same_walk(&r->walk[i], w))
			return r->walk_count[i];
	return 0;
}

/* Each counter that is some path's says how often it was walked, and together they say so of every path that is chosen. */
static inline void counters_tell_the_walks(const struct run *r, uint64_t chosen_walks)
{
	uint64_t told = 0;
	for (uint32_t i = 0; i < r->counters; i++) {
		struct walked w;
		if (!walked_of_index(r, r->index[i], ARCS_MAX, &w))
			continue;
		assert_int_equal(r->counted[i], count_of_walk(r, &w));
		told++;
	}
	assert_int_equal(told, chosen_walks);
}

#endif
