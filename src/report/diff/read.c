/* SPDX-License-Identifier: MIT */
/* read.c: lets the views of a recording fill their sheets, and puts the figures into slots that all recordings share.
 *
 * A row's identity is its routine, by the numbering of all recordings, and its keys. Rows that have both in common are paired in the order
 * of their lines, if there are as many of them in both recordings; else by their distance from the first line of the routine, which does
 * not change when code above is edited, or by the line itself. Rows of one place are one, and their figures are added up. In a tree the parent's slot is part of the identity; rows come parents first, so one walk
 * finds all of them, without a path of names for each. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/strv.h"
#include "report/diff/diff.h"

enum { MOST_COLUMNS = 64, MOST_DEPTH = 1 << 20 };

/* A table that is being read from one recording. */
struct reading {
	struct diff *diff;
	struct diff_group *group;
	const struct diff_table *table;
	size_t recording;
	struct sheet sheet;
	const char *wanted[MOST_COLUMNS + 1];
	size_t wanted_count;
	struct pool pool;
};

struct cell *diff_values(const struct diff_group *g, const struct diff_slot *slot, size_t recording)
{
	return slot->values + recording * g->figure_count;
}

/* ---- columns ---- */

static void want(struct reading *r, const char *column)
{
	if (!column)
		return;
	for (size_t i = 0; i < r->wanted_count; i++)
		if (strcmp(r->wanted[i], column) == 0)
			return;
	if (r->wanted_count < MOST_COLUMNS)
		r->wanted[r->wanted_count++] = column;
}

static void want_all(struct reading *r)
{
	const struct diff_table *t = r->table;
	static const char *const places[] = {"file", "line", "column"};
	for (size_t i = 0; i < 2; i++)
		want(r, t->where[i].column);
	for (size_t i = 0; i < DIFF_KEYS; i++)
		want(r, t->keys[i]);
	want(r, t->lines);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		want(r, places[i]);
	for (const struct diff_figure *f = t->figures; f->name; f++) {
		want(r, f->parts[0] ? NULL : f->name);
		for (size_t i = 0; i < DIFF_PARTS; i++)
			want(r, f->parts[i]);
		for (size_t i = 0; i < 2; i++)
			want(r, f->where[i].column);
	}
}

static const struct cell *cell_of(const struct reading *r, size_t row, const char *column)
{
	static const struct cell empty = {.kind = CELL_EMPTY};
	for (size_t c = 0; column && c < r->sheet.column_count; c++)
		if (strcmp(r->sheet.columns[c].name, column) == 0)
			return sheet_cell(&r->sheet, row, c);
	return &empty;
}

static const char *text_of(struct reading *r, size_t row, const char *column)
{
	const struct cell *cell = cell_of(r, row, column);
	return cell->kind == CELL_TEXT ? cell->text : cell->kind == CELL_NUMBER ? pool_print(&r->pool, "%" PRId64, cell->number) : "";
}

static bool has(const struct reading *r, size_t row, const struct diff_where *where)
{
	const struct cell *cell = cell_of(r, row, where->column);
	return cell->kind == CELL_TEXT && strcmp(cell->text, where->value) == 0;
}

static bool takes_part(const struct reading *r, size_t row)
{
	const struct diff_where *w = r->table->where;
	return !w[0].column || has(r, row, &w[0]) || (w[1].column && has(r, row, &w[1]));
}

/* ---- values ---- */

static void add_cell(struct cell *to, const struct cell *more)
{
	int64_t sum;
	if (more->kind == CELL_EMPTY)
		return;
	if (to->kind == CELL_EMPTY || to->kind == CELL_TEXT || more->kind == CELL_TEXT)
		*to = *more;
	else if (to->kind == CELL_NUMBER && more->kind == CELL_NUMBER && !__builtin_add_overflow(to->number, more->number, &sum))
		to->number = sum;
	else
		*to = (struct cell){.kind = CELL_REAL, .real = sheet_value(to) + sheet_value(more)};
}

/* Figures that add up are added; of others the first one stays. */
static void add_figures(struct reading *r, size_t row, struct cell *values)
{
	for (size_t i = 0; i < r->group->figure_count; i++) {
		const struct diff_figure *f = &r->table->figures[i];
		bool mine = true;
		struct cell sum = {.kind = CELL_EMPTY};
		for (size_t w = 0; w < 2; w++)
			mine &= !f->where[w].column || has(r, row, &f->where[w]);
		if (!mine || (values[i].kind != CELL_EMPTY && !f->adds_up))
			continue;
		if (!f->parts[0])
			sum = *cell_of(r, row, f->name);
		for (size_t p = 0; p < DIFF_PARTS && f->parts[p]; p++)
			add_cell(&sum, cell_of(r, row, f->parts[p]));
		if (sum.kind == CELL_TEXT)
			sum.text = pool_text(&r->diff->pool, sum.text);
		add_cell(&values[i], &sum);
	}
}

static struct diff_slot *new_slot(struct reading *r)
{
	struct diff_group *g = r->group;
	size_t recordings = r->diff->recording_count;
	MEMORY_GROW(g->slots, g->slot_count, g->slot_room);
	struct diff_slot *slot = &g->slots[g->slot_count++];
	*slot = (struct diff_slot){.routine = RUN_NOWHERE};
	slot->where = memory_zeroed(recordings, sizeof *slot->where);
	slot->is_in = memory_zeroed(recordings, sizeof *slot->is_in);
	slot->values = memory_zeroed(recordings * g->figure_count, sizeof *slot->values);
	return slot;
}

/* ---- identities ---- */

static const struct run_routine *routine_of(const struct reading *r, size_t row)
{
	uint32_t about = r->sheet.rows[row].about;
	const struct run *run = r->diff->recordings[r->recording].run;
	return about < run->routine_count ? &run->routines[about] : NULL;
}

/* Numbers of lines become distances from the routine's first line, in its file: "a.c:10-12;b.h:4" as "0-2;b.h:4". */
static const char *relative_lines(struct pool *pool, const char *lines, const struct run_routine *routine)
{
	size_t room = 2 * strlen(lines) + 2, used = 0, base_length = strlen(str_base(routine->file));
	char *text = pool_bytes(pool, room);
	bool is_own = false;
	for (const char *at = lines; *at;) {
		bool starts = at == lines || at[-1] == ';';
		if (starts)
			is_own = strncmp(at, str_base(routine->file), base_length) == 0 && at[base_length] == ':';
		if (starts && is_own) {
			at += base_length + 1;
		} else if (is_own && *at >= '0' && *at <= '9') {
			char *end;
			long line = strtol(at, &end, 10);
			used += (size_t)snprintf(text + used, room - used, "%ld", line - (long)routine->line);
			at = end;
		} else {
			text[used++] = *at++;
		}
	}
	text[used] = 0;
	return text;
}

/* Without numbers behind a colon, which are lines. */
static const char *without_lines(struct pool *pool, const char *key)
{
	char *text = pool_text(pool, key), *to = text;
	for (const char *at = key; *at; at++) {
		*to++ = *at;
		if (*at == ':')
			at += strspn(at + 1, "0123456789");
	}
	*to = 0;
	return text;
}

static const char *title_of(struct reading *r, size_t row, const struct run_routine *routine)
{
	const struct diff_table *t = r->table;
	struct pool *pool = &r->diff->pool;
	const char *name = routine && routine->kind != RUN_OUTSIDE_KIND ? run_shown(routine) : "", *text = "";
	if (!t->title)
		return pool_text(pool, name);
	for (const char *at = t->title; *at; at++) {
		if (*at != '%')
			text = pool_print(&r->pool, "%s%c", text, *at);
		else if (*++at == '0')
			text = pool_print(&r->pool, "%s%s", text, name);
		else if (*at == 'l')
			text = pool_print(&r->pool, "%s%s", text, text_of(r, row, t->lines));
		else
			text = pool_print(&r->pool, "%s%s", text, text_of(r, row, t->keys[*at - '1']));
	}
	size_t length = strlen(text);
	while (length && text[length - 1] == ' ')
		length--;
	return pool_print(pool, "%.*s", (int)length, text);
}

static uint32_t number_of(const struct reading *r, size_t row)
{
	uint32_t about = r->sheet.rows[row].about;
	return routine_of(r, row) ? r->diff->recordings[r->recording].routines[about] : RUN_NOWHERE;
}

static struct match_thing thing_of(struct reading *r, size_t row)
{
	const struct diff_table *t = r->table;
	const struct run_routine *routine = routine_of(r, row);
	struct pool *pool = &r->diff->pool;
	const struct cell *line = cell_of(r, row, "line");
	struct match_thing thing = {.line = line->kind == CELL_NUMBER ? line->number : 0};
	const char *base = pool_print(&r->pool, "%" PRIu32, number_of(r, row));
	if (t->shape == DIFF_ROUTINES) {
		thing.keys[0] = pool_text(pool, base);
		return thing;
	}
	for (size_t i = 0; i < DIFF_KEYS && t->keys[i]; i++)
		base = pool_print(&r->pool, "%s\n%s", base, text_of(r, row, t->keys[i]));
	if (t->lines)
		base = pool_print(&r->pool, "%s\n%s", base,
		                  routine ? relative_lines(&r->pool, text_of(r, row, t->lines), routine) : text_of(r, row, t->lines));
	const char *file = text_of(r, row, "file"), *column = text_of(r, row, "column");
	thing.keys[0] = pool_text(pool, base);
	if (routine && *file && strcmp(file, routine->file) == 0)
		thing.keys[1] = pool_print(pool, "%s\n+%" PRId64 ":%s", base, thing.line - routine->line, column);
	thing.keys[2] = pool_print(pool, "%s\n%s:%" PRId64 ":%s", base, str_base(file), thing.line, column);
	thing.keys[3] = thing.keys[4] = without_lines(pool, base);
	return thing;
}

/* ---- rows that are a list ---- */

struct item {
	struct match_thing thing;
	size_t first_row;
	struct cell *values;
};

static bool is_item(const void *array, size_t number, const void *what)
{
	const struct match_thing *a = &((const struct item *)array)[number].thing, *b = what;
	const char *x = a->keys[2] ? a->keys[2] : a->keys[0], *y = b->keys[2] ? b->keys[2] : b->keys[0];
	return strcmp(x, y) == 0;
}

static struct item *list_items(struct reading *r, size_t *count)
{
	struct item *items = NULL;
	struct lookup index = {0};
	size_t room = 0;
	*count = 0;
	for (size_t row = 0; row < r->sheet.row_count; row++) {
		if (!takes_part(r, row))
			continue;
		struct match_thing thing = thing_of(r, row);
		const char *identity = thing.keys[2] ? thing.keys[2] : thing.keys[0];
		size_t *place = lookup_at(&index, hash_text(HASH_START, identity), is_item, items, &thing);
		if (!*place) {
			MEMORY_GROW(items, *count, room);
			items[*count] = (struct item){thing, row, memory_zeroed(r->group->figure_count + 1, sizeof *items->values)};
			*place = ++*count;
		}
		size_t at = *place - 1;
		add_figures(r, row, items[at].values);
	}
	lookup_free(&index);
	return items;
}

static void mark_slot(struct reading *r, struct diff_slot *slot, size_t row)
{
	struct diff_place *place = &slot->where[r->recording];
	const struct cell *line = cell_of(r, row, "line");
	slot->is_in[r->recording] = true;
	place->file = pool_text(&r->diff->pool, text_of(r, row, "file"));
	place->line = line->kind == CELL_NUMBER ? line->number : RUN_UNKNOWN;
}

static void fill_slot(struct reading *r, struct diff_slot *slot, size_t row)
{
	slot->routine = number_of(r, row);
	slot->name = title_of(r, row, routine_of(r, row));
	mark_slot(r, slot, row);
}

static void read_list(struct reading *r)
{
	struct diff_group *g = r->group;
	size_t count, old_count = g->slot_count;
	struct item *items = list_items(r, &count);
	struct match_thing *old = memory_zeroed(old_count + 1, sizeof *old), *new = memory_zeroed(count + 1, sizeof *new);
	size_t *found = memory_resize(NULL, count + 1, sizeof *found);
	for (size_t i = 0; i < old_count; i++)
		old[i] = g->slots[i].as;
	for (size_t i = 0; i < count; i++)
		new[i] = items[i].thing;
	match_lists(old, old_count, new, count, found);
	for (size_t i = 0; i < count; i++) {
		struct diff_slot *slot = found[i] != MATCH_NONE ? &g->slots[found[i]] : new_slot(r);
		fill_slot(r, slot, items[i].first_row);
		slot->as = items[i].thing;
		memcpy(diff_values(g, slot, r->recording), items[i].values, g->figure_count * sizeof *items[i].values);
		free(items[i].values);
	}
	free(items);
	free(old);
	free(new);
	free(found);
}

/* ---- rows that are a tree ---- */

struct node {
	uint32_t parent, routine;
	const char *name; /* where there is no routine */
};

static bool is_node(const void *array, size_t number, const void *what)
{
	const struct diff_slot *slot = &((const struct diff_slot *)array)[number];
	const struct node *node = what;
	return slot->parent == node->parent && slot->routine == node->routine &&
		(slot->routine != RUN_NOWHERE || strcmp(slot->name, node->name) == 0);
}

static const char *own_name(const struct diff *d, uint32_t routine)
{
	return routine == RUN_NOWHERE ? "" : run_shown(d->routines[routine].as);
}

static size_t enter(struct reading *r, size_t row, uint32_t parent)
{
	struct diff_group *g = r->group;
	uint32_t routine = number_of(r, row);
	struct node node = {parent, routine, routine == RUN_NOWHERE ? title_of(r, row, NULL) : ""};
	uint64_t hash = hash_number(hash_text(hash_number(HASH_START, parent), node.name), routine);
	size_t *place = lookup_at(&g->index, hash, is_node, g->slots, &node);
	if (!*place) {
		struct diff_slot *slot = new_slot(r);
		*place = g->slot_count;
		fill_slot(r, slot, row);
		if (parent)
			slot->name = pool_print(&r->diff->pool, "%s > %s", own_name(r->diff, g->slots[parent - 1].routine), slot->name);
		slot->parent = parent;
		slot->depth = parent ? g->slots[parent - 1].depth + 1 : 0;
	}
	size_t at = *place - 1;
	if (!g->slots[at].is_in[r->recording])
		mark_slot(r, &g->slots[at], row);
	add_figures(r, row, diff_values(g, &g->slots[at], r->recording));
	return at;
}

static void read_tree(struct reading *r)
{
	uint32_t *above = NULL; /* the slot of the row at each depth + 1, or of the nearest one above that takes part */
	size_t room = 0, deep = 0;
	for (size_t row = 0; row < r->sheet.row_count; row++) {
		size_t depth = r->sheet.rows[row].depth;
		if (depth > MOST_DEPTH)
			continue;
		while (deep <= depth) {
			MEMORY_GROW(above, deep, room);
			above[deep++] = 0;
		}
		uint32_t parent = depth ? above[depth - 1] : 0;
		above[depth] = takes_part(r, row) ? (uint32_t)enter(r, row, parent) + 1 : parent;
	}
	free(above);
}

/* ---- summaries ---- */

/* Summaries write what is not whole as text. */
static struct cell figure_called(struct reading *r, const char *name)
{
	for (size_t row = 0; name && row < r->sheet.row_count; row++) {
		if (strcmp(text_of(r, row, "name"), name) != 0)
			continue;
		struct cell cell = *cell_of(r, row, "value");
		char *end;
		double value = cell.kind == CELL_TEXT ? strtod(cell.text, &end) : 0;
		if (cell.kind == CELL_TEXT && *cell.text && !*end && isfinite(value))
			return (struct cell){.kind = CELL_REAL, .real = value};
		if (cell.kind == CELL_TEXT)
			cell.text = pool_text(&r->diff->pool, cell.text);
		return cell;
	}
	return (struct cell){.kind = CELL_EMPTY};
}

static struct cell divided(struct cell of, struct cell by)
{
	bool can = of.kind != CELL_EMPTY && by.kind != CELL_EMPTY && sheet_value(&by) > 0;
	return can ? (struct cell){.kind = CELL_REAL, .real = sheet_value(&of) / sheet_value(&by)} : (struct cell){.kind = CELL_EMPTY};
}

static void read_summary(struct reading *r)
{
	struct diff_group *g = r->group;
	struct diff_slot *slot = g->slot_count ? g->slots : new_slot(r);
	slot->name = "";
	slot->is_in[r->recording] = true;
	slot->where[r->recording] = (struct diff_place){"", RUN_UNKNOWN};
	for (size_t i = 0; i < g->figure_count; i++) {
		const struct diff_figure *f = &r->table->figures[i];
		struct cell *value = &diff_values(g, slot, r->recording)[i];
		*value = f->parts[0] ? (struct cell){.kind = CELL_EMPTY} : figure_called(r, f->name);
		for (size_t p = 0; p < DIFF_PARTS && f->parts[p]; p++) {
			struct cell part = figure_called(r, f->parts[p]);
			add_cell(value, &part);
		}
		if (f->per)
			*value = divided(*value, figure_called(r, f->per));
	}
}

/* What the summary says of how the recording was made. */
static int check_agreement(struct reading *r, struct fail *why)
{
	struct diff *d = r->diff;
	const char *const *agree = d->lens->diff->agree;
	d->recordings[r->recording].has_insn_clock = false;
	for (size_t row = 0; row < r->sheet.row_count; row++)
		if (strcmp(text_of(r, row, "name"), "clock") == 0)
			d->recordings[r->recording].has_insn_clock = strcmp(text_of(r, row, "value"), "insn") == 0;
	for (size_t i = 0; agree && agree[i]; i++) {
		const char *value = "";
		for (size_t row = 0; row < r->sheet.row_count; row++)
			if (strcmp(text_of(r, row, "name"), agree[i]) == 0)
				value = pool_text(&d->pool, text_of(r, row, "value"));
		if (!r->recording)
			d->agreed[i] = value;
		else if (strcmp(d->agreed[i], value) != 0)
			return fail_set(
				why, FAIL_USAGE,
				"%.200s and %.200s cannot be compared: their %s is %.60s and %.60s; record both with the same options",
				d->recordings[0].path, d->recordings[r->recording].path, agree[i], d->agreed[i], value);
	}
	return 0;
}

/* ---- all of it ---- */

static int read_table(struct reading *r, struct fail *why)
{
	struct view_ask ask = {.all_rows = r->table->all_rows};
	int result = 0;
	sheet_start(&r->sheet, false);
	if (r->table->shape != DIFF_RUN) {
		want_all(r);
		r->sheet.only = r->wanted;
	}
	r->table->view->fill(r->diff->recordings[r->recording].data, &ask, &r->sheet);
	if (r->table->shape == DIFF_RUN) {
		result = check_agreement(r, why);
		read_summary(r);
	} else if (r->table->shape == DIFF_TREE) {
		read_tree(r);
	} else {
		read_list(r);
	}
	sheet_free(&r->sheet);
	pool_free(&r->pool);
	return result;
}

int diff_read(struct diff *d, size_t recording, struct fail *why)
{
	for (size_t i = 0; i < d->group_count; i++) {
		struct reading r = {.diff = d, .group = &d->groups[i], .table = d->groups[i].table, .recording = recording};
		if (read_table(&r, why) < 0)
			return -1;
	}
	return 0;
}
