/* SPDX-License-Identifier: MIT */
/* test_measure.c: how much the slowest of several copies is spared, on made-up programs.
 *
 * Functions are built of statements: conditionals with and without an else, switches, loops that test first or last,
 * early returns. Branches lean one way or the other, functions are called by Zipf's law, so few paths make up most of a
 * run. A program is walked twice, with branches and calls that differ as those of two inputs do: the first walk is what
 * plans are made from, the second is what their hits are counted in.
 *
 *     test_paths_measure --measure [PROGRAMS]     prints hits of the slowest copy against those of one that counts everything, in
 *                                                 percent less
 *
 * Without it, one small program is shared out and some things are checked that must hold for any. */
#include <math.h>
#include "unit/lib.h"

#include "core/paths/guess.h"
#include "core/paths/share.h"

enum { BLOCKS = 600, EDGES = 1600, FUNCTIONS = 60, STEPS = 400000, SEEN = 1 << 16, TURNS = 8 };

static uint64_t random_state = 1;

static uint32_t pick(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)((random_state >> 20) % below);
}

static double chance(void)
{
	return (pick(1000000) + 0.5) / 1000000;
}

static void *more_bytes(void *context, size_t bytes)
{
	(void)context;
	return malloc(bytes);
}

static struct paths_memory memory = {.more = more_bytes};

struct function {
	uint32_t blocks, edges;
	struct paths_edge edge[EDGES];
	double lean[2][EDGES]; /* of an edge, in each input: its share among those of its block */
	double calls[2];
	double passed[2][EDGES + 1], guessed[EDGES + 1];
	double in_turn[TURNS][EDGES + 1]; /* in the second input, by the number of the call */
	bool once;                        /* called once, and all in a loop */
	uint8_t stops[BLOCKS];
	struct paths_graph g;
	double *weights[2], *guess;
	uint64_t hottest; /* path, in the second input */
};

static struct function program[FUNCTIONS];
static uint32_t functions;

static uint32_t block(struct function *f)
{
	f->stops[f->blocks] = pick(8) == 0; /* a call of something foreign */
	return f->blocks++;
}

static void edge(struct function *f, uint32_t from, uint32_t to, double share)
{
	f->edge[f->edges] = (struct paths_edge){from, to, 0};
	f->lean[0][f->edges] = share;
	f->lean[1][f->edges] = share * exp((chance() + chance() - 1) * 1.2); /* another input */
	f->edges++;
}

static double leaning(void)
{
	switch (pick(3)) {
	case 0: return 0.5 + 0.2 * chance();
	case 1: return 0.7 + 0.25 * chance();
	default: return 0.95 + 0.049 * chance();
	}
}

static uint32_t statements(struct function *f, uint32_t at, int depth, uint32_t count);

static uint32_t conditional(struct function *f, uint32_t at, int depth, bool has_else)
{
	uint32_t yes = block(f);
	double p = leaning();
	if (pick(2))
		p = 1 - p;
	edge(f, at, yes, p);
	uint32_t yes_end = statements(f, yes, depth + 1, pick(3)), no = has_else ? block(f) : 0;
	uint32_t no_end = has_else ? statements(f, no, depth + 1, pick(2)) : 0, join = block(f);
	edge(f, at, has_else ? no : join, 1 - p);
	edge(f, yes_end, join, 1);
	if (has_else)
		edge(f, no_end, join, 1);
	return join;
}

static uint32_t choice(struct function *f, uint32_t at, int depth)
{
	uint32_t ends[8], cases = 3 + pick(6);
	for (uint32_t i = 0; i < cases; i++) {
		uint32_t b = block(f);
		edge(f, at, b, 1.0 / (1 + i));
		ends[i] = statements(f, b, depth + 2, pick(2));
	}
	uint32_t join = block(f);
	for (uint32_t i = 0; i < cases; i++)
		edge(f, ends[i], join, 1);
	return join;
}

static uint32_t loop(struct function *f, uint32_t at, int depth)
{
	uint32_t head = block(f);
	double stay = 1 - 1 / (2 + pow(100, chance()));
	edge(f, at, head, 1);
	if (pick(3)) { /* tested last, as compilers turn them */
		uint32_t end = statements(f, head, depth + 1, 1 + pick(3)), out = block(f);
		edge(f, end, head, stay);
		edge(f, end, out, 1 - stay);
		return out;
	}
	uint32_t body = block(f);
	edge(f, head, body, stay);
	uint32_t end = statements(f, body, depth + 1, 1 + pick(3)), out = block(f);
	edge(f, end, head, 1);
	edge(f, head, out, 1 - stay);
	return out;
}

static uint32_t statements(struct function *f, uint32_t at, int depth, uint32_t count)
{
	for (uint32_t i = 0; i < count && depth < 5 && f->blocks + 60 < BLOCKS; i++) {
		uint32_t kind = pick(20);
		if (kind < 6)
			at = conditional(f, at, depth, false);
		else if (kind < 12)
			at = conditional(f, at, depth, true);
		else if (kind < 14)
			at = choice(f, at, depth);
		else if (kind < 18)
			at = loop(f, at, depth);
		else {
			uint32_t next = block(f);
			edge(f, at, PATHS_EXIT, 0.05 * chance());
			edge(f, at, next, 1);
			at = next;
		}
	}
	return at;
}

static void make_function(struct function *f, uint32_t rank, double steep)
{
	*f = (struct function){.calls = {1 / pow(1 + rank, steep)}};
	f->calls[1] = f->calls[0] * exp((chance() + chance() - 1) * 1.2);
	f->once = pick(7) == 0;
	uint32_t end = statements(f, block(f), 0, 1 + pick(6)), out = block(f);
	edge(f, end, f->once ? 0 : out, 1);
	if (f->once)
		edge(f, end, out, 1e-9);
	edge(f, out, PATHS_EXIT, 1);
	assert_int_equal(paths_graph_build(&f->g, f->blocks, f->edge, f->edges, f->stops, NULL, &memory), PATHS_OK);
	for (int i = 0; i < 2; i++)
		f->weights[i] = paths_take(&memory, f->g.arcs, sizeof(double));
	f->guess = paths_take(&memory, f->g.arcs, sizeof(double));
	assert_int_equal(paths_guess_edges(&f->g, f->guessed, &memory), PATHS_OK);
	for (uint32_t e = 0; e <= f->edges && !f->once; e++)
		f->guessed[e] *= 1000; /* what the calls of the program would say */
	paths_arc_weights(&f->g, f->guessed, f->guess);
}

/* How often each path was walked, by a hash of it; only the largest is wanted. */
static uint64_t seen_count[SEEN];

static uint32_t step(const struct function *f, int input, uint32_t v)
{
	double sum = 0, x;
	uint32_t e;
	for (e = 0; e < f->edges; e++)
		sum += f->edge[e].from == v ? f->lean[input][e] : 0;
	x = chance() * sum;
	for (e = 0; e < f->edges; e++) {
		if (f->edge[e].from != v)
			continue;
		if ((x -= f->lean[input][e]) <= 0)
			return e;
	}
	while (f->edge[--e].from != v)
		;
	return e;
}

static void walk(struct function *f, int input, double share)
{
	uint64_t budget = (uint64_t)(share * STEPS) + 20, hash = 1;
	uint32_t v = 0, call = 0;
	bool begins = true;
	memset(seen_count, 0, sizeof seen_count);
	f->hottest = 0;
	/* a call that is begun is walked to its end, up to a point */
	for (uint64_t n = 0; n < budget || (!begins && n < 4 * budget && !f->once); n++) {
		double *in_turn = f->in_turn[call % TURNS];
		f->passed[input][f->edges] += begins;
		in_turn[f->edges] += input && begins;
		uint32_t e = step(f, input, v);
		f->passed[input][e]++;
		in_turn[e] += input;
		hash = (hash ^ e) * 0x9e3779b97f4a7c15ull;
		bool exit = f->edge[e].to == PATHS_EXIT;
		if (exit || f->g.head_of[e] != PATHS_NONE) {
			uint64_t *c = &seen_count[hash >> 48];
			f->hottest = ++*c > f->hottest ? *c : f->hottest;
			hash = exit ? 1 : 1000 + f->edge[e].to;
		}
		v = exit ? 0 : f->edge[e].to;
		begins = exit;
		call += exit;
	}
	paths_arc_weights(&f->g, f->passed[input], f->weights[input]);
}

static void make_program(uint64_t seed)
{
	random_state = seed * 0x9e3779b97f4a7c15ull + 7;
	functions = 20 + pick(FUNCTIONS - 20);
	double sum[2] = {0, 0}, steep = 1 + chance();
	for (uint32_t i = 0; i < functions; i++) {
		make_function(&program[i], i, steep);
		sum[0] += program[i].calls[0];
		sum[1] += program[i].calls[1];
	}
	for (uint32_t i = 0; i < functions; i++)
		for (int input = 0; input < 2; input++)
			walk(&program[i], input, program[i].calls[input] / sum[input]);
}

static void describe(struct paths_function *f, bool trained)
{
	for (uint32_t i = 0; i < functions; i++) {
		const struct function *p = &program[i];
		f[i] = (struct paths_function){&p->g, p->guess, p->once || pick(2)};
		if (!trained)
			continue;
		double *w = paths_take(&memory, p->g.arcs, sizeof *w);
		for (uint32_t a = 0; a < p->g.arcs; a++)
			w[a] = p->weights[0][a] + 1e-5 * p->guess[a]; /* what was not executed in training may be */
		f[i].weights = w;
	}
}

typedef enum paths_status plan_way(struct paths_plan *, const struct paths_graph *, const uint8_t *, const double *, struct paths_memory *);

/* With and without updates of counters. */
enum { ALL, INCREMENTS, MEASURES };
struct hits {
	double of[MEASURES];
};

/* Of what copy `me` of so many executes, which is all calls if it is the only one. */
static void add_hits(struct hits *sum, uint32_t i, const uint8_t *chosen, const double *weights, plan_way *way, uint32_t copies,
                     uint32_t me)
{
	struct paths_mark mark = paths_mark(&memory);
	struct paths_plan plan;
	assert_int_equal(way(&plan, &program[i].g, chosen, weights, &memory), PATHS_OK);
	for (uint32_t t = 0; t < TURNS; t++) {
		struct paths_hits h = paths_hits(&plan, program[i].in_turn[t]);
		double turn = copies > 1 ? program[i].in_turn[t][program[i].edges] : 0; /* to see whose it is */
		sum->of[INCREMENTS] += turn + (t % copies == me ? h.increments : 0);
		sum->of[ALL] += turn + (t % copies == me ? h.increments + h.updates : 0);
	}
	paths_release(&memory, mark);
}

static struct hits sequential(const struct paths_function *f, plan_way *way)
{
	struct hits sum = {{0}};
	for (uint32_t i = 0; i < functions; i++)
		add_hits(&sum, i, NULL, f[i].weights, way, 1, 0);
	return sum;
}

/* How many percent less than all the slowest copy has, by each measure. */
static struct hits spared(const struct paths_share *s, const struct paths_function *f, plan_way *way, const struct hits *all)
{
	struct hits least = {{100, 100}};
	for (uint32_t c = 0; c < s->copies; c++) {
		struct hits sum = {{0}};
		for (uint32_t i = 0; i < functions; i++)
			if (s->chosen[(size_t)c * s->functions + i])
				add_hits(&sum, i, s->chosen[(size_t)c * s->functions + i], f[i].weights, way,
				         s->by_turns[i] ? s->copies : 1, s->by_turns[i] ? c : 0);
		for (int m = 0; m < MEASURES; m++)
			least.of[m] = fmin(least.of[m], 100 - 100 * sum.of[m] / all->of[m]);
	}
	return least;
}

enum { PBL, P3, GUESSED, GUESSED_TURNS, PLAN, PLAN_TURNS, FLOOR, SBL, COLUMNS };
static const char *const names[] = {"PBL", "P3", "guess", "+turns", "plan", "+turns", "floor", "SBL"};

static struct hits ours(uint32_t copies, const struct paths_function *f, bool turns, const struct hits *all)
{
	struct paths_share s;
	const struct paths_best how = {.copies = copies, .turns = turns};
	assert_int_equal(paths_share_best(&s, f, functions, &how, &memory), PATHS_OK);
	return spared(&s, f, paths_plan_relaxed, all);
}

static void measure(uint32_t copies, struct hits *less)
{
	struct paths_mark mark = paths_mark(&memory);
	struct paths_function guessed[FUNCTIONS], trained[FUNCTIONS];
	struct paths_share s;
	describe(guessed, false);
	describe(trained, true);
	struct hits published = sequential(guessed, paths_plan_p3), guessing = sequential(guessed, paths_plan_best),
		    knowing = sequential(trained, paths_plan_best);
	uint64_t hottest = 0;
	for (uint32_t i = 0; i < functions; i++)
		hottest = program[i].hottest > hottest ? program[i].hottest : hottest;
	less[FLOOR] = (struct hits){{100 - 100 * (double)hottest / knowing.of[ALL], 100}};
	less[SBL] = (struct hits){
		{100 - 100 * knowing.of[ALL] / published.of[ALL], 100 - 100 * knowing.of[INCREMENTS] / published.of[INCREMENTS]}};
	for (int whole = 0; whole < 2; whole++) {
		const struct paths_p3 how = {.copies = copies, .whole = whole};
		assert_int_equal(paths_share_p3(&s, guessed, functions, &how, &memory), PATHS_OK);
		less[whole ? PBL : P3] = spared(&s, guessed, paths_plan_p3, &published);
	}
	for (int turns = 0; turns < 2; turns++) {
		less[GUESSED + turns] = ours(copies, guessed, turns, &guessing);
		less[PLAN + turns] = ours(copies, trained, turns, &knowing);
	}
	paths_release(&memory, mark);
}

static void print_row(const char *name, uint32_t copies, const struct hits *row, int m)
{
	printf("%-12s %6u", name, copies);
	for (int i = 0; i < COLUMNS; i++)
		printf(" %7.1f", row[i].of[m]);
	printf("\n");
	fflush(stdout);
}

static int measure_all(uint32_t programs)
{
	static const uint32_t copies[] = {2, 4, 8};
	static struct hits sum[3][COLUMNS];
	printf("hits (increments and updates) of the slowest copy, percent less than of one copy that counts all in the same way;\n"
	       "SBL: percent less than as published, of one copy\n%-12s %6s",
	       "program", "copies");
	for (int i = 0; i < COLUMNS; i++)
		printf(" %7s", names[i]);
	printf("\n");
	for (uint32_t p = 0; p < programs; p++) {
		struct paths_mark mark = paths_mark(&memory);
		char name[16];
		make_program(p + 1);
		snprintf(name, sizeof name, "%u", p + 1);
		for (int k = 0; k < 3; k++) {
			struct hits less[COLUMNS];
			measure(copies[k], less);
			print_row(name, copies[k], less, ALL);
			for (int i = 0; i < COLUMNS; i++)
				for (int m = 0; m < MEASURES; m++)
					sum[k][i].of[m] += less[i].of[m] / programs;
		}
		paths_release(&memory, mark);
	}
	for (int m = 0; m < MEASURES; m++)
		for (int k = 0; k < 3; k++)
			print_row(m == ALL ? "mean" : "increments", copies[k], sum[k], m);
	return 0;
}

static void sharing_never_makes_the_slowest_copy_slower_by_what_it_knows(void **state)
{
	(void)state;
	struct paths_mark mark = paths_mark(&memory);
	struct paths_function f[FUNCTIONS];
	struct paths_share s;
	make_program(1);
	functions = 8;
	describe(f, true);
	double whole = 0, last = 0;
	for (uint32_t copies = 1; copies <= 4; copies *= 2) {
		const struct paths_best how = {.copies = copies, .turns = true};
		assert_int_equal(paths_share_best(&s, f, functions, &how, &memory), PATHS_OK);
		double worst = 0;
		for (uint32_t c = 0; c < copies; c++)
			worst = s.load[c] > worst ? s.load[c] : worst;
		if (copies == 1)
			whole = last = worst;
		assert_true(worst <= last);
		last = worst;
	}
	assert_true(last < whole);
	paths_release(&memory, mark);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--measure") == 0)
		return measure_all(argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 10);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sharing_never_makes_the_slowest_copy_slower_by_what_it_knows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
