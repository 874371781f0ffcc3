/* SPDX-License-Identifier: MIT */
/* lcov.c: coverage as a tracefile of LCOV, which genhtml, editors and services for coverage read.
 *
 * A section a source file, from SF to end_of_record: FN and FNDA are functions and their calls, BRDA outcomes of
 * branches ("-": the branch was never come to), DA lines, and F and H of each kind how many were found and how many
 * were hit. A branch is known by its line and a number; all functions that have code of the line number on. */
#include <inttypes.h>
#include <string.h>

#include "analyse/paths/cover.h"
#include "report/paths/export.h"

struct section {
	const struct paths *paths;
	const struct paths_cover *cover;
	FILE *file;
	uint32_t of;
	size_t line, function, branch; /* where the section begins, and at its end the next */
};

/* A name with a newline in it would be a line of the file's own. */
static void write_name(FILE *file, const char *name)
{
	for (; *name; name++)
		fputc((unsigned char)*name < ' ' || *name == 127 ? '?' : *name, file);
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

static void write_lines(struct section *s)
{
	size_t found = 0, hit = 0;
	for (; s->line < s->cover->line_count && s->cover->lines[s->line].file == s->of; s->line++) {
		fprintf(s->file, "DA:%u,%" PRIu64 "\n", s->cover->lines[s->line].line, s->cover->lines[s->line].count);
		found++;
		hit += s->cover->lines[s->line].count > 0;
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
		write_functions(&s);
		write_branches(&s);
		write_lines(&s);
		fputs("end_of_record\n", file);
	}
	paths_cover_free(&cover);
	return 0;
}
