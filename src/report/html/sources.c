/* SPDX-License-Identifier: MIT */
#include "report/html/sources.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/strv.h"

enum { MOST_FILES = 40, MOST_BYTES = 512 << 10, MOST_IN_ALL = 4 << 20 };

static bool is_path(const void *array, size_t number, const void *what)
{
	const struct sources_file *list = array;
	return strcmp(list[number].path, what) == 0;
}

static struct sources_file *file_of(struct sources *s, const char *path)
{
	size_t *place = lookup_at(&s->index, hash_text(HASH_START, path), is_path, s->list, path);
	if (!*place) {
		MEMORY_GROW(s->list, s->count, s->room);
		s->list[s->count++] = (struct sources_file){.path = pool_text(&s->pool, path)};
		*place = s->count;
	}
	return &s->list[*place - 1];
}

static bool is_of_system(const char *path)
{
	return strncmp(path, "/usr/", 5) == 0 || strncmp(path, "/lib", 4) == 0;
}

void sources_note(struct sources *s, const struct sheet *sheet)
{
	for (size_t c = 0; c < sheet->column_count; c++) {
		const char *name = sheet->columns[c].name;
		if (!name || (strcmp(name, "file") != 0 && !str_ends(name, "_file")))
			continue;
		const char *last = "";
		struct sources_file *file = NULL;
		for (size_t r = 0; r < sheet->row_count; r++) {
			const struct cell *cell = sheet_cell(sheet, r, c);
			if (cell->kind != CELL_TEXT || !*cell->text || is_of_system(cell->text))
				continue;
			if (!file || strcmp(last, cell->text) != 0)
				file = file_of(s, cell->text);
			last = cell->text;
			file->rows++;
		}
	}
}

static int by_rows(const void *a, const void *b)
{
	const struct sources_file *x = a, *y = b;
	if (x->rows != y->rows)
		return x->rows > y->rows ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* A recording from another person may name any file: a page that is passed on must not hold its maker's keys or letters. */
static bool is_source(const char *path)
{
	static const char *const ends[] = {"c",   "h",   "cc",  "hh",  "cpp", "hpp", "cxx", "hxx", "c++", "h++", "C",   "H",
	                                   "tcc", "inc", "inl", "ipp", "tpp", "i",   "ii",  "m",   "mm",  "cu",  "cuh", "def",
	                                   "y",   "yy",  "l",   "ll",  "s",   "S",   "rs",  "go",  "f",   "f90", "F",   "F90"};
	const char *base = str_base(path), *dot = strrchr(base, '.');
	for (size_t i = 0; dot && dot > base && i < sizeof ends / sizeof *ends; i++)
		if (strcmp(dot + 1, ends[i]) == 0)
			return true;
	return false;
}

/* What is no regular file may wait for ever when it is opened, or do something. */
static FILE *open_regular(const char *path, struct stat *is)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	FILE *file = fstat(fd, is) == 0 && S_ISREG(is->st_mode) ? fdopen(fd, "r") : NULL;
	if (!file)
		close(fd);
	return file;
}

static void drop_text(struct sources_file *f)
{
	free(f->text);
	f->text = NULL;
	f->bytes = 0;
}

static void read_file(struct sources_file *f, size_t most, uint64_t run_real_ns)
{
	struct stat is;
	FILE *file = is_source(f->path) ? open_regular(f->path, &is) : NULL;
	if (!file)
		return;
	if (is.st_size > 0 && (uint64_t)is.st_size <= most) {
		f->text = mem_or_die(malloc((size_t)is.st_size));
		f->bytes = fread(f->text, 1, (size_t)is.st_size, file);
		f->is_newer = (uint64_t)is.st_mtim.tv_sec > run_real_ns / 1000000000u;
		if (!f->bytes || memchr(f->text, 0, f->bytes))
			drop_text(f);
	}
	fclose(file);
}

void sources_choose(struct sources *s, uint64_t run_real_ns)
{
	size_t bytes = 0, chosen = 0;
	if (s->count)
		qsort(s->list, s->count, sizeof *s->list, by_rows);
	lookup_free(&s->index);
	for (size_t i = 0; i < s->count && chosen < MOST_FILES; i++) {
		size_t left = MOST_IN_ALL - bytes;
		read_file(&s->list[i], left < MOST_BYTES ? left : MOST_BYTES, run_real_ns);
		if (!s->list[i].text)
			continue;
		bytes += s->list[i].bytes;
		struct sources_file file = s->list[i];
		s->list[i] = s->list[chosen];
		s->list[chosen++] = file;
	}
	s->chosen = chosen;
}

void sources_free(struct sources *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->list[i].text);
	free(s->list);
	lookup_free(&s->index);
	pool_free(&s->pool);
	memset(s, 0, sizeof *s);
}
