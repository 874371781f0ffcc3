/* SPDX-License-Identifier: MIT */
/* cmd_report.c: skein report. Finds the recording and the lens; report/page.c does the rest. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "report/lens.h"
#include "report/overview/overview.h"
#include "report/ranks/collect.h"
#include "report/ranks/ranks.h"
#include "report/report.h"

static const char overview_word[] = "overview"; /* in the place of a lens */

/* What is to be shown of which file. */
struct wanted {
	const struct lens *lens; /* NULL: to be chosen, or all of them */
	bool overview;
	char path[PATH_MAX];
};

/* Words are [LENS] [FILE]. A single word is a lens if one has that name, a file if it looks like one. */
static int sort_words(const struct arguments *a, struct wanted *want, struct fail *why)
{
	const char *file = a->word_count > 1 ? a->words[1] : NULL;
	want->lens = NULL;
	if (a->word_count > 0) {
		const char *word = a->words[0];
		want->lens = lens_find(word);
		want->overview = strcmp(word, overview_word) == 0;
		bool is_known = want->lens || want->overview;
		if (!is_known && file)
			return lens_unknown(word, why);
		if (!is_known && !strchr(word, '/') && !strchr(word, '.') && access(word, F_OK) < 0)
			return lens_unknown(word, why);
		if (!is_known)
			file = word;
	}
	if (!file)
		return report_newest(want->path, why);
	snprintf(want->path, sizeof want->path, "%s", file);
	return 0;
}

static int read_form(const struct arguments *a, struct report_ask *ask, struct fail *why)
{
	if (arguments_has(a, OPTION_CSV) && arguments_has(a, OPTION_JSON))
		return fail_set(why, FAIL_USAGE, "--csv and --json exclude each other: choose one");
	ask->form = arguments_has(a, OPTION_CSV) ? REPORT_CSV : arguments_has(a, OPTION_JSON) ? REPORT_JSON : REPORT_TEXT;
	ask->view_name = arguments_value(a, OPTION_VIEW);
	ask->sort = arguments_value(a, OPTION_SORT);
	ask->view.all_rows = ask->form != REPORT_TEXT;
	ask->view.routine = arguments_value(a, OPTION_ROUTINE);
	ask->arguments = a;
	return arguments_number(a, OPTION_TOP, -1, 0, 1000000000, &ask->view.top, why);
}

static bool has_view(const struct lens *lens, const char *name)
{
	return !name || lens_view(lens, name);
}

/* What a recording has for a report of which no lens was named. */
struct choice {
	const struct lens *recorded, *fitting, *elsewhere;   /* the last one of each kind; elsewhere: has the view, was not recorded */
	size_t recorded_count, viewing_count, fitting_count; /* lenses recorded; of them, have the view; of them, have all options */
	char names[200];                                     /* of those that fit */
};

static struct choice look_for_lens(struct store *store, const struct arguments *a, const char *view)
{
	struct choice c = {.recorded = lenses[0]};
	for (size_t i = 0; i < lens_count; i++) {
		const struct lens *lens = lenses[i];
		struct fail unsaid;
		bool recorded = store_has_lens(store, lens->name), viewing = has_view(lens, view);
		if (recorded) {
			c.recorded = lens;
			c.recorded_count++;
			c.viewing_count += viewing;
		} else if (viewing) {
			c.elsewhere = lens;
		}
		if (recorded && viewing && arguments_fit_lens(a, lens->name, &unsaid) == 0) {
			c.fitting = lens;
			size_t length = strlen(c.names);
			snprintf(c.names + length, sizeof c.names - length, "%s%s", c.fitting_count++ ? ", " : "", lens->name);
		}
	}
	return c;
}

static int say_which(const struct choice *c, const char *path, const char *view, struct fail *why)
{
	if (c->fitting && view)
		return fail_set(why, FAIL_USAGE,
		                "%.300s holds several lenses with a view %.100s (%s): name one, as in `skein report %s --view %.100s`",
		                path, view, c->names, c->fitting->name, view);
	if (c->fitting)
		return fail_set(
			why, FAIL_USAGE,
			"%.300s holds several lenses (%s): name the one that the options are for, as in `skein report %s`, or overview",
			path, c->names, c->fitting->name);
	if (c->viewing_count)
		return fail_set(why, FAIL_USAGE, "no lens in %.300s has all of these options%s: see `skein report LENS --help`", path,
		                view ? " and this view" : "");
	if (c->elsewhere)
		return fail_set(why, FAIL_USAGE,
		                "no lens in %.300s has a view %.100s; the lens %s has it: record it with `skein record %s -- PROGRAM`",
		                path, view, c->elsewhere->name, c->elsewhere->name);
	return fail_set(why, FAIL_USAGE, "no lens has a view %.100s; `skein report --help` lists the views of each lens", view);
}

/* The lens that is meant: the one that was named, the only one of the recording, or the only one of the recording that
 * has the view and the options that were given. If nothing was asked for there is none: an overview shows them all. */
static int choose_lens(struct store *store, const struct arguments *a, const char *path, const struct lens **lens, struct fail *why)
{
	const char *view = arguments_value(a, OPTION_VIEW);
	struct choice c = look_for_lens(store, a, view);
	if (!*lens && c.recorded_count < 2)
		*lens = c.recorded;
	if (*lens)
		return arguments_fit_lens(a, (*lens)->name, why);
	if (a->given_count && c.fitting_count != 1)
		return say_which(&c, path, view, why);
	*lens = a->given_count ? c.fitting : NULL;
	return 0;
}

/* The overview has the options that are about its form. */
static int check_overview(const struct arguments *a, struct fail *why)
{
	static const enum option taken[] = {OPTION_VIEW, OPTION_SORT, OPTION_TOP, OPTION_CSV, OPTION_JSON};
	for (size_t i = 0; i < a->given_count; i++) {
		bool is_taken = false;
		for (size_t n = 0; n < sizeof taken / sizeof *taken; n++)
			is_taken |= a->given[i].row->is == taken[n];
		if (!is_taken)
			return fail_set(why, FAIL_USAGE, "--%s is an option of lenses, not of the overview: name a lens",
			                option_names[a->given[i].row->is]);
	}
	return 0;
}

static int show_ranks(struct store *store, const struct lens *lens, const struct report_ask *ask, struct fail *why)
{
	struct ranks ranks;
	if (ranks_open(&ranks, store, lens ? lens->name : NULL, why) < 0)
		return -1;
	int result = ranks_show(&ranks, ask, stdout, why);
	ranks_close(&ranks);
	return result;
}

int cmd_report(const struct arguments *a, struct fail *why)
{
	struct report_ask ask = {0};
	struct wanted want = {0};
	if (read_form(a, &ask, why) < 0 || sort_words(a, &want, why) < 0)
		return -1;
	struct store *store = collect_open(want.path, why);
	if (!store)
		return -1;
	if (store_has_parts(store)) {
		int shown = show_ranks(store, want.lens, &ask, why);
		store_close(store);
		return shown;
	}
	int result = want.overview ? check_overview(a, why) : choose_lens(store, a, want.path, &want.lens, why);
	if (result == 0)
		result = want.lens ? report_lens(store, want.lens, &ask, stdout, why) : overview_report(store, &ask, stdout, why);
	store_close(store);
	return result;
}
