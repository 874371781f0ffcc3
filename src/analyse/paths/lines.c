/* SPDX-License-Identifier: MIT */
/* lines.c: the source lines of a path, in few words.
 *
 * Optimised code jumps back and forth between lines, so each line is named where it is first reached. Consecutive
 * lines are written as a range. Code that was inlined from a header of the system has the line of the program's own
 * source that uses it, as places of calls have (blame_place.h): the reader can change that line only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/paths/paths.h"
#include "base/map.h"
#include "base/strv.h"

/* Whether the line is new. */
static bool add(struct map *seen, struct paths_line line)
{
	static char is_seen;
	void **place = map_at(seen, (uint64_t)line.file << 32 | line.line);
	bool is_new = !*place;
	*place = &is_seen;
	return is_new;
}

/* The text that is being written, and the range of lines that is not written yet. */
struct text {
	FILE *file;
	const struct paths *paths;
	struct paths_line from;
	uint32_t to;
	uint32_t named; /* the file that was named last, + 1 */
	bool any;
};

static void flush(struct text *t)
{
	if (!t->from.line)
		return;
	if (t->named != t->from.file + 1 || !t->any)
		fprintf(t->file, "%s%s:", t->any ? ";" : "", t->from.file == PATHS_NONE ? "?" : str_base(t->paths->files[t->from.file]));
	else
		fputc(',', t->file);
	fprintf(t->file, t->to > t->from.line ? "%u-%u" : "%u", t->from.line, t->to);
	t->named = t->from.file + 1;
	t->any = true;
}

static void put(struct text *t, struct paths_line line)
{
	if (t->from.line && line.file == t->from.file && line.line == t->to + 1) {
		t->to++;
		return;
	}
	flush(t);
	t->from = line;
	t->to = line.line;
}

const char *paths_lines(struct pool *pool, const struct paths *paths, struct paths_walk walk)
{
	char *buffer = NULL;
	size_t bytes = 0;
	struct text text = {.file = open_memstream(&buffer, &bytes), .paths = paths};
	struct map seen = {0};
	for (uint32_t block; (block = paths_walk_next(&walk)) != PATHS_NONE;) {
		const struct paths_block *b = &paths->blocks[walk.profile->first_block + block];
		for (uint32_t i = 0; i < b->shown; i++) {
			struct paths_line line = paths->lines[b->first_shown + i];
			if (line.line && add(&seen, line))
				put(&text, line);
		}
	}
	flush(&text);
	fclose(text.file);
	map_free(&seen);
	const char *kept = pool_text(pool, buffer ? buffer : "");
	free(buffer);
	return kept;
}

static const char *one_line(struct pool *pool, const struct paths *paths, size_t first, uint32_t count, bool last)
{
	for (uint32_t i = 0; i < count; i++) {
		struct paths_line line = paths->lines[first + (last ? count - 1 - i : i)];
		if (line.line && line.file != PATHS_NONE)
			return pool_print(pool, "%s:%u", str_base(paths->files[line.file]), line.line);
	}
	return "";
}

const char *paths_where(struct pool *pool, const struct paths *paths, const struct paths_profile *f, uint32_t block, bool last)
{
	const struct paths_block *b = &paths->blocks[f->first_block + block];
	return one_line(pool, paths, b->first_shown, b->shown, last);
}

const char *paths_code_where(struct pool *pool, const struct paths *paths, const struct paths_profile *f, uint32_t block, bool last)
{
	const struct paths_block *b = &paths->blocks[f->first_block + block];
	return one_line(pool, paths, b->first_line, b->lines, last);
}
