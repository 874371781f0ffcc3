/* SPDX-License-Identifier: MIT */
/* sample.c: `skein export llvm-sample`: line counts as a profile for clang -fprofile-sample-use, in the text form that llvm-profdata reads.
 *
 *     parse:1200:4          function, the sum of its lines, its calls
 *      3: 400               a line, counted from that of the function
 *
 * Counts are exact, not samples. Code that was inlined has its lines in the function that it was written in, as if it had not been. A
 * function has the lines up to where the next one of its file begins. */
#include <inttypes.h>
#include <string.h>

#include "analyse/paths/cover.h"
#include "report/paths/export.h"

/* A name with a colon or a newline would end the name. */
static bool is_plain(const char *name)
{
	return *name && !strpbrk(name, ": \t\n");
}

/* Lines of functions follow each other, by file and line. Where several begin on one line, the first one has the lines. */
static size_t lines_of(const struct paths_cover *c, size_t function, size_t *first)
{
	const struct paths_cover_function *f = &c->functions[function];
	size_t next = function + 1, low = 0, high = c->line_count;
	while (next < c->function_count && c->functions[next].file == f->file && c->functions[next].line == f->line)
		next++;
	uint32_t end = next < c->function_count && c->functions[next].file == f->file ? c->functions[next].line : UINT32_MAX;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct paths_cover_line *l = &c->lines[middle];
		if (l->file < f->file || (l->file == f->file && l->line < f->line))
			low = middle + 1;
		else
			high = middle;
	}
	*first = low;
	while (high < c->line_count && c->lines[high].file == f->file && c->lines[high].line < end)
		high++;
	return high - low;
}

static void write_function(const struct paths_cover *c, size_t function, FILE *file)
{
	const struct paths_cover_function *f = &c->functions[function];
	size_t first, count = lines_of(c, function, &first);
	uint64_t sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += c->lines[first + i].count;
	fprintf(file, "%s:%" PRIu64 ":%" PRIu64 "\n", f->name, sum, f->calls);
	for (size_t i = 0; i < count; i++)
		if (c->lines[first + i].count)
			fprintf(file, " %u: %" PRIu64 "\n", c->lines[first + i].line - f->line, c->lines[first + i].count);
}

static bool begins_with_another(const struct paths_cover *c, size_t i)
{
	return i && c->functions[i - 1].file == c->functions[i].file && c->functions[i - 1].line == c->functions[i].line;
}

int export_sample(const struct paths *paths, FILE *file, struct fail *why)
{
	struct paths_cover cover;
	paths_cover(paths, &cover);
	if (cover.line_count == 0) {
		paths_cover_free(&cover);
		return fail_set(why, FAIL_USAGE, "the recording has no source lines: build the program with -g and record it again");
	}
	for (size_t i = 0; i < cover.function_count; i++)
		if (cover.functions[i].file != PATHS_NONE && cover.functions[i].line && is_plain(cover.functions[i].name) &&
		    !begins_with_another(&cover, i))
			write_function(&cover, i, file);
	paths_cover_free(&cover);
	return 0;
}
