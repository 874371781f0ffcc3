/* SPDX-License-Identifier: MIT */
/* overview.c: opens the lenses of a recording one after another, and takes of each what the overview needs. */
#include "report/overview/overview.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/blame_place.h"
#include "base/strv.h"
#include "base/text.h"
#include "report/overview/across.h"
#include "report/overview/merge.h"
#include "report/repeats/repeated.h"

/* While the overview is made: what all lenses say. */
struct gather {
	struct overview *o;
	struct overview_item *items;
	size_t item_count, item_room;
	double lacked;           /* the largest part of the time that a run lacked cores */
	const char *lacked_list; /* the lenses of such runs */
};

/* ---- routines ---- */

/* Lenses read the place of a routine from different tables: debug information of the program, or what the pass has seen. */
static bool is_same_routine(const struct run_routine *a, const struct run_routine *b)
{
	return a->object == b->object && strcmp(a->linkage, b->linkage) == 0 &&
		(!*a->file || !*b->file || strcmp(str_base(a->file), str_base(b->file)) == 0);
}

static int by_linkage(const void *a, const void *b, void *routines)
{
	const struct run_routine *list = routines, *x = &list[*(const uint32_t *)a], *y = &list[*(const uint32_t *)b];
	int order = strcmp(x->linkage, y->linkage);
	return order ? order : x < y ? -1 : x > y;
}

/* Routines with one linkage name lie side by side; there are few of each. */
static void find_same(struct overview *o, struct run_routine *routines)
{
	uint32_t *order = memory_resize(NULL, o->routine_count + 1, sizeof *order);
	for (uint32_t i = 0; i < o->routine_count; i++)
		order[i] = o->routines[i].same = i;
	qsort_r(order, o->routine_count, sizeof *order, by_linkage, routines);
	for (size_t i = 1; i < o->routine_count; i++)
		for (size_t before = i; before-- > 0 && strcmp(routines[order[before]].linkage, routines[order[i]].linkage) == 0;)
			if (o->routines[order[before]].same == order[before] &&
			    is_same_routine(&routines[order[before]], &routines[order[i]])) {
				o->routines[order[i]].same = order[before];
				break;
			}
	free(order);
}

/* The function of a body that a compiler made of a construct: "relax" of "relax (parallel)". */
static void find_around(struct overview *o, const struct run *run)
{
	struct pool pool = {0};
	for (uint32_t i = 0; i < o->routine_count; i++) {
		const struct run_routine *body = &run->routines[i];
		const char *what, *function = body->object == RUN_NO_OBJECT ? NULL : run_construct(&pool, body, &what);
		o->routines[i].around = OVERVIEW_NONE;
		for (uint32_t k = 0; function && *function && k < o->routine_count && o->routines[i].around == OVERVIEW_NONE; k++)
			if (k != i && run->routines[k].object == body->object && strcmp(run_shown(&run->routines[k]), function) == 0)
				o->routines[i].around = o->routines[k].same;
	}
	pool_free(&pool);
}

/* A place that is known is the place of all that are the same. */
static void share_places(struct overview *o)
{
	for (size_t i = 0; i < o->routine_count; i++) {
		struct overview_routine *r = &o->routines[i], *first = &o->routines[r->same];
		if (!*first->file && *r->file) {
			first->file = r->file;
			first->line = r->line;
		}
		first->is_programs |= r->is_programs;
	}
}

/* All lenses have the routines of the file, under the same numbers. */
static void take_routines(struct overview *o, const struct run *run)
{
	if (o->routines)
		return;
	o->routine_count = run->routine_count;
	o->routines = memory_zeroed(o->routine_count + 1, sizeof *o->routines);
	for (uint32_t i = 0; i < run->routine_count; i++) {
		const struct run_routine *from = &run->routines[i];
		struct overview_routine *r = &o->routines[i];
		across_start(r);
		r->name = pool_text(&o->pool, from->name);
		r->linkage = pool_text(&o->pool, from->linkage);
		r->shown = pool_text(&o->pool, run_shown(from));
		r->file = pool_text(&o->pool, from->file);
		r->line = from->line;
		r->is_programs = i != RUN_OUTSIDE && blame_is_programs(run, i);
	}
	find_same(o, run->routines);
	find_around(o, run);
	share_places(o);
}

/* ---- what a lens says ---- */

static const char *copy(struct overview *o, const char *text)
{
	return text ? pool_text(&o->pool, text) : NULL;
}

static void add_item(struct gather *g, enum overview_lens_number number, const struct finding_tag *tag, const char *sentence)
{
	MEMORY_GROW(g->items, g->item_count, g->item_room);
	struct overview_item *item = &g->items[g->item_count++];
	*item = (struct overview_item){number, *tag, sentence};
	item->tag.object = copy(g->o, tag->object);
	item->tag.words = copy(g->o, tag->words);
	item->tag.advice = copy(g->o, tag->advice);
}

static void add_opening(struct overview *o, const char *line)
{
	MEMORY_GROW(o->openings, o->opening_count, o->opening_room);
	o->openings[o->opening_count++] = line;
}

static void take_tag(struct gather *g, enum overview_lens_number number, const struct finding_tag *tag)
{
	struct overview *o = g->o;
	const struct overview_lens *lens = &o->lenses[number];
	bool is_short = tag->share * 100 < 5;
	if (tag->kind == FINDING_END && !o->opening_count)
		add_opening(o, lens->lines[tag->from]);
	if (tag->kind == FINDING_LOAD && !is_short) {
		g->lacked = tag->share > g->lacked ? tag->share : g->lacked;
		g->lacked_list = pool_print(&o->pool, "%s%s%s", g->lacked_list, *g->lacked_list ? ", " : "", lens->name);
	}
	add_item(g, number, tag, lens->lines[tag->from]);
	if (tag->kind != FINDING_FINE || number != OVERVIEW_IDLE)
		return;
	struct finding_tag hot = *tag; /* what is left where the cores are busy */
	hot.kind = FINDING_HOT;
	add_item(g, number, &hot, lens->lines[tag->from]);
}

static void take_verdict(struct gather *g, enum overview_lens_number number, const struct findings *verdict)
{
	struct overview_lens *lens = &g->o->lenses[number];
	lens->line_count = verdict->count;
	lens->openings = verdict->openings;
	lens->lines = memory_zeroed(verdict->count + 1, sizeof *lens->lines);
	for (size_t i = 0; i < verdict->count; i++)
		lens->lines[i] = pool_text(&g->o->pool, verdict->lines[i]);
	for (size_t i = 0; i < verdict->tag_count; i++)
		take_tag(g, number, &verdict->tags[i]);
}

static void take_run(struct overview *o, enum overview_lens_number number, const struct run *run)
{
	o->lenses[number].wall_ns = run->wall_ns ? run->wall_ns : run->lasted_ns > 0 ? (uint64_t)run->lasted_ns : 0;
	if (!o->program) {
		o->program = pool_text(&o->pool, run->program);
		o->run_command = pool_text(&o->pool, run->command);
	}
	take_routines(o, run);
}

static int take_lens(struct gather *g, enum overview_lens_number number, struct store *store, struct fail *why)
{
	const struct lens *lens = lenses[number];
	struct view_ask ask = {0};
	struct repeated repeated;
	if (repeated_open(&repeated, store, lens, &(struct arguments){0}, true, why) < 0)
		return -1;
	void *data = lens_open(lens, store, &(struct arguments){0}, &ask, why);
	if (data) {
		struct findings verdict = {0}, caveats = {0};
		take_run(g->o, number, (const struct run *)(const void *)((const char *)data + lens->run_at));
		repeated_say(&repeated, &verdict);
		lens->judge(data, &verdict, &caveats);
		take_verdict(g, number, &verdict);
		across_take(g->o, number, lens, data);
		findings_free(&verdict);
		findings_free(&caveats);
		lens_close(lens, data);
	}
	repeated_close(&repeated);
	return data ? 0 : -1;
}

/* ---- all of it ---- */

/* The run that was disturbed least. */
static void choose_wall(struct overview *o)
{
	static const enum overview_lens_number order[] = {OVERVIEW_IDLE,  OVERVIEW_FLOW, OVERVIEW_CALLS,
	                                                  OVERVIEW_PATHS, OVERVIEW_SPAN, OVERVIEW_INPUT};
	o->wall_of = OVERVIEW_LENSES;
	for (size_t i = 0; i < sizeof order / sizeof *order && o->wall_of == OVERVIEW_LENSES; i++)
		if (o->lenses[order[i]].is_recorded)
			o->wall_of = order[i];
	o->wall_ns = o->wall_of < OVERVIEW_LENSES ? o->lenses[o->wall_of].wall_ns : 0;
}

static void name_commands(struct overview *o)
{
	struct pool *pool = &o->pool;
	const char *program = o->program ? o->program : "PROGRAM", *usual = pool_print(pool, "%s.skein", str_base(program));
	const char *output = strcmp(o->path, usual) == 0 ? "" : pool_print(pool, " -o %s", overview_quoted(pool, o->path));
	for (size_t i = 0; i < OVERVIEW_LENSES; i++)
		o->lenses[i].command = pool_print(pool, "skein record %s%s -- %s", o->lenses[i].name, output,
		                                  o->run_command && *o->run_command ? o->run_command : program);
}

static void say_openings(struct gather *g)
{
	struct overview *o = g->o;
	if (g->lacked > 0)
		add_opening(
			o,
			pool_print(
				&o->pool,
				"Cores were lacking, for up to %s of the time in which the program could have run (%s): times are longer than on an "
				"idle machine, and shares less sure.",
				text_percent(&o->pool, 100 * g->lacked), g->lacked_list));
}

/* What there is to say where nothing is to be mended. */
static void say_none(struct gather *g)
{
	struct overview *o = g->o;
	if (o->finding_count)
		return;
	o->none = o->wall_of == OVERVIEW_LENSES ? "No lens was recorded." : "The recorded lenses found nothing that is worth mending.";
	for (size_t i = g->item_count; i-- > 0;)
		if (g->items[i].tag.kind == FINDING_FINE && (g->items[i].lens == OVERVIEW_IDLE || g->items[i].lens == OVERVIEW_SPAN))
			o->none = g->items[i].sentence;
}

int overview_make(struct store *store, struct overview *o, struct fail *why)
{
	struct gather g = {.o = o, .lacked_list = ""};
	int result = 0;
	*o = (struct overview){.wall_of = OVERVIEW_LENSES};
	o->path = pool_text(&o->pool, store_path(store));
	for (unsigned i = 0; i < OVERVIEW_LENSES; i++) {
		struct overview_lens *lens = &o->lenses[i];
		lens->name = lenses[i]->name;
		lens->question = lenses[i]->question;
		lens->is_recorded = store_has_lens(store, lens->name);
		if (lens->is_recorded && result == 0)
			result = take_lens(&g, (enum overview_lens_number)i, store, why);
	}
	if (result == 0) {
		choose_wall(o);
		name_commands(o);
		overview_merge(o, g.items, g.item_count);
		across_rank(o);
		say_openings(&g);
		say_none(&g);
	}
	free(g.items);
	if (result < 0)
		overview_free(o);
	return result;
}

void overview_free(struct overview *o)
{
	for (size_t i = 0; i < o->finding_count; i++) {
		free(o->findings[i].evidence);
		free(o->findings[i].remarks);
	}
	for (size_t i = 0; i < OVERVIEW_LENSES; i++)
		free(o->lenses[i].lines);
	free(o->findings);
	free(o->openings);
	free(o->routines);
	free(o->rows);
	pool_free(&o->pool);
	*o = (struct overview){.wall_of = OVERVIEW_LENSES};
}
