/* SPDX-License-Identifier: MIT */
#include "report/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TAB = 4 };

/* Whether the shorter path is the end of the longer one, by whole names. */
static bool ends_alike(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	if (n > m)
		return ends_alike(b, a);
	return n && strcmp(b + m - n, a) == 0 && (n == m || a[0] == '/' || b[m - n - 1] == '/');
}

static const char *without_dots(const char *path)
{
	for (;;) {
		size_t dots = strncmp(path, "../", 3) == 0 ? 3 : strncmp(path, "./", 2) == 0 ? 2 : 0;
		if (!dots)
			return path;
		path += dots;
	}
}

void source_consider(struct source_search *search, const char *file)
{
	if (search->exact)
		return;
	if (strcmp(file, search->name) == 0) {
		search->exact = true;
		search->found = file;
		search->other = NULL;
		return;
	}
	if (!ends_alike(without_dots(file), without_dots(search->name)) || (search->found && strcmp(search->found, file) == 0))
		return;
	search->other = search->found ? file : NULL;
	search->found = search->found ? search->found : file;
}

static FILE *open_file(const struct source_search *search, struct stat *is)
{
	FILE *file = fopen(search->name, "re");
	if (!file && errno == ENOENT)
		file = fopen(search->found, "re");
	if (file && (fstat(fileno(file), is) < 0 || !S_ISREG(is->st_mode))) {
		fclose(file);
		errno = EINVAL;
		file = NULL;
	}
	return file;
}

int source_check(const struct source_search *search, struct fail *why)
{
	struct stat is;
	if (search->other)
		return fail_set(why, FAIL_USAGE, "%.200s is ambiguous (%.300s or %.300s): give more of its path", search->name,
		                search->found, search->other);
	FILE *file = open_file(search, &is);
	if (!file)
		return fail_set(why, FAIL_NOT_FOUND,
		                "cannot read the source file %.300s: %s; run skein in the folder of the file, or give its path",
		                search->name, strerror(errno));
	fclose(file);
	return 0;
}

const char *source_text(struct pool *pool, const char *line)
{
	size_t room = strlen(line) * TAB + 1, at = 0;
	char *text = pool_bytes(pool, room);
	for (; *line && *line != '\n' && *line != '\r'; line++) {
		if (*line == '\t')
			do
				text[at++] = ' ';
			while (at % TAB);
		else
			text[at++] = *line;
	}
	text[at] = 0;
	return text;
}

static bool is_newer(const struct run *run, const struct stat *source)
{
	struct stat program;
	struct timespec limit = {.tv_sec = (time_t)(run->started_real_ns / 1000000000),
	                         .tv_nsec = (long)(run->started_real_ns % 1000000000)};
	if (stat(run->program, &program) == 0 && program.st_mtim.tv_sec < limit.tv_sec)
		limit = program.st_mtim;
	return source->st_mtim.tv_sec > limit.tv_sec || (source->st_mtim.tv_sec == limit.tv_sec && source->st_mtim.tv_nsec > limit.tv_nsec);
}

bool source_begin(struct source_reader *reader, const struct source_search *search)
{
	*reader = (struct source_reader){0};
	reader->file = search->found ? open_file(search, &reader->is) : NULL;
	return reader->file != NULL;
}

bool source_next(struct source_reader *reader)
{
	if (getline(&reader->text, &reader->room, reader->file) < 0)
		return false;
	reader->line++;
	return true;
}

const char *source_end(struct source_reader *reader, struct pool *pool, const struct run *run, const struct source_search *search,
                       uint32_t last)
{
	bool changed = reader->line < last || is_newer(run, &reader->is);
	free(reader->text);
	fclose(reader->file);
	return changed ? pool_print(pool, "%s was changed since the program was built: figures may be at the wrong lines.", search->name)
		       : NULL;
}
