/* SPDX-License-Identifier: MIT */
#include "report/html/sources.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

static void read_file(struct sources_file *f, size_t most, uint64_t run_real_ns)
{
	struct stat is;
	FILE *file = fopen(f->path, "re");
	if (!file)
		return;
	if (fstat(fileno(file), &is) == 0 && S_ISREG(is.st_mode) && is.st_size > 0 && (uint64_t)is.st_size <= most) {
		f->text = mem_or_die(malloc((size_t)is.st_size));
		f->bytes = fread(f->text, 1, (size_t)is.st_size, file);
		f->is_newer = (uint64_t)is.st_mtim.tv_sec > run_real_ns / 1000000000u;
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
