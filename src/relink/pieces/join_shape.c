/* SPDX-License-Identifier: MIT */
/* join_shape.c: one list of shapes (pass/shape.h) from those of pieces. Numbers of routines, rows and source files go up by those of the
 * pieces before; functions that the linker dropped are left out. */
#include "relink/pieces/pieces.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build/plan.h"
#include "pass/shape.h"

struct shapes {
	FILE *to;
	const struct piece *piece;
	const bool *gone;
	size_t files, first_file; /* written so far; before this piece */
	size_t functions;
	const struct division *division; /* NULL: there is one copy */
	size_t number, met;              /* of the piece; functions of it that were met */
	const char *copy, *build_id;
	bool is_left_out;
};

/* A field of numbers of lines, FILE:LINE,LINE;FILE:LINE, or a dash. */
static void write_lines(struct shapes *s, const char *field)
{
	bool is_file = true;

	for (size_t length; *field; field += length) {
		size_t digits = strspn(field, "0123456789");
		length = digits ? digits : 1;
		if (is_file && digits)
			fprintf(s->to, "%zu", s->first_file + strtoul(field, NULL, 10));
		else
			fwrite(field, 1, length, s->to);
		is_file = *field == ';' || (is_file && *field != ':');
	}
}

static void write_block(struct shapes *s, char *line)
{
	char *rest = line;

	for (unsigned field = 0; rest; field++) {
		char *text = strsep(&rest, "\t");
		if (field)
			fputc('\t', s->to);
		if (field < 3)
			fputs(text, s->to);
		else
			write_lines(s, text);
	}
	fputc('\n', s->to);
}

/* The piece knows only what its own copy counts. */
static void end_function(struct shapes *s)
{
	if (s->division && s->met && !s->is_left_out)
		division_write_parts(s->division, s->number, s->met - 1, s->to);
}

static bool write_function(struct shapes *s, const char *line)
{
	size_t routine, blocks, edges, first, array;
	char flags[8], entry[24];

	if (sscanf(line, "f\t%zu\t%zu\t%zu\t%7[^\t]\t%zu\t%zu\t%23s", &routine, &blocks, &edges, flags, &first, &array, entry) != 7)
		return false;
	end_function(s);
	s->met++;
	routine += s->piece->first;
	s->is_left_out = s->gone[routine];
	if (s->is_left_out)
		return true;
	s->functions++;
	fprintf(s->to, "f\t%zu\t%zu\t%zu\t%s\t%zu\t%zu\t", routine, blocks, edges, flags, array ? first + s->piece->first_row : 0, array);
	if (*entry == '-')
		fputs("-\n", s->to);
	else
		fprintf(s->to, "%zu\n", strtoul(entry, NULL, 10) + s->piece->first_row);
	return true;
}

static bool write_line(struct shapes *s, char *line)
{
	size_t file;
	int name = 0;

	switch (*line) {
	case 'n':
		if (sscanf(line, "n\t%zu\t%n", &file, &name) != 1 || !name)
			return false;
		s->files++;
		fprintf(s->to, "n\t%zu\t%s\n", s->first_file + file, line + name);
		return true;
	case 'f': return write_function(s, line);
	case 'b':
		if (!s->is_left_out)
			write_block(s, line);
		return true;
	default:
		if (!s->is_left_out)
			fprintf(s->to, "%s\n", line);
		return true;
	}
}

/* What all have in common. */
static bool write_head(struct shapes *s, const char *line)
{
	int how = 0;

	sscanf(line, "o\t%*s\t%*s\t%n", &how);
	fprintf(s->to, SHAPE_MAGIC "\t%d\no\t%s\t%s\t%s\n", SHAPE_VERSION, s->build_id, s->copy, line + how);
	return how;
}

static int add_shape(struct shapes *s, struct fail *why)
{
	struct strv lines = {0};

	s->first_file = s->files;
	s->met = 0;
	strv_read(&lines, s->piece->shape);
	bool is_first = !ftell(s->to), good = lines.count > 2 && (!is_first || write_head(s, lines.at[1]));
	for (size_t i = 2; i + 1 < lines.count && good; i++)
		good = write_line(s, lines.at[i]);
	end_function(s);
	good = good && str_starts(lines.at[lines.count - 1], "end\t");
	strv_free(&lines);
	return good ? 0 : fail_set(why, FAIL_INTERNAL, "the shape of %s is damaged", s->piece->name);
}

int pieces_join_shapes(const struct pieces *pieces, const struct relink_link *l, const bool *gone, struct fail *why)
{
	char *path = str_format("%s/" SHAPE_FILE, l->stages->at[0]);
	struct shapes s = {.to = fopen(path, "we"),
	                   .gone = gone,
	                   .division = pieces_are_divided(l) ? &pieces->division : NULL,
	                   .copy = pieces_are_divided(l) ? plan_value(l->ask->plan, PLAN_COPY) : "0",
	                   .build_id = l->member->build_id};
	int failed = 0;

	for (size_t i = 0; s.to && i < pieces->count && !failed; i++) {
		s.piece = &pieces->at[i];
		s.number = i;
		if (s.piece->same == i)
			failed = add_shape(&s, why);
	}
	if (s.to)
		fprintf(s.to, "end\t%zu\n", s.functions);
	if ((!s.to || fclose(s.to) != 0) && !failed)
		failed = fail_set(why, FAIL_INTERNAL, "cannot write %s: %s", path, strerror(errno));
	free(path);
	return failed;
}
