/* SPDX-License-Identifier: MIT */
/* sheet_tree.c: sorting and cutting a sheet whose rows are a tree.
 *
 * Problem: rows are in the order of a walk, parents before children; siblings shall change places, each with all that
 * is below it, and a few rows shall be chosen that are worth seeing.
 * Idea: sort all rows by parent first and by cell then, so that the children of each parent lie together, and walk
 * again with a stack of our own. Of the values that are shown a parent has at least as much as its children, so the
 * rows with the largest values bring their parents along; where that is not so (a name, a ratio), parents are taken
 * first. */
#include <stdlib.h>
#include <string.h>

#include "report/sheet.h"

#define NO_PARENT SIZE_MAX

struct child {
	size_t parent, row;
};

struct order {
	struct sheet *sheet;
	struct sheet_key *key;
};

/* The row that each row is below; the caller frees. */
static size_t *find_parents(const struct sheet *s)
{
	size_t *parents = memory_resize(NULL, s->row_count, sizeof *parents), *path = NULL, depth = 0, room = 0;
	for (size_t r = 0; r < s->row_count; r++) {
		depth = s->rows[r].depth < depth ? s->rows[r].depth : depth;
		parents[r] = depth ? path[depth - 1] : NO_PARENT;
		MEMORY_GROW(path, depth, room);
		path[depth++] = r;
	}
	free(path);
	return parents;
}

static int by_parent(const void *a, const void *b, void *context)
{
	const struct child *x = a, *y = b;
	const struct order *order = context;
	if (x->parent != y->parent)
		return x->parent + 1 < y->parent + 1 ? -1 : 1; /* rows without a parent come first */
	return sheet_order(&order->sheet->rows[x->row], &order->sheet->rows[y->row], order->key);
}

/* The first of a parent's children in the sorted list, or `count`. */
static size_t first_child(const struct child *list, size_t count, size_t parent)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (list[middle].parent + 1 < parent + 1)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Where the walk stands among the children of a row. */
struct stand {
	size_t next, parent;
};

void sheet_tree_sort(struct sheet *s, struct sheet_key *key)
{
	size_t count = s->row_count, *parents = find_parents(s), depth = 0, room = 0, done = 0;
	struct child *list = memory_resize(NULL, count, sizeof *list);
	struct sheet_row *rows = memory_resize(NULL, count, sizeof *rows);
	struct stand *stack = NULL;
	struct order order = {s, key};
	for (size_t r = 0; r < count; r++)
		list[r] = (struct child){parents[r], r};
	if (count > 1)
		qsort_r(list, count, sizeof *list, by_parent, &order);
	MEMORY_GROW(stack, depth, room);
	stack[depth++] = (struct stand){0, NO_PARENT};
	while (depth) {
		struct stand *top = &stack[depth - 1];
		if (top->next >= count || list[top->next].parent != top->parent) {
			depth--;
			continue;
		}
		size_t row = list[top->next++].row;
		rows[done++] = s->rows[row];
		MEMORY_GROW(stack, depth, room);
		stack[depth++] = (struct stand){first_child(list, count, row), row};
	}
	free(s->rows);
	s->rows = rows;
	s->row_room = count;
	free(stack);
	free(list);
	free(parents);
}

struct candidate {
	const struct sheet_row *row;
	size_t at;
};

static int by_value(const void *a, const void *b, void *key)
{
	const struct candidate *x = a, *y = b;
	int order = sheet_order(x->row, y->row, key);
	return order ? order : x->at < y->at ? -1 : 1;
}

/* Marks a row and the parents that are not yet marked, if there is room for all of them. */
static size_t mark(bool *taken, const size_t *parents, size_t row, size_t left)
{
	size_t need = 0;
	for (size_t r = row; r != NO_PARENT && !taken[r]; r = parents[r])
		need++;
	if (need > left)
		return 0;
	for (size_t r = row; r != NO_PARENT && !taken[r]; r = parents[r])
		taken[r] = true;
	return need;
}

void sheet_tree_top(struct sheet *s, size_t rows)
{
	size_t count = s->row_count, *parents = find_parents(s), left = rows, kept = 0;
	struct candidate *list = memory_resize(NULL, count, sizeof *list);
	bool *taken = memory_zeroed(count, sizeof *taken);
	struct sheet_key key = {s, s->sorted_by - 1};
	for (size_t r = 0; r < count; r++)
		list[r] = (struct candidate){&s->rows[r], r};
	qsort_r(list, count, sizeof *list, by_value, &key);
	for (size_t i = 0; i < count && left; i++)
		left -= mark(taken, parents, list[i].at, left);
	for (size_t r = 0; r < count; r++)
		if (taken[r])
			s->rows[kept++] = s->rows[r];
	s->row_count = kept;
	free(taken);
	free(list);
	free(parents);
}
