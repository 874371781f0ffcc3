/* SPDX-License-Identifier: MIT */
/* view_paths_source.c: the lines of a source file, with how often each was executed, and those of one path marked. */
#include <stdlib.h>
#include <string.h>

#include "cli/source.h"
#include "cli/view_paths.h"

const struct column view_paths_source_columns[VIEW_PATHS_source_COLUMNS] = {
	{"file", NULL, COLUMN_TEXT, 0, NULL},
	{"line", "line", COLUMN_COUNT, 0, NULL},
	{"count", "count", COLUMN_COUNT, 0, "how often the line was executed: the largest of its blocks in each function, added up"},
	{"path", NULL, COLUMN_COUNT, 0, NULL},
	{NULL, "", COLUMN_TEXT, 0, NULL},
	{"source", "source", COLUMN_CODE, 0, NULL},
};

static struct source_search search_of(const struct paths *p, const char *name)
{
	struct source_search search = {.name = name};
	for (size_t i = 0; i < p->file_count; i++)
		source_consider(&search, p->files[i]);
	return search;
}

int view_paths_check_source(const void *data, const struct view_ask *ask, struct fail *why)
{
	if (!ask->source)
		return fail_set(why, FAIL_USAGE, "the view source needs a file: skein report paths --source FILE");
	struct source_search search = search_of(&((const struct paths_data *)data)->paths, ask->source);
	if (!search.found)
		return fail_set(why, FAIL_USAGE, "no code of this recording is from a file %.200s", ask->source);
	return source_check(&search, why) < 0 ? -1 : view_paths_check(data, ask, why);
}

/* ---- lines ---- */

struct lines {
	int64_t *count; /* by line; -1: no code */
	uint8_t *marked;
	size_t room;
};

static void make_room(struct lines *l, uint32_t line)
{
	if (line < l->room)
		return;
	size_t room = 2 * (size_t)line + 64;
	l->count = memory_resize(l->count, room, sizeof *l->count);
	l->marked = memory_resize(l->marked, room, sizeof *l->marked);
	for (size_t i = l->room; i < room; i++) {
		l->count[i] = -1;
		l->marked[i] = 0;
	}
	l->room = room;
}

static bool is_in(const struct paths *p, const struct paths_line *line, const char *file)
{
	return line->file != PATHS_NONE && strcmp(p->files[line->file], file) == 0;
}

static int by_line(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : x[1] < y[1] ? -1 : x[1] > y[1];
}

/* Of one function: a line that several of its blocks have was executed as often as the one of them that was most often. */
static void count_function(struct lines *l, const struct paths *p, const struct paths_profile *f, const char *file)
{
	int64_t(*list)[2] = NULL;
	size_t count = 0, room = 0;
	for (uint32_t b = 0; b < f->blocks; b++) {
		const struct paths_block *block = &p->blocks[f->first_block + b];
		for (uint32_t i = 0; i < block->lines; i++) {
			const struct paths_line *line = &p->lines[block->first_line + i];
			if (!is_in(p, line, file))
				continue;
			MEMORY_GROW(list, count, room);
			list[count][0] = line->line;
			list[count++][1] = (int64_t)block->count;
		}
	}
	if (count)
		qsort(list, count, sizeof *list, by_line);
	for (size_t i = 0; i < count; i++) {
		if (i + 1 < count && list[i + 1][0] == list[i][0])
			continue;
		make_room(l, (uint32_t)list[i][0]);
		l->count[list[i][0]] = (l->count[list[i][0]] < 0 ? 0 : l->count[list[i][0]]) + list[i][1];
	}
	free(list);
}

static void mark_path(struct lines *l, const struct paths *p, const struct paths_path *path, const char *file)
{
	struct paths_walk walk = paths_walk(p, path);
	for (uint32_t b; (b = paths_walk_next(&walk)) != PATHS_NONE;) {
		const struct paths_block *block = &p->blocks[walk.profile->first_block + b];
		for (uint32_t i = 0; i < block->lines; i++) {
			const struct paths_line *line = &p->lines[block->first_line + i];
			if (!is_in(p, line, file))
				continue;
			make_room(l, line->line);
			l->marked[line->line] = 1;
		}
	}
}

static void collect(struct lines *l, const struct paths_data *d, const struct view_ask *ask, const char *file)
{
	const struct paths *p = &d->paths;
	for (size_t i = 0; i < p->profile_count; i++)
		if (view_paths_wants(d, ask, &p->profiles[i]))
			count_function(l, p, &p->profiles[i], file);
	for (size_t i = 0; ask->path && i < p->path_count; i++)
		if (view_paths_wants(d, ask, &p->profiles[p->list[i].profile]) && view_paths_is(p, ask, &p->list[i]))
			mark_path(l, p, &p->list[i], file);
}

void view_paths_source(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths_data *d = data;
	struct source_search search = search_of(&d->paths, ask->source);
	struct lines lines = {0};
	struct stat is;
	FILE *file = search.found ? source_open(&search, &is) : NULL;
	char *text = NULL;
	size_t room = 0, line = 1;
	if (!file)
		return;
	collect(&lines, d, ask, search.found);
	for (; getline(&text, &room, file) >= 0; line++) {
		bool known = line < lines.room, marked = known && lines.marked[line];
		sheet_row(s, 0);
		sheet_lend(s, search.found);
		sheet_number(s, (int64_t)line);
		sheet_number(s, known ? lines.count[line] : -1);
		sheet_number(s, ask->path ? (int64_t)marked : -1);
		sheet_lend(s, marked ? ">" : "");
		sheet_text(s, source_text(&s->pool, text));
	}
	bool beyond = false;
	for (; line < lines.room; line++)
		beyond |= lines.count[line] >= 0;
	if (beyond || source_is_newer(&d->run, &is))
		s->doubt = pool_print(&s->pool, "%s was changed since the program was built: figures may stand at the wrong lines.", ask->source);
	free(lines.count);
	free(lines.marked);
	free(text);
	fclose(file);
}
