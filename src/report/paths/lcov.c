/* SPDX-License-Identifier: MIT */
/* lcov.c: coverage as a tracefile of LCOV, which genhtml, editors and services for coverage read.
 *
 * A section a source file, from SF to end_of_record: FN and FNDA are functions and their calls, BRDA outcomes of
 * branches ("-": the branch was never reached), DA lines, and F and H of each kind how many were found and how many
 * were hit. A branch is known by its line and a number; all functions that have code of the line number on. */
#include <inttypes.h>
#include <string.h>

#include "analyse/paths/cover.h"
#include "base/escape.h"
#include "report/paths/export.h"

struct section {
	const struct paths *paths;
	const struct paths_cover *cover;
	FILE *file;
	uint32_t of;
	size_t line, function, branch; /* where the section begins, and at its end the next */
	size_t head;                   /* the first function whose line is not written yet */
};

/* A name with a newline in it would be a line of the file's own. */
static void write_name(FILE *file, const char *name)
{
	struct pool pool = {0};
	fputs(escape_plain(&pool, name), file);
	pool_free(&pool);
}

static void write_functions(struct section *s)
{
	size_t first = s->function, found, hit = 0;
	const struct paths_cover *c = s->cover;
	for (; s->function < c->function_count && c->functions[s->function].file == s->of; s->function++) {
		fprintf(s->file, "FN:%u,", c->functions[s->function].line);
		write_name(s->file, c->functions[s->function].name);
		fputc('\n', s->file);
	}
	found = s->function - first;
	for (size_t i = first; i < s->function; i++) {
		fprintf(s->file, "FNDA:%" PRIu64 ",", c->functions[i].calls);
		write_name(s->file, c->functions[i].name);
		fputc('\n', s->file);
		hit += c->functions[i].calls > 0;
	}
	fprintf(s->file, "FNF:%zu\nFNH:%zu\n", found, hit);
}

static void write_branches(struct section *s)
{
	size_t found = 0, hit = 0;
	uint32_t number = 0, outcome = 0;
	for (; s->branch < s->cover->branch_count && s->cover->branches[s->branch].file == s->of; s->branch++) {
		const struct paths_cover_branch *b = &s->cover->branches[s->branch];
		bool same_line = found && b[-1].line == b->line,
		     same = same_line && b[-1].profile == b->profile && b[-1].is.block == b->is.block;
		number = same ? number : same_line ? number + 1 : 0;
		outcome = same ? outcome + 1 : 0;
		fprintf(s->file, "BRDA:%u,%u,%u,", b->line, number, outcome);
		if (b->is.of)
			fprintf(s->file, "%" PRIu64 "\n", b->is.taken);
		else
			fputs("-\n", s->file);
		found++;
		hit += b->is.taken > 0;
	}
	fprintf(s->file, "BRF:%zu\nBRH:%zu\n", found, hit);
}

/* Takes the functions that begin on the line, and returns their calls. */
static uint64_t take_heads(struct section *s, uint32_t line)
{
	uint64_t calls = 0;
	for (; s->head < s->function && s->cover->functions[s->head].line == line; s->head++)
		calls += s->cover->functions[s->head].calls;
	return calls;
}

/* A function begins on a line with a count, as compilers have it: genhtml 2 takes no other. If the optimiser left no code on
 * that line, its count is the number of calls. */
static void write_lines(struct section *s)
{
	const struct paths_cover *c = s->cover;
	size_t found = 0, hit = 0;
	take_heads(s, 0);
	for (;;) {
		uint32_t line = s->line < c->line_count && c->lines[s->line].file == s->of ? c->lines[s->line].line : UINT32_MAX;
		uint32_t head = s->head < s->function ? c->functions[s->head].line : UINT32_MAX;
		uint32_t next = line < head ? line : head;
		if (next == UINT32_MAX)
			break;
		uint64_t count = take_heads(s, next);
		if (line == next)
			count = c->lines[s->line++].count;
		fprintf(s->file, "DA:%u,%" PRIu64 "\n", next, count);
		found++;
		hit += count > 0;
	}
	fprintf(s->file, "LF:%zu\nLH:%zu\n", found, hit);
}

int export_lcov(const struct paths *paths, FILE *file, struct fail *why)
{
	struct paths_cover cover;
	paths_cover(paths, &cover);
	if (cover.line_count == 0) {
		paths_cover_free(&cover);
		return fail_set(why, FAIL_USAGE, "the recording has no source lines: build the program with -g and record it again");
	}
	struct section s = {.paths = paths, .cover = &cover, .file = file};
	while (s.line < cover.line_count) {
		s.of = cover.lines[s.line].file;
		while (s.function < cover.function_count && cover.functions[s.function].file < s.of)
			s.function++; /* of a file that has no lines */
		fputs("TN:\nSF:", file);
		write_name(file, paths->files[s.of]);
		fputc('\n', file);
		s.head = s.function;
		write_functions(&s);
		write_branches(&s);
		write_lines(&s);
		fputs("end_of_record\n", file);
	}
	paths_cover_free(&cover);
	return 0;
}
