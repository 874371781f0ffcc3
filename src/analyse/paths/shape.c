/* SPDX-License-Identifier: MIT */
#include "analyse/paths/shape.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/table.h"
#include "base/fields.h"
#include "pass/shape.h"

enum { MOST_COPIES = 4096 };

static bool number_or_none(const char *text, uint32_t *value)
{
	*value = SHAPE_NONE;
	return !*text || table_number(text, value);
}

static bool weight(const char *text, double *value)
{
	char *end;
	*value = strtod(text, &end);
	return end != text && *end == 0 && isfinite(*value) && *value >= 0;
}

/* ---- lines of the file ---- */

static bool read_object(struct shape *s, char *f[TABLE_FIELDS])
{
	static const char *const texts[] = {
#define X(name, text) text,
		PATHS_HOW_LIST(X)
#undef X
	};
	bool known = false;
	for (uint32_t i = 0; i < PATHS_HOWS; i++)
		if (strcmp(texts[i], f[4]) == 0) {
			s->how = (enum paths_how)i;
			known = true;
		}
	return known && snprintf(s->build_id, sizeof s->build_id, "%s", f[1]) < (int)sizeof s->build_id && table_number(f[2], &s->copy) &&
		table_number(f[3], &s->copies) && s->copies > 0 && s->copies <= MOST_COPIES && s->copy < s->copies;
}

static bool add_file(struct shape *s, char *f[TABLE_FIELDS])
{
	uint32_t index;
	if (!table_number(f[1], &index) || index != s->file_count)
		return false;
	MEMORY_GROW(s->files, s->file_count, s->file_room);
	s->files[s->file_count++] = pool_text(&s->pool, f[2]);
	return true;
}

/* Whether the last function has as many blocks and edges as it said. */
static bool is_complete(const struct shape *s)
{
	const struct shape_function *f = s->function_count ? &s->functions[s->function_count - 1] : NULL;
	return !f || (s->block_count == f->first_block + f->blocks && s->edge_count == f->first_edge + f->edges + 1);
}

static bool add_function(struct shape *s, char *f[TABLE_FIELDS])
{
	struct shape_function mine = {.by_turns = strchr(f[4], 't') != NULL, .measured = strchr(f[4], 'm') != NULL};
	if (!is_complete(s) || !table_number(f[1], &mine.routine) || !table_number(f[2], &mine.blocks) ||
	    !table_number(f[3], &mine.edges) || !number_or_none(f[5], &mine.first) || !table_number(f[6], &mine.array) ||
	    !number_or_none(f[7], &mine.entry))
		return false;
	if (!mine.blocks || (mine.array && mine.first == SHAPE_NONE))
		return false;
	mine.first_block = s->block_count;
	mine.first_edge = s->edge_count;
	mine.first_part = s->part_count;
	MEMORY_GROW(s->functions, s->function_count, s->function_room);
	s->functions[s->function_count++] = mine;
	return true;
}

/* LINE,LINE,… of one file, up to the next ';' or the end. */
static bool add_lines_of(struct shape *s, uint32_t file, char *text)
{
	char *rest = text;
	for (char *at; (at = strsep(&rest, ","));) {
		struct shape_line line = {.file = file};
		if (!table_number(at, &line.line))
			return false;
		MEMORY_GROW(s->lines, s->line_count, s->line_room);
		s->lines[s->line_count++] = line;
	}
	return true;
}

static bool add_lines(struct shape *s, char *text)
{
	char *rest = *text ? text : NULL;
	for (char *at; (at = strsep(&rest, ";"));) {
		char *colon = strchr(at, ':');
		uint32_t file = SHAPE_NONE;
		if (!colon)
			return false;
		*colon = 0;
		if (strcmp(at, "-") != 0 && (!table_number(at, &file) || file >= s->file_count))
			return false;
		if (!add_lines_of(s, file, colon + 1))
			return false;
	}
	return true;
}

static bool add_block(struct shape *s, char *f[TABLE_FIELDS])
{
	struct shape_block mine = {.first_line = s->line_count, .first_shown = s->line_count};
	const struct shape_function *of = s->function_count ? &s->functions[s->function_count - 1] : NULL;
	bool stops = strcmp(f[2], "1") == 0;
	if (!of || s->block_count - of->first_block >= of->blocks || !table_number(f[1], &mine.instructions) ||
	    (!stops && strcmp(f[2], "0") != 0) || !add_lines(s, f[3]))
		return false;
	mine.lines = mine.shown = (uint32_t)(s->line_count - mine.first_line);
	if (*f[4]) {
		mine.first_shown = s->line_count;
		if (!add_lines(s, f[4]))
			return false;
		mine.shown = (uint32_t)(s->line_count - mine.first_shown);
	}
	if (s->block_count == s->stop_room) {
		s->stop_room = s->stop_room ? 2 * s->stop_room : 256;
		s->stops = memory_resize(s->stops, s->stop_room, sizeof *s->stops);
	}
	s->stops[s->block_count] = stops;
	MEMORY_GROW(s->blocks, s->block_count, s->block_room);
	s->blocks[s->block_count++] = mine;
	return true;
}

static bool add_edge(struct shape *s, char *f[TABLE_FIELDS])
{
	const struct shape_function *of = s->function_count ? &s->functions[s->function_count - 1] : NULL;
	struct paths_edge mine = {.to = PATHS_EXIT};
	double passed, guessed;
	if (!of || s->edge_count - of->first_edge > of->edges || !weight(f[4], &passed) || !weight(*f[5] ? f[5] : f[4], &guessed))
		return false;
	if (s->edge_count - of->first_edge < of->edges) {
		bool leaves = strcmp(f[2], "x") == 0;
		if (!table_number(f[1], &mine.from) || mine.from >= of->blocks ||
		    (!leaves && (!table_number(f[2], &mine.to) || mine.to >= of->blocks)) || !table_number(f[3], &mine.flags))
			return false;
	} else if (*f[1] || *f[2]) {
		return false;
	}
	MEMORY_GROW(s->passed, s->passed_count, s->passed_room);
	s->passed[s->passed_count++] = passed;
	MEMORY_GROW(s->guessed, s->guessed_count, s->guessed_room);
	s->guessed[s->guessed_count++] = guessed;
	MEMORY_GROW(s->edges, s->edge_count, s->edge_room);
	s->edges[s->edge_count++] = mine;
	return true;
}

static bool add_part(struct shape *s, char *f[TABLE_FIELDS])
{
	struct shape_function *of = s->function_count ? &s->functions[s->function_count - 1] : NULL;
	struct shape_part mine = {0};
	if (!of || !table_number(f[1], &mine.copy) || mine.copy >= s->copies || !*f[2])
		return false;
	for (uint32_t i = 0; i < of->parts; i++)
		if (s->parts[of->first_part + i].copy == mine.copy)
			return false;
	mine.chosen = strcmp(f[2], "*") == 0 ? NULL : pool_text(&s->pool, f[2]);
	MEMORY_GROW(s->parts, s->part_count, s->part_room);
	s->parts[s->part_count++] = mine;
	of->parts++;
	return true;
}

/* NUMBER, or x and a hash. */
static bool add_name(struct shape *s, const struct shape_function *of, const char *text)
{
	bool hash = *text == 'x';
	char *end;
	errno = 0;
	uint64_t name = strtoull(text + hash, &end, hash ? 16 : 10);
	if (!isxdigit((unsigned char)text[hash]) || *end || errno ||
	    (s->name_count > of->first_name && s->names[s->name_count - 1] >= name))
		return false;
	MEMORY_GROW(s->names, s->name_count, s->name_room);
	s->names[s->name_count++] = name;
	return true;
}

static bool add_asked(struct shape *s, char *f[TABLE_FIELDS])
{
	struct shape_function *of = s->function_count ? &s->functions[s->function_count - 1] : NULL;
	if (!of || of->asked != SHAPE_ALL)
		return false;
	of->asked = strcmp(f[1], "these") == 0 ? SHAPE_THESE : strcmp(f[1], "others") == 0 ? SHAPE_OTHERS : SHAPE_ALL;
	of->first_name = s->name_count;
	char *rest = *f[2] ? f[2] : NULL;
	for (char *at; (at = strsep(&rest, ","));)
		if (!add_name(s, of, at))
			return false;
	of->names = s->name_count - of->first_name;
	return of->asked != SHAPE_ALL;
}

static enum table_line add_line(void *context, char *f[TABLE_FIELDS])
{
	struct shape *s = context;
	static const struct {
		const char *key;
		bool (*add)(struct shape *s, char *f[TABLE_FIELDS]);
	} known[] = {{"o", read_object}, {"n", add_file}, {"f", add_function}, {"b", add_block},
	             {"e", add_edge},    {"c", add_part}, {"a", add_asked}};
	uint32_t functions;
	if (strcmp(f[0], "end") == 0)
		return s->copies && is_complete(s) && table_number(f[1], &functions) && functions == s->function_count ? TABLE_LINE_LAST
														       : TABLE_LINE_BAD;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i].key, f[0]) == 0)
			return known[i].add(s, f) ? TABLE_LINE_GOOD : TABLE_LINE_BAD;
	return TABLE_LINE_GOOD; /* an unknown line: a later version may write more kinds */
}

int shape_read(struct shape *shape, const char *path, struct fail *why)
{
	static const struct table_form form = {"a list of shapes", SHAPE_MAGIC, SHAPE_VERSION, add_line};
	memset(shape, 0, sizeof *shape);
	int result = table_read_lines(path, &form, shape, why);
	if (result < 0)
		shape_free(shape);
	return result;
}

void shape_free(struct shape *shape)
{
	free(shape->files);
	free(shape->functions);
	free(shape->blocks);
	free(shape->stops);
	free(shape->edges);
	free(shape->passed);
	free(shape->guessed);
	free(shape->lines);
	free(shape->parts);
	free(shape->names);
	pool_free(&shape->pool);
	memset(shape, 0, sizeof *shape);
}

/* ---- what it is used for ---- */

struct paths_body shape_body(const struct shape *shape, const struct shape_function *f)
{
	return (struct paths_body){
		.blocks = f->blocks,
		.edges = f->edges,
		.edge = shape->edges + f->first_edge,
		.stops = shape->stops + f->first_block,
		.passed = shape->passed + f->first_edge,
	};
}

struct paths_body shape_guess(const struct shape *shape, const struct shape_function *f)
{
	struct paths_body body = shape_body(shape, f);
	body.passed = shape->guessed + f->first_edge;
	return body;
}

bool shape_chosen(const struct shape_part *part, uint32_t arcs, uint8_t *chosen)
{
	if (!part->chosen) {
		memset(chosen, 1, arcs);
		return true;
	}
	if (strlen(part->chosen) != ((size_t)arcs + 3) / 4)
		return false;
	for (uint32_t a = 0; a < arcs; a++) {
		int digit = fields_hex(part->chosen[a / 4]);
		if (digit < 0)
			return false;
		chosen[a] = digit >> a % 4 & 1;
	}
	return true;
}

static bool same_parts(const struct shape *a, const struct shape_function *f, const struct shape *b, const struct shape_function *g)
{
	bool same = f->parts == g->parts;
	for (uint32_t i = 0; same && i < f->parts; i++) {
		const struct shape_part *p = &a->parts[f->first_part + i], *q = &b->parts[g->first_part + i];
		same = p->copy == q->copy && !p->chosen == !q->chosen && (!p->chosen || strcmp(p->chosen, q->chosen) == 0);
	}
	return same;
}

static bool same_function(const struct shape *a, const struct shape_function *f, const struct shape *b, const struct shape_function *g)
{
	if (f->routine != g->routine || f->blocks != g->blocks || f->edges != g->edges || f->by_turns != g->by_turns ||
	    !same_parts(a, f, b, g))
		return false;
	for (uint32_t e = 0; e < f->edges; e++) {
		const struct paths_edge *p = &a->edges[f->first_edge + e], *q = &b->edges[g->first_edge + e];
		if (p->from != q->from || p->to != q->to || p->flags != q->flags)
			return false;
	}
	return memcmp(a->stops + f->first_block, b->stops + g->first_block, f->blocks) == 0 &&
		memcmp(a->passed + f->first_edge, b->passed + g->first_edge, (f->edges + 1) * sizeof *a->passed) == 0;
}

bool shape_is_alike(const struct shape *a, const struct shape *b)
{
	if (a->function_count != b->function_count || a->copies != b->copies || a->how != b->how)
		return false;
	for (size_t i = 0; i < a->function_count; i++)
		if (!same_function(a, &a->functions[i], b, &b->functions[i]))
			return false;
	return true;
}
