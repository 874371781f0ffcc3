/* SPDX-License-Identifier: MIT */
/* callgrind.c: `skein export callgrind`: costs of routines at their lines, and of calls, as callgrind_annotate and KCachegrind read them
 * (valgrind.org/docs/manual/cl-format.html).
 *
 * Problem: the format has callers and callees, not call paths. A reader takes what a routine has with its callees from the calls of it;
 * if a path passes through the routine twice, its cost is counted twice.
 * Idea: as callgrind itself separates recursions, a routine that is called while it runs is another one, NAME'2. A path that comes back
 * to NAME'2 goes on as if it had not left it, unless it has met a routine for the first time meanwhile. So a path passes each NAME once:
 * what NAME has with its callees is right, as are the costs of lines. Only NAME'2 may be counted twice.
 * Cost: the length of its path for each sample.
 *
 * Where a lens has arcs and no paths, these are written as they are. A call needs a number of calls: 1 where it is not known. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/hash.h"
#include "report/export/stacks.h"

#define NO_CALLEE UINT32_MAX

/* Costs of a routine at a line, or of its calls of another from there. Routines are 2 * function, and one more for NAME'2. */
struct row {
	uint32_t routine, line, callee;
	int64_t calls;
	size_t values; /* index of the first */
};

struct callgrind {
	const struct stacks *stacks;
	struct row *rows;
	size_t count, room;
	int64_t *values;
	size_t value_count, value_room;
	struct lookup index;
	struct step {
		uint32_t routine, line;
	} *path;
	size_t path_room;
	size_t *place; /* by routine: its place on the path + 1; 0: not there */
	uint32_t *nodes;
	size_t node_room;
	bool *is_named;     /* by routine */
	const char **files; /* by number - 1 */
	size_t file_count, file_room;
	struct lookup file_index;
	struct pool pool;
};

/* ---- costs ---- */

static bool same_row(const void *rows, size_t number, const void *what)
{
	const struct row *a = (const struct row *)rows + number, *b = what;
	return a->routine == b->routine && a->line == b->line && a->callee == b->callee;
}

static struct row *row_at(struct callgrind *c, uint32_t routine, uint32_t line, uint32_t callee)
{
	struct row row = {routine, line, callee, 0, c->value_count};
	uint64_t hash = hash_number(hash_number(hash_number(HASH_START, routine), line), callee);
	size_t *place = lookup_at(&c->index, hash, same_row, c->rows, &row);
	if (!*place) {
		MEMORY_GROW(c->rows, c->count, c->room);
		c->rows[c->count++] = row;
		*place = c->count;
		for (size_t t = 0; t < c->stacks->type_count; t++) {
			MEMORY_GROW(c->values, c->value_count, c->value_room);
			c->values[c->value_count++] = 0;
		}
	}
	return &c->rows[*place - 1];
}

static void add_values(struct callgrind *c, const struct row *row, const int64_t *values)
{
	for (size_t t = 0; t < c->stacks->type_count; t++)
		c->values[row->values + t] = stacks_sum(c->values[row->values + t], values[t]);
}

/* The path of a node, from the outermost routine, without most of its recursions. */
static size_t make_path(struct callgrind *c, uint32_t node)
{
	size_t depth = 0, count = 0, first_met = 0;
	for (uint32_t at = node; at != STACKS_NOWHERE; at = c->stacks->nodes[at].parent) {
		MEMORY_GROW(c->nodes, depth, c->node_room);
		c->nodes[depth++] = at;
	}
	while (depth--) {
		const struct stacks_node *n = &c->stacks->nodes[c->nodes[depth]];
		uint32_t routine = 2 * n->function;
		routine += c->place[routine] != 0;
		while (c->place[routine] > first_met) /* back to NAME'2 */
			c->place[c->path[--count].routine] = 0;
		MEMORY_GROW(c->path, count, c->path_room);
		c->path[count++] = (struct step){routine, n->line};
		c->place[routine] = count;
		first_met = routine % 2 ? first_met : count;
	}
	for (size_t i = 0; i < count; i++)
		c->place[c->path[i].routine] = 0;
	return count;
}

static void add_sample(struct callgrind *c, size_t sample)
{
	const struct stacks *s = c->stacks;
	const int64_t *values = &s->values[sample * s->type_count];
	size_t count = make_path(c, s->samples[sample].node);
	for (size_t i = 0; i + 1 < count; i++) {
		struct row *call = row_at(c, c->path[i].routine, c->path[i].line, c->path[i + 1].routine);
		call->calls = 1;
		add_values(c, call, values);
	}
	add_values(c, row_at(c, c->path[count - 1].routine, c->path[count - 1].line, NO_CALLEE), values);
}

static void add_arc(struct callgrind *c, const struct stacks_arc *arc)
{
	struct row *call = row_at(c, 2 * arc->caller, arc->line, 2 * arc->callee);
	call->calls = stacks_sum(call->calls, arc->calls);
	add_values(c, call, arc->values);
}

/* ---- the file ---- */

static int by_routine(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	if (x->routine != y->routine)
		return x->routine < y->routine ? -1 : 1;
	if (x->callee != y->callee)
		return x->callee + 1 < y->callee + 1 ? -1 : 1; /* own costs first */
	return x->line < y->line ? -1 : x->line > y->line;
}

static bool is_file(const void *files, size_t number, const void *file)
{
	return strcmp(((const char *const *)files)[number], file) == 0;
}

static void put_file(struct callgrind *c, const char *tag, const char *file, FILE *to)
{
	size_t *place = lookup_at(&c->file_index, hash_text(HASH_START, file), is_file, c->files, file);
	bool is_new = !*place;
	if (is_new) {
		MEMORY_GROW(c->files, c->file_count, c->file_room);
		c->files[c->file_count++] = file;
		*place = c->file_count;
	}
	fprintf(to, "%s=(%zu)%s%s\n", tag, *place, is_new ? " " : "", !is_new ? "" : *file ? escape_plain(&c->pool, file) : "???");
}

/* The lines that name a routine: its object, its file and its name; those of a callee begin with a c. */
static void put_routine(struct callgrind *c, bool is_callee, uint32_t routine, FILE *to)
{
	const struct stacks_function *f = &c->stacks->functions[routine / 2];
	const struct run *run = c->stacks->run;
	bool is_new = !c->is_named[routine];
	fprintf(to, "%s=%s\n", is_callee ? "cob" : "ob",
	        f->object == RUN_NO_OBJECT ? "" : escape_plain(&c->pool, run->objects[f->object].path));
	put_file(c, is_callee ? "cfi" : "fl", f->file, to);
	fprintf(to, "%s=(%u)", is_callee ? "cfn" : "fn", routine + 1);
	if (is_new)
		fprintf(to, " %s%s", *f->name ? escape_plain(&c->pool, f->name) : "?", routine % 2 ? "'2" : "");
	fputc('\n', to);
	c->is_named[routine] = true;
}

static void put_values(const struct callgrind *c, const char *before, const int64_t *values, FILE *to)
{
	fputs(before, to);
	for (size_t t = 0; t < c->stacks->type_count; t++)
		fprintf(to, " %" PRId64, values[t]);
	fputc('\n', to);
}

static void put_row(struct callgrind *c, const struct row *row, FILE *to)
{
	char line[16];
	if (row->callee != NO_CALLEE) {
		put_routine(c, true, row->callee, to);
		fprintf(to, "calls=%" PRId64 " %u\n", row->calls > 0 ? row->calls : 1, c->stacks->functions[row->callee / 2].line);
	}
	snprintf(line, sizeof line, "%u", row->line ? row->line : c->stacks->functions[row->routine / 2].line);
	put_values(c, line, &c->values[row->values], to);
}

/* A name of an event has letters and digits only. */
static const char *event_name(struct callgrind *c, const char *name)
{
	char *text = pool_text(&c->pool, name);
	for (char *at = text; *at; at++)
		if (!isalnum((unsigned char)*at))
			*at = '_';
	return text;
}

static void put_head(struct callgrind *c, FILE *to)
{
	const struct stacks *s = c->stacks;
	fprintf(to, "# callgrind format\nversion: 1\ncreator: skein " SKEIN_VERSION "\ncmd: %s\n", escape_plain(&c->pool, s->run->command));
	for (size_t t = 0; t < s->type_count; t++)
		fprintf(to, "desc: %s: %s\n", event_name(c, s->types[t].name), escape_plain(&c->pool, s->types[t].unit));
	fputs("positions: line\nevents:", to);
	for (size_t t = 0; t < s->type_count; t++)
		fprintf(to, " %s", event_name(c, s->types[t].name));
	fputs("\n\n", to);
}

static void put_totals(const struct callgrind *c, FILE *to)
{
	const struct stacks *s = c->stacks;
	int64_t totals[STACKS_TYPES] = {0};
	for (size_t i = 0; i < s->sample_count; i++)
		for (size_t t = 0; t < s->type_count; t++)
			totals[t] = stacks_sum(totals[t], stacks_value(s, i, t));
	put_values(c, "totals:", totals, to);
}

int export_callgrind(struct stacks *s, FILE *file, struct fail *why)
{
	struct callgrind c = {.stacks = s};
	(void)why;
	c.place = memory_zeroed(2 * s->function_count + 1, sizeof *c.place);
	c.is_named = memory_zeroed(2 * s->function_count + 1, sizeof *c.is_named);
	for (size_t i = 0; i < s->sample_count; i++)
		add_sample(&c, i);
	for (size_t i = 0; i < s->arc_count; i++)
		add_arc(&c, &s->arcs[i]);
	if (c.count)
		qsort(c.rows, c.count, sizeof *c.rows, by_routine);
	put_head(&c, file);
	for (size_t i = 0; i < c.count; i++) {
		if (i == 0 || c.rows[i].routine != c.rows[i - 1].routine)
			put_routine(&c, false, c.rows[i].routine, file);
		put_row(&c, &c.rows[i], file);
	}
	put_totals(&c, file);
	free(c.rows);
	free(c.values);
	free(c.path);
	free(c.place);
	free(c.nodes);
	free(c.is_named);
	free(c.files);
	lookup_free(&c.index);
	lookup_free(&c.file_index);
	pool_free(&c.pool);
	return 0;
}
