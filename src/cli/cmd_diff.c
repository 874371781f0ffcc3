/* SPDX-License-Identifier: MIT */
/* cmd_diff.c: skein diff. What got worse, and what got better, from one recording to another.
 *
 * Exit status: 0; 1 with --fail-if-worse, if something got worse that is sure; 2 wrong usage, 125 and 127 as everywhere. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strv.h"
#include "cli/commands.h"
#include "report/diff/show.h"

enum { IS_WORSE = 1, MOST_SIDES = 64 };

struct asked {
	const struct lens *lens; /* NULL: all that the recordings have in common */
	struct diff_side sides[MOST_SIDES];
	struct strv files[MOST_SIDES];
	size_t side_count;
	struct diff_ask show;
	struct diff_limits limits;
	struct pool pool;
};

/* "old-1.skein,old-2.skein" are two runs of one side. A file may have a comma in its name. */
static void split(struct strv *files, const char *word)
{
	if (access(word, F_OK) == 0) {
		strv_add(files, word);
		return;
	}
	for (size_t length; *word; word += length + (word[length] == ',')) {
		length = strcspn(word, ",");
		if (length)
			strv_add_bytes(files, word, length);
	}
}

static void add_side(struct asked *to, const char *word)
{
	struct strv *files = &to->files[to->side_count];
	split(files, word);
	const char *label = diff_label(&to->pool, files->count ? files->at[0] : word);
	if (files->count > 1)
		label = pool_print(&to->pool, "%s and %zu more", label, files->count - 1);
	to->sides[to->side_count++] = (struct diff_side){label, (const char *const *)files->at, files->count};
}

/* A file that is given twice would be compared with itself, or counted as two runs. */
static int check_files(const struct asked *a, struct fail *why)
{
	struct strv all = {0};
	struct stat is[2];
	int result = 0;
	for (size_t s = 0; s < a->side_count; s++)
		strv_add_all(&all, &a->files[s]);
	for (size_t i = 0; i < all.count && result == 0; i++)
		for (size_t k = 0; k < i && result == 0; k++)
			if (stat(all.at[i], &is[0]) == 0 && stat(all.at[k], &is[1]) == 0 && is[0].st_dev == is[1].st_dev &&
			    is[0].st_ino == is[1].st_ino)
				result = fail_set(
					why, FAIL_USAGE,
					"%.300s and %.300s are the same file: give two recordings (skein record LENS -o FILE writes to a file of its own)",
					all.at[k], all.at[i]);
	strv_free(&all);
	return result;
}

static int read_words(const struct arguments *a, struct asked *to, struct fail *why)
{
	size_t first = 0;
	if (a->word_count && (to->lens = lens_find(a->words[0])))
		first = 1;
	else if (a->word_count && !strpbrk(a->words[0], "/.,") && access(a->words[0], F_OK) < 0)
		return lens_unknown(a->words[0], why);
	if (a->word_count - first < 2)
		return fail_set(why, FAIL_USAGE, "diff needs two recordings: skein diff OLD NEW");
	if (a->word_count - first > MOST_SIDES)
		return fail_set(why, FAIL_USAGE, "diff takes at most %d recordings", MOST_SIDES);
	for (size_t i = first; i < a->word_count; i++) {
		add_side(to, a->words[i]);
		if (!to->files[to->side_count - 1].count)
			return fail_set(why, FAIL_USAGE, "diff needs the names of recordings, not %.100s", a->words[i]);
	}
	return check_files(to, why);
}

static int read_options(const struct arguments *a, struct asked *to, struct fail *why)
{
	if (arguments_has(a, OPTION_CSV) && arguments_has(a, OPTION_JSON))
		return fail_set(why, FAIL_USAGE, "--csv and --json exclude each other: choose one");
	to->show.form = arguments_has(a, OPTION_CSV) ? REPORT_CSV : arguments_has(a, OPTION_JSON) ? REPORT_JSON : REPORT_TEXT;
	to->show.view = arguments_value(a, OPTION_VIEW);
	to->show.routine = arguments_value(a, OPTION_ROUTINE);
	if (to->show.view && !diff_knows_view(to->show.view))
		return fail_set(why, FAIL_USAGE,
		                "diff has no view %.100s; its views are all, run, worse, better, new, gone, same and other", to->show.view);
	if (arguments_percent(a, OPTION_THRESHOLD, 1, &to->limits.percent, why) < 0)
		return -1;
	return arguments_number(a, OPTION_TOP, -1, 0, 1000000000, &to->show.top, why);
}

/* The first lens from `from` on that is to be compared; in all recordings there must be one, if none was named. */
static bool is_everywhere(const struct asked *a, const struct lens *lens, struct fail *why)
{
	for (size_t s = 0; s < a->side_count; s++)
		for (size_t i = 0; i < a->files[s].count; i++) {
			struct store *store = store_open(a->files[s].at[i], why);
			bool has = store && store_has_lens(store, lens->name);
			store_close(store);
			if (!has)
				return false;
		}
	return true;
}

static int open_all(const struct asked *a, struct diff *diffs, size_t *count, struct fail *why)
{
	*count = 0;
	for (size_t i = 0; i < lens_count; i++) {
		if (a->lens ? lenses[i] != a->lens : !is_everywhere(a, lenses[i], why))
			continue;
		if (diff_open(&diffs[*count], lenses[i], a->sides, a->side_count, &a->limits, why) < 0)
			return -1;
		++*count;
	}
	return 0;
}

/* All can be read: only then a lens may be missing. */
static int check_recordings(const struct asked *a, struct fail *why)
{
	for (size_t s = 0; s < a->side_count; s++)
		for (size_t i = 0; i < a->files[s].count; i++) {
			struct store *store = store_open(a->files[s].at[i], why);
			if (!store)
				return -1;
			store_close(store);
		}
	return 0;
}

static int show_all(const struct arguments *arguments, const struct asked *a, struct fail *why)
{
	struct diff *diffs = memory_zeroed(lens_count, sizeof *diffs);
	size_t count = 0;
	int status = check_recordings(a, why);
	if (status == 0)
		status = open_all(a, diffs, &count, why);
	if (status == 0 && !count)
		status = fail_set(
			why, FAIL_NOT_FOUND,
			"the recordings have no lens in common: record both with the same one, as in `skein record calls -- PROGRAM`");
	if (status == 0)
		status = diff_show(stdout, diffs, count, &a->show, why);
	for (size_t i = 0; i < count; i++) {
		if (status == 0 && arguments_has(arguments, OPTION_FAIL_IF_WORSE) && diff_is_worse(&diffs[i]))
			status = IS_WORSE;
		diff_close(&diffs[i]);
	}
	free(diffs);
	return status;
}

int cmd_diff(const struct arguments *arguments, struct fail *why)
{
	struct asked a = {0};
	int status = read_words(arguments, &a, why);
	if (status == 0)
		status = read_options(arguments, &a, why);
	if (status == 0)
		status = show_all(arguments, &a, why);
	for (size_t s = 0; s < MOST_SIDES; s++)
		strv_free(&a.files[s]);
	pool_free(&a.pool);
	return status;
}
