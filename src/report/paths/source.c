/* SPDX-License-Identifier: MIT */
/* source.c: the lines of a source file, with how often each was executed, and those of one path marked. */
#include <stdlib.h>
#include <string.h>

#include "analyse/paths/cover.h"
#include "report/paths/view.h"
#include "report/source.h"

enum { AROUND = 3 };

static struct source_search search_of(const struct paths *p, const char *name)
{
	struct source_search search = {.name = name};
	for (size_t i = 0; i < p->file_count; i++)
		source_consider(&search, p->files[i]);
	return search;
}

static int check_source(const void *data, const struct view_ask *ask, struct fail *why)
{
	const struct paths_data *d = data;
	if (!d->asked.source)
		return fail_set(why, FAIL_USAGE, "the view source needs a file: skein report paths --source FILE");
	struct source_search search = search_of(&d->paths, d->asked.source);
	if (!search.found)
		return fail_set(why, FAIL_USAGE, "this recording has no code from a file %.200s", d->asked.source);
	return source_check(&search, why) < 0 ? -1 : view_paths_check_way(data, ask, why);
}

/* ---- lines ---- */

/* Lines of one file that a path goes over. */
struct marks {
	uint8_t *line;
	size_t room;
};

static void mark(struct marks *m, uint32_t line)
{
	if (line >= m->room) {
		size_t room = 2 * (size_t)line + 64;
		m->line = memory_resize(m->line, room, 1);
		memset(m->line + m->room, 0, room - m->room);
		m->room = room;
	}
	m->line[line] = 1;
}

static void mark_lines(struct marks *m, const struct paths *p, size_t first, uint32_t count, const char *file)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct paths_line *line = &p->lines[first + i];
		if (line->file != PATHS_NONE && strcmp(p->files[line->file], file) == 0)
			mark(m, line->line);
	}
}

static void mark_path(struct marks *m, const struct paths *p, struct paths_walk walk, const char *file)
{
	for (uint32_t b; (b = paths_walk_next(&walk)) != PATHS_NONE;) {
		const struct paths_block *block = &p->blocks[walk.profile->first_block + b];
		mark_lines(m, p, block->first_line, block->lines, file);
		mark_lines(m, p, block->first_shown, block->shown, file);
	}
}

struct wanted {
	const struct paths_data *d;
	const struct view_ask *ask;
};

static bool wants(const void *context, const struct paths_profile *f)
{
	const struct wanted *w = context;
	return view_paths_wants(w->d, w->ask->routine, f) && !paths_is_partial(f);
}

static struct marks marks_of(const struct paths_data *d, const struct view_ask *ask, const char *file)
{
	struct marks marks = {0};
	for (size_t i = 0; d->asked.path && i < d->paths.profile_count; i++) {
		const struct paths_profile *f = &d->paths.profiles[i];
		struct view_paths_way way;
		if (!view_paths_wants(d, ask->routine, f) || !view_paths_way(&d->paths, f, d->asked.path, &way))
			continue;
		mark_path(&marks, &d->paths, view_paths_walk(&d->paths, f, &way), file);
		free(way.steps);
	}
	return marks;
}

/* Of one function, or of one path, its lines and some around them: `at` is the next with code, `last` was the last that
 * is shown for its own sake. */
static bool is_near(const struct wanted *w, const struct paths_cover *cover, size_t at, const char *file, const struct marks *marks,
                    size_t last, size_t line)
{
	if (last && line - last <= AROUND)
		return true;
	if (!w->d->asked.path && at < cover->line_count && cover->lines[at].line <= line + AROUND &&
	    strcmp(w->d->paths.files[cover->lines[at].file], file) == 0)
		return true;
	for (size_t i = line; i <= line + AROUND && i < marks->room; i++)
		if (marks->line[i])
			return true;
	return false;
}

struct line_row {
	const char *file, *text;
	size_t line;
	int64_t count; /* -1: it has no code */
	bool is_marked, has_path;
};

static void put_line(struct sheet *s, const struct line_row *r)
{
	COLUMN(s, TEXT, "file", NULL, r->file);
	COLUMN(s, ID, "line", "line", r->line);
	COLUMN(s, COUNT, "count", "count", r->count,
	       .meaning = "how often the line was executed: the largest count of its blocks, summed over functions");
	COLUMN(s, COUNT, "path", NULL, r->has_path ? (int64_t)r->is_marked : RUN_UNKNOWN);
	COLUMN(s, TEXT, NULL, "", r->is_marked ? ">" : "");
	COLUMN(s, CODE, "source", "source", r->text);
}

static void fill_source(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths_data *d = data;
	struct source_search search = search_of(&d->paths, d->asked.source);
	struct paths_cover cover;
	struct source_reader reader;
	size_t at = 0, last = 0;
	put_line(s, &(struct line_row){0});
	if (!source_begin(&reader, &search))
		return;
	paths_cover_lines(&d->paths, wants, &(struct wanted){d, ask}, &cover);
	struct marks marks = marks_of(d, ask, search.found);
	while (at < cover.line_count && strcmp(d->paths.files[cover.lines[at].file], search.found) != 0)
		at++;
	while (source_next(&reader)) {
		size_t line = reader.line;
		bool is_code = at < cover.line_count && cover.lines[at].line == line, marked = line < marks.room && marks.line[line];
		int64_t count = is_code ? (int64_t)cover.lines[at].count : -1;
		at += is_code;
		last = (d->asked.path ? marked : is_code) ? line : last;
		if (ask->routine && !is_near(&(struct wanted){d, ask}, &cover, at, search.found, &marks, last, line))
			continue;
		sheet_row(s, 0);
		put_line(s,
		         &(struct line_row){search.found, source_text(&s->pool, reader.text), line, count, marked, d->asked.path != NULL});
	}
	bool beyond = at < cover.line_count && strcmp(d->paths.files[cover.lines[at].file], search.found) == 0;
	s->doubt = source_end(&reader, &s->pool, &d->run, &search, beyond ? UINT32_MAX : 0);
	free(marks.line);
	paths_cover_free(&cover);
}

const struct view view_paths_source = {
	.name = "source",
	.help = "lines of --source FILE with counts; --path is marked",
	.chosen_by = OPTION_SOURCE,
	.check = check_source,
	.fill = fill_source,
};
