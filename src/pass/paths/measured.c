/* SPDX-License-Identifier: MIT */
/* measured.c: what an earlier run passed, from a weights file (PLAN_WEIGHTS; doc/paths.md has its lines).
 *
 * A function is found by name, file and line; of several that are alike in these the first in the file is the first in
 * the program. One whose blocks or edges are others than in the file is taken as not measured, and its shape says so. */
#include "pass/paths/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MAX = 8 };

struct reading {
	struct paths_pass *s;
	const char *path;
	char *line;
	size_t room;
	FILE *file;
	char *field[FIELDS_MAX];
	unsigned fields;
	char *rest;                 /* behind the last field that was cut off */
	struct paths_routine *last; /* the routine whose paths may follow; NULL: not in the program */
};

static char unescape(const char *hex)
{
	char digits[3] = {hex[0], hex[0] ? hex[1] : 0, 0};
	return (char)strtoul(digits, NULL, 16);
}

static void unescape_field(char *text)
{
	char *to = text;
	if (strcmp(text, "-") == 0)
		*text = 0;
	for (const char *from = text; *from;) {
		if (from[0] == '\\' && from[1] == 'x' && from[2] && from[3]) {
			*to++ = unescape(from + 2);
			from += 4;
		} else {
			*to++ = *from++;
		}
	}
	*to = 0;
}

/* Cuts off up to FIELDS_MAX fields; false at the end. */
static bool next_line(struct reading *in)
{
	if (getline(&in->line, &in->room, in->file) <= 0)
		return false;
	in->line[strcspn(in->line, "\n")] = 0;
	in->rest = in->line;
	for (in->fields = 0; in->rest && in->fields < FIELDS_MAX;)
		in->field[in->fields++] = strsep(&in->rest, "\t");
	return true;
}

static bool is_same(const struct paths_pass *s, const struct paths_routine *r, char *const *field)
{
	const struct routine *named = &s->p->routines[r->index];
	return !r->seen && strcmp(named->name, field[1]) == 0 && strcmp(named->file, field[2]) == 0 &&
		named->line == (unsigned)atol(field[3]);
}

static struct paths_routine *find(struct reading *in)
{
	unescape_field(in->field[1]);
	unescape_field(in->field[2]);
	for (size_t i = 0; i < in->s->count; i++)
		if (is_same(in->s, &in->s->routines[i], in->field))
			return &in->s->routines[i];
	return NULL;
}

static bool is_edge(const struct paths_routine *r, uint32_t e, char *const *field)
{
	if (e == r->edges)
		return strcmp(field[1], "-") == 0;
	if ((uint32_t)atol(field[1]) != r->edge[e].from)
		return false;
	return r->edge[e].to == PATHS_EXIT ? strcmp(field[2], "x") == 0 : (uint32_t)atol(field[2]) == r->edge[e].to;
}

/* The counts, if it has these edges; NULL: it has others. */
static double *read_edges(struct reading *in, const struct paths_routine *r, uint32_t edges)
{
	double *counts = pass_zeroed(edges + 1, sizeof *counts);
	bool fits = r && edges == r->edges;
	for (uint32_t e = 0; e <= edges; e++) {
		if (!next_line(in) || in->fields < 4 || strcmp(in->field[0], "e") != 0)
			pass_fail("the file of weights %s is truncated", in->path);
		fits = fits && is_edge(r, e, in->field);
		counts[e] = strtod(in->field[3], NULL);
	}
	if (fits)
		return counts;
	free(counts);
	return NULL;
}

static void read_function(struct reading *in)
{
	if (in->fields < 6)
		pass_fail("the file of weights %s is truncated", in->path);
	uint32_t blocks = (uint32_t)atol(in->field[4]), edges = (uint32_t)atol(in->field[5]);
	struct paths_routine *r = find(in);
	double *counts = read_edges(in, r, edges);
	if (r)
		r->seen = true;
	if (counts && r->blocks == blocks)
		r->counted = counts;
	else
		free(counts);
	in->last = r && r->counted ? r : NULL;
	if (in->last)
		r->is_known = true;
}

/* A function of which no more is known than which of its paths were executed. */
static void read_named_function(struct reading *in)
{
	if (in->fields < 6)
		pass_fail("the file of weights %s is truncated", in->path);
	struct paths_routine *r = find(in);
	bool fits = r && r->blocks == (uint32_t)atol(in->field[4]) && r->edges == (uint32_t)atol(in->field[5]);
	if (r)
		r->seen = true;
	in->last = fits ? r : NULL;
	if (fits)
		r->is_known = true;
}

static void read_names(struct reading *in)
{
	struct paths_routine *r = in->last;
	for (unsigned i = 1; r && (i < in->fields || in->rest); i++) {
		const char *text = i < in->fields ? in->field[i] : strsep(&in->rest, "\t");
		r->before.at = pass_grow(r->before.at, r->before.count, sizeof *r->before.at);
		r->before.at[r->before.count++] = *text == 'x' ? strtoull(text + 1, NULL, 16) : strtoull(text, NULL, 10);
	}
}

/* The arcs of an executed path, needed to count only paths that were not executed. */
static void read_path(struct reading *in)
{
	struct paths_routine *r = in->last;
	uint32_t length = 0, *arcs = NULL;
	if (!r || in->fields < 3)
		return;
	for (unsigned i = 2; i < in->fields || in->rest; i++) {
		const char *text = i < in->fields ? in->field[i] : strsep(&in->rest, "\t");
		arcs = pass_grow(arcs, length, sizeof *arcs);
		arcs[length++] = (uint32_t)strtoul(text, NULL, 10);
	}
	r->executed = pass_grow(r->executed, r->executed_count, sizeof *r->executed);
	r->executed[r->executed_count++] = (struct paths_taken){arcs, length};
}

bool paths_read_measured(struct paths_pass *s)
{
	struct reading in = {.s = s, .path = pass_option(PLAN_WEIGHTS)};
	bool whole = false;
	if (!*in.path)
		return false;
	in.file = fopen(in.path, "r");
	if (!in.file || !next_line(&in) || strcmp(in.field[0], "skein-weights") != 0)
		pass_fail("cannot read the file of weights %s", in.path);
	while (next_line(&in)) {
		whole |= strcmp(in.field[0], "end") == 0;
		if (strcmp(in.field[0], "f") == 0)
			read_function(&in);
		else if (strcmp(in.field[0], "p") == 0)
			read_path(&in);
		else if (strcmp(in.field[0], "r") == 0)
			read_named_function(&in);
		else if (strcmp(in.field[0], "n") == 0)
			read_names(&in);
	}
	if (!whole)
		pass_fail("the file of weights %s is truncated", in.path);
	fclose(in.file);
	free(in.line);
	return true;
}
