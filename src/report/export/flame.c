/* SPDX-License-Identifier: MIT */
#include "report/export/flame.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/number.h"
#include "base/text.h"
#include "report/svg.h"

enum { WIDTH = 1200, MARGIN = 10, HEAD = 44, FOOT = 26, ROW = 18, MOST_DEPTH = 500, NO_BOX = UINT32_MAX };
#define NARROWEST 0.33

/* Call paths with one function at the end and the same callers are one box. */
struct box {
	uint32_t parent, function;
	uint32_t child, next; /* NO_BOX: none */
	int64_t value;
};

struct flame {
	struct stacks *stacks;
	struct box *boxes;
	size_t count, room;
	struct lookup index;
	uint32_t top;  /* the first box without a parent */
	int64_t whole; /* sum of those */
	uint32_t path[MOST_DEPTH];
	size_t narrow;
	FILE *file;
};

static bool same_box(const void *array, size_t number, const void *what)
{
	const struct box *a = (const struct box *)array + number, *b = what;
	return a->parent == b->parent && a->function == b->function;
}

static uint32_t box_of(struct flame *f, uint32_t parent, uint32_t function)
{
	struct box key = {.parent = parent, .function = function, .child = NO_BOX};
	size_t *place = lookup_at(&f->index, hash_number(HASH_START, (uint64_t)parent << 32 | function), same_box, f->boxes, &key);
	if (*place)
		return (uint32_t)*place - 1;
	uint32_t *list = parent == NO_BOX ? &f->top : &f->boxes[parent].child;
	key.next = *list;
	*list = (uint32_t)f->count;
	MEMORY_GROW(f->boxes, f->count, f->room);
	f->boxes[f->count++] = key;
	*place = f->count;
	return (uint32_t)f->count - 1;
}

/* From the outermost function to what ran, or the other way round; what is deeper than the picture belongs to the last box. */
static void add_sample(struct flame *f, uint32_t node, int64_t value, bool is_inverted)
{
	const struct stacks *s = f->stacks;
	size_t depth = 0, all = 0;
	for (uint32_t at = node; at != STACKS_NOWHERE; at = s->nodes[at].parent)
		all++;
	size_t skip = all > MOST_DEPTH && !is_inverted ? all - MOST_DEPTH : 0;
	for (uint32_t at = node; at != STACKS_NOWHERE && depth < MOST_DEPTH; at = s->nodes[at].parent)
		if (skip)
			skip--;
		else
			f->path[depth++] = s->nodes[at].function;
	uint32_t box = NO_BOX;
	for (size_t i = 0; i < depth; i++) {
		box = box_of(f, box, f->path[is_inverted ? i : depth - 1 - i]);
		f->boxes[box].value = stacks_sum(f->boxes[box].value, value);
	}
	f->whole = stacks_sum(f->whole, depth ? value : 0);
}

static const char *figure(const struct flame *f, struct pool *pool, int64_t value)
{
	bool is_time = strcmp(f->stacks->types[f->stacks->chosen].unit, "nanoseconds") == 0;
	return is_time ? text_ns(pool, (double)value) : text_count(pool, value);
}

/* Light enough for dark letters; what has no source is grey. */
static const char *colour_of(const struct stacks_function *function)
{
	static const char *const warm[] = {"#f7c98b", "#f5b97a", "#fbd9a6", "#f3a96a", "#f9d08f", "#f6c27e"};
	if (!function->file || !*function->file)
		return "#d8d8d8";
	return warm[hash_text(HASH_START, function->name) % (sizeof warm / sizeof *warm)];
}

static void put_box(struct flame *f, const struct box *box, double left, double width, size_t depth)
{
	const struct stacks_function *function = &f->stacks->functions[box->function];
	struct pool pool = {0};
	double top = HEAD + (double)(depth * ROW), share = f->whole ? 100 * (double)box->value / (double)f->whole : 0;
	fputs("<g class=\"box\">", f->file);
	svg_tip(f->file, pool_print(&pool, "%s: %s, %s", function->name, figure(f, &pool, box->value), text_percent(&pool, share)));
	fprintf(f->file, "<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" fill=\"%s\" stroke=\"#fff\" stroke-width=\"0.5\"/>",
	        left, top, width, ROW - 1, colour_of(function));
	if (width > 3 * SVG_NORMAL)
		svg_text(f->file, left + 3, top + ROW - 5, SVG_NORMAL, "", svg_fit(&pool, function->name, width - 6, SVG_NORMAL));
	fputs("</g>\n", f->file);
	pool_free(&pool);
}

static int box_order(const void *a, const void *b, void *flame)
{
	const struct flame *f = flame;
	const struct box *x = &f->boxes[*(const uint32_t *)a], *y = &f->boxes[*(const uint32_t *)b];
	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return strcmp(f->stacks->functions[x->function].name, f->stacks->functions[y->function].name);
}

static uint32_t *sort_children(struct flame *f, uint32_t first, size_t *count)
{
	uint32_t *list = NULL;
	size_t room = 0;
	*count = 0;
	for (uint32_t at = first; at != NO_BOX; at = f->boxes[at].next) {
		MEMORY_GROW(list, *count, room);
		list[(*count)++] = at;
	}
	if (*count)
		qsort_r(list, *count, sizeof *list, box_order, f);
	return list;
}

/* Siblings from the left, the dearest first. */
static void put_row(struct flame *f, uint32_t first, double left, double scale, size_t depth)
{
	size_t count;
	uint32_t *list = sort_children(f, first, &count);
	for (size_t i = 0; i < count; i++) {
		double width = (double)f->boxes[list[i]].value * scale;
		if (width < NARROWEST) {
			f->narrow += count - i;
			break;
		}
		put_box(f, &f->boxes[list[i]], left, width, depth);
		put_row(f, f->boxes[list[i]].child, left, scale, depth + 1);
		left += width;
	}
	free(list);
}

static size_t depth_of(const struct flame *f, uint32_t first, double scale)
{
	size_t deepest = 0;
	for (uint32_t at = first; at != NO_BOX; at = f->boxes[at].next)
		if ((double)f->boxes[at].value * scale >= NARROWEST) {
			size_t below = 1 + depth_of(f, f->boxes[at].child, scale);
			deepest = below > deepest ? below : deepest;
		}
	return deepest;
}

static void put_picture(struct flame *f, bool is_inverted)
{
	struct pool pool = {0};
	const struct stacks *s = f->stacks;
	double scale = (WIDTH - 2 * MARGIN) / (double)f->whole;
	size_t depth = depth_of(f, f->top, scale);
	const char *slash = strrchr(s->run->program, '/'), *program = slash ? slash + 1 : s->run->program;
	const char *title = pool_print(&pool, "%s: %s %s, by %s", program, s->types[s->chosen].name, figure(f, &pool, f->whole),
	                               is_inverted ? "what ran, its callers below" : "call path");
	svg_start(f->file, WIDTH, HEAD + (double)(depth * ROW) + FOOT, title);
	svg_text(f->file, MARGIN, 26, SVG_LARGE, "", title);
	put_row(f, f->top, MARGIN, scale, 0);
	if (f->narrow)
		svg_text(f->file, MARGIN, HEAD + (double)(depth * ROW) + 16, SVG_SMALL, "fill=\"" SVG_GREY "\"",
		         pool_print(&pool, "%s box%s too narrow to be drawn.", text_count(&pool, (int64_t)f->narrow),
		                    f->narrow == 1 ? " is" : "es are"));
	svg_end(f->file);
	pool_free(&pool);
}

int flame_draw(struct stacks *s, bool is_inverted, FILE *file, struct fail *why)
{
	struct flame f = {.stacks = s, .top = NO_BOX, .file = file};
	for (size_t i = 0; i < s->sample_count; i++) {
		int64_t value = stacks_value(s, i, s->chosen);
		if (value > 0)
			add_sample(&f, s->samples[i].node, value, is_inverted);
	}
	int result =
		f.whole > 0 ? 0 : fail_set(why, FAIL_USAGE, "there is nothing to draw: no call path has any %s", s->types[s->chosen].name);
	if (result == 0)
		put_picture(&f, is_inverted);
	free(f.boxes);
	lookup_free(&f.index);
	return result;
}
