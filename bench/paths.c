/* SPDX-License-Identifier: MIT */
/* paths.c: what dividing a program's path profile among copies spares, computed from recordings.
 *
 *     paths TRAINED.skein MEASURED.skein SHAPE…
 *
 * How often each probe of any plan is executed follows from how often edges are passed. So one recording of one copy says what each way to divide would have
 * cost in that run. Shapes, one an object, hold guessed weights (src/pass/shape.h), TRAINED.skein is a run with another input, by which plans are made; MEASURED.skein is what they are
 * judged by. Prints a line for each number of copies: `copies WAY all increments …`, in percent that the slowest copy has less than one copy that counts all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/paths/shape.h"
#include "core/paths/guess.h"
#include "core/paths/share.h"
#include "store/store.h"

enum { ALL, INCREMENTS, MEASURES };
struct hits {
	double of[MEASURES];
};

struct function {
	struct paths_graph graph[2]; /* by guess, by training: cuts may differ */
	double *weights[2];
	double *passed;              /* of edges, in the run that is measured */
};

enum { GUESSED, TRAINED };

static struct paths_memory memory;
static struct function *functions;
static struct paths_function *asked[2];
static uint32_t count;

static void fail(const char *text)
{
	fprintf(stderr, "paths: %s\n", text);
	exit(1);
}

static void need(enum paths_status status)
{
	if (status != PATHS_OK)
		fail("a graph cannot be built or planned");
}

static double *take(size_t items)
{
	double *room = paths_take(&memory, items, sizeof *room);
	if (!room)
		fail("no memory left");
	return room;
}

static void load(const char *path, struct run *run, struct paths *paths)
{
	struct fail why;
	struct store *store = store_open(path, &why);
	if (!store || store_load_paths(store, run, paths, &why) < 0)
		fail(why.text);
	store_close(store);
}

static void add_function(const struct shape *shape, const struct shape_function *s, uint32_t i, const struct paths *trained, const struct paths *measured)
{
	const struct paths_profile *t = &trained->profiles[i], *m = &measured->profiles[i];
	struct function *f = &functions[i];
	if (t->blocks != s->blocks || t->edges != s->edges || m->edges != s->edges)
		fail("recordings and shape are not of one program");
	struct paths_body body = shape_body(shape, s);
	uint8_t *stops = paths_take(&memory, s->blocks, 1); /* the graph keeps them */
	if (!stops)
		fail("no memory left");
	memcpy(stops, body.stops, s->blocks);
	body.stops = stops;
	need(paths_body_graph(&body, &f->graph[GUESSED], &f->weights[GUESSED], &memory));
	double *known = take(s->edges + 1), *passed = f->passed = take(s->edges + 1);
	double *counted = take(s->edges + 1), calls = body.passed[s->edges];
	for (uint32_t e = 0; e <= s->edges; e++) {
		known[e] = calls > 0 ? body.passed[e] / calls : 0;
		counted[e] = (double)trained->passed[t->first_edge + e];
		passed[e] = (double)measured->passed[m->first_edge + e];
	}
	paths_body_weigh(known, counted, s->edges);
	body.passed = known;
	need(paths_body_graph(&body, &f->graph[TRAINED], &f->weights[TRAINED], &memory));
	for (int k = GUESSED; k <= TRAINED; k++)
		asked[k][i] = (struct paths_function){&f->graph[k], f->weights[k], k == TRAINED && counted[s->edges] <= 1};
}

static void add_hits(struct hits *sum, uint32_t i, int knowing, enum paths_how how, const uint8_t *chosen, double share)
{
	struct paths_mark mark = paths_mark(&memory);
	struct paths_plan plan;
	need(paths_body_plan(&plan, &functions[i].graph[knowing], how, chosen, functions[i].weights[knowing], &memory));
	struct paths_hits h = paths_hits(&plan, functions[i].passed);
	sum->of[INCREMENTS] += share * h.increments;
	sum->of[ALL] += share * (h.increments + h.updates);
	paths_release(&memory, mark);
}

static struct hits sequential(int knowing, enum paths_how how)
{
	struct hits sum = {{0}};
	for (uint32_t i = 0; i < count; i++)
		add_hits(&sum, i, knowing, how, NULL, 1);
	return sum;
}

static double calls_of(uint32_t i)
{
	return functions[i].passed[functions[i].graph[GUESSED].edges - 1];
}

/* By turns each copy looks at all calls; most has the first, which has one more than others if they cannot be divided evenly. */
static double turn_share(uint32_t i, uint32_t copies)
{
	double calls = calls_of(i);
	return calls > 0 ? ceil(calls / copies) / calls : 0;
}

static struct hits slowest(const struct paths_share *s, int knowing, enum paths_how how)
{
	struct hits most = {{0}};
	for (uint32_t c = 0; c < s->copies; c++) {
		struct hits sum = {{0}};
		for (uint32_t i = 0; i < count; i++) {
			const uint8_t *chosen = s->chosen[(size_t)c * s->functions + i];
			if (!chosen)
				continue;
			add_hits(&sum, i, knowing, how, s->by_turns[i] ? NULL : chosen, s->by_turns[i] ? turn_share(i, s->copies) : 1);
			for (int m = 0; m < MEASURES; m++)
				sum.of[m] += s->by_turns[i] ? calls_of(i) : 0;
		}
		for (int m = 0; m < MEASURES; m++)
			most.of[m] = fmax(most.of[m], sum.of[m]);
	}
	return most;
}

static void say(uint32_t copies, const char *way, const struct hits *slowest, const struct hits *all)
{
	printf("%u %s", copies, way);
	for (int m = 0; m < MEASURES; m++)
		printf(" %.2f", all->of[m] > 0 ? 100 - 100 * slowest->of[m] / all->of[m] : 0);
	printf("\n");
}

static void published(uint32_t copies, bool whole, const struct hits *all)
{
	struct paths_share s;
	need(paths_share_p3(&s, asked[GUESSED], count, &(struct paths_p3){.copies = copies, .whole = whole}, &memory));
	struct hits most = slowest(&s, GUESSED, PATHS_HOW_P3);
	say(copies, whole ? "pbl" : "p3", &most, all);
}

static void ours(uint32_t copies, int knowing, bool turns, const char *way, const struct hits *all)
{
	struct paths_share s;
	need(paths_share_best(&s, asked[knowing], count, &(struct paths_best){copies, turns}, &memory));
	struct hits most = slowest(&s, knowing, PATHS_HOW_BEST);
	say(copies, way, &most, all);
}

/* One copy has to count the hottest path each time that it is taken, unless calls are taken by turns. */
static void floor_of(const struct paths *measured, uint32_t copies, const struct hits *all)
{
	uint64_t hottest = 0;
	for (size_t i = 0; i < measured->path_count; i++)
		hottest = measured->list[i].count > hottest ? measured->list[i].count : hottest;
	say(copies, "floor", &(struct hits){{(double)hottest, 0}}, all);
}

/* Functions of one object are in the order of its shape. */
static void add_functions(char **files, size_t files_count, const struct paths *trained, const struct paths *measured)
{
	struct shape shapes[16];
	size_t next[16] = {0};
	struct fail why;
	if (files_count > 16)
		fail("too many shapes");
	for (size_t k = 0; k < files_count; k++)
		if (shape_read(&shapes[k], files[k], &why) < 0)
			fail(why.text);
	for (uint32_t i = 0; i < count; i++) {
		const struct run *run = measured->run;
		const char *id = run->objects[run->routines[measured->profiles[i].routine].object].build_id;
		size_t k = 0;
		while (k < files_count && strcmp(shapes[k].build_id, id) != 0)
			k++;
		if (k == files_count || next[k] == shapes[k].function_count)
			fail("recordings and shapes are not of one program");
		add_function(&shapes[k], &shapes[k].functions[next[k]++], i, trained, measured);
	}
}

int main(int argc, char **argv)
{
	struct run runs[2];
	struct paths trained, measured;
	if (argc < 4)
		fail("usage: paths TRAINED.skein MEASURED.skein SHAPE…");
	load(argv[1], &runs[0], &trained);
	load(argv[2], &runs[1], &measured);
	paths_memory_start(&memory);
	count = (uint32_t)measured.profile_count;
	if (trained.profile_count != count)
		fail("recordings are not of one program");
	functions = paths_take(&memory, count, sizeof *functions);
	for (int k = GUESSED; k <= TRAINED; k++)
		asked[k] = paths_take(&memory, count, sizeof **asked);
	if (memory.failed)
		fail("no memory left");
	add_functions(argv + 3, (size_t)argc - 3, &trained, &measured);
	struct hits plain = sequential(GUESSED, PATHS_HOW_P3), guess = sequential(GUESSED, PATHS_HOW_ALL), plan = sequential(TRAINED, PATHS_HOW_ALL);
	printf("sequential %.0f %.0f published %.0f %.0f\n", guess.of[ALL], guess.of[INCREMENTS], plain.of[ALL], plain.of[INCREMENTS]);
	for (uint32_t copies = 2; copies <= 8; copies *= 2) {
		published(copies, true, &plain);
		published(copies, false, &plain);
		ours(copies, GUESSED, false, "guess", &guess);
		ours(copies, GUESSED, true, "guess+turns", &guess);
		ours(copies, TRAINED, false, "plan", &plan);
		ours(copies, TRAINED, true, "plan+turns", &plan);
		floor_of(&measured, copies, &plan);
	}
	paths_memory_free(&memory);
	return 0;
}
