/* SPDX-License-Identifier: MIT */
/* cmd_export.c: skein export. Writes what a recording holds in a form that other tools read. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "cli/commands.h"
#include "report/export/csv.h"
#include "report/lens.h"
#include "report/repeats/repeated.h"
#include "report/report.h"

enum { MOST_FORMATS = 32, LIST_BYTES = 300 };

/* ---- which format of which lens ---- */

static void append(char list[LIST_BYTES], const char *name)
{
	size_t length = strlen(list);
	snprintf(list + length, LIST_BYTES - length, "%s%s", length ? ", " : "", name);
}

static const struct export_format *format_of(const struct lens *lens, const char *name)
{
	for (const struct export_format *f = lens->exports; f && f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

/* All names of formats, each once, ended by NULL. */
static void list_formats(const char *names[MOST_FORMATS + 1])
{
	size_t count = 0;
	for (size_t i = 0; i < lens_count; i++)
		for (const struct export_format *f = lenses[i]->exports; f && f->name; f++) {
			bool is_new = count < MOST_FORMATS;
			for (size_t n = 0; n < count; n++)
				is_new = is_new && strcmp(names[n], f->name) != 0;
			if (is_new)
				names[count++] = f->name;
		}
	names[count] = NULL;
}

static int unknown_format(const char *name, struct fail *why)
{
	const char *names[MOST_FORMATS + 1];
	char list[LIST_BYTES] = "";
	list_formats(names);
	for (size_t i = 0; names[i]; i++)
		append(list, names[i]);
	const char *near = nearest(name, names);
	if (near)
		return fail_set(why, FAIL_USAGE, "there is no format %.100s; did you mean %s?", name, near);
	return fail_set(why, FAIL_USAGE, "there is no format %.100s; the formats are %s", name, list);
}

/* Lenses that have the format: in all, and of those that were recorded. `store` may be NULL. */
struct offers {
	const struct lens *only, *recorded; /* the last of each */
	size_t count, recorded_count;
	char list[LIST_BYTES], recorded_list[LIST_BYTES];
};

static struct offers offers_of(const char *format, struct store *store)
{
	struct offers o = {.list = ""};
	for (size_t i = 0; i < lens_count; i++) {
		if (!format_of(lenses[i], format))
			continue;
		o.only = lenses[i];
		o.count++;
		append(o.list, lenses[i]->name);
		if (store && store_has_lens(store, lenses[i]->name)) {
			o.recorded = lenses[i];
			o.recorded_count++;
			append(o.recorded_list, lenses[i]->name);
		}
	}
	return o;
}

/* Words are FORMAT [LENS] [FILE]. The second of three is a lens; the second of two is one if a lens has that name. */
static int sort_words(const struct arguments *a, const struct lens **lens, char path[PATH_MAX], struct fail *why)
{
	const char *file = a->word_count > 2 ? a->words[2] : NULL;
	*lens = NULL;
	if (a->word_count == 0)
		return fail_set(why, FAIL_USAGE, "export needs a format: skein export lcov");
	if (offers_of(a->words[0], NULL).count == 0)
		return unknown_format(a->words[0], why);
	if (a->word_count > 1) {
		*lens = lens_find(a->words[1]);
		if (!*lens && file)
			return lens_unknown(a->words[1], why);
		if (!*lens)
			file = a->words[1];
	}
	if (!file)
		return report_newest(path, why);
	snprintf(path, PATH_MAX, "%s", file);
	return 0;
}

/* The lens that was named, the only one that has the format, or the only one of the recording that has it. */
static int choose_lens(struct store *store, const char *path, const char *format, const struct lens **lens, struct fail *why)
{
	struct offers o = offers_of(format, store);
	if (*lens && !format_of(*lens, format))
		return fail_set(why, FAIL_USAGE, "the lens %s cannot be exported as %s; these lenses can: %s", (*lens)->name, format,
		                o.list);
	if (!*lens && o.count == 1)
		*lens = o.only;
	if (*lens)
		return 0;
	if (o.recorded_count == 0)
		return fail_set(
			why, FAIL_NOT_FOUND,
			"%.300s holds no lens that can be exported as %s; these can: %s: record one with `skein record %s -- PROGRAM`",
			path, format, o.list, o.only->name);
	if (o.recorded_count > 1)
		return fail_set(why, FAIL_USAGE,
		                "%.300s holds several lenses that can be exported as %s (%s): name one, as in `skein export %s %s`", path,
		                format, o.recorded_list, format, o.recorded->name);
	*lens = o.recorded;
	return 0;
}

/* ---- writing ---- */

static int write_data(const struct lens *lens, const struct export_format *format, const void *data, FILE *file, struct fail *why)
{
	if (!format->write_stacks)
		return format->write(data, file, why);
	struct stacks stacks;
	int result = lens->stack(data, format->wants_arcs, &stacks, why);
	if (result == 0)
		result = format->write_stacks(&stacks, file, why);
	stacks_free(&stacks);
	return result;
}

/* Into the file, or to standard output. A file that could not be written whole is removed. */
static int write_to(const char *output, const struct lens *lens, const struct export_format *format, const void *data, struct fail *why)
{
	if (format->check && format->check(data, why) < 0)
		return -1;
	if (format->is_binary && !output && isatty(STDOUT_FILENO))
		return fail_set(why, FAIL_USAGE, "%s is binary data, not for a terminal: write it to a file with -o FILE", format->name);
	FILE *file = output ? fopen(output, "we") : stdout;
	if (!file)
		return fail_set(why, FAIL_INTERNAL, "cannot write %.300s: %s", output, strerror(errno));
	int result = write_data(lens, format, data, file, why);
	bool bad = fflush(file) != 0 || ferror(file);
	if (output)
		bad |= fclose(file) != 0;
	if (result == 0 && bad)
		result = fail_set(why, FAIL_INTERNAL, "cannot write %.300s: no space left, or the reader closed the pipe",
		                  output ? output : "the export");
	if (result < 0 && output)
		folder_drop_file(output);
	return result;
}

static int write_folder(const char *output, const struct export_format *format, const void *data, struct fail *why)
{
	if ((format->check && format->check(data, why) < 0) || folder_make(output, 0777, why) < 0 || folder_check_empty(output, why) < 0)
		return -1;
	return format->write_folder(data, output, why);
}

/* The run that --run names, or the median. */
static int choose_run(struct store *store, const struct lens *lens, const struct arguments *a, struct fail *why)
{
	struct repeated repeated;
	if (repeated_open(&repeated, store, lens, a, false, why) < 0)
		return -1;
	repeated_close(&repeated);
	return 0;
}

static int export_from(struct store *store, const struct arguments *a, const struct lens *lens, struct fail *why)
{
	struct view_ask ask = {0};
	const struct export_format *format = format_of(lens, a->words[0]);
	const char *output = arguments_value(a, OPTION_OUTPUT);
	if (format->is_folder && !output)
		return fail_set(why, FAIL_USAGE, "%s writes a folder of files: name it with -o FOLDER", format->name);
	if (choose_run(store, lens, a, why) < 0)
		return -1;
	if (format->is_folder && !format->write_folder)
		return export_csv(store, lens, a, output, why);
	void *data = lens_open(lens, store, a, &ask, why);
	if (!data)
		return -1;
	int result = format->write_folder ? write_folder(output, format, data, why) : write_to(output, lens, format, data, why);
	lens_close(lens, data);
	return result;
}

int cmd_export(const struct arguments *a, struct fail *why)
{
	char path[PATH_MAX];
	const struct lens *lens;
	if (sort_words(a, &lens, path, why) < 0)
		return -1;
	struct store *store = store_open(path, why);
	if (!store)
		return -1;
	int result = choose_lens(store, path, a->words[0], &lens, why);
	if (result == 0)
		result = arguments_fit_lens(a, lens->name, why);
	if (result == 0)
		result = export_from(store, a, lens, why);
	store_close(store);
	return result;
}
