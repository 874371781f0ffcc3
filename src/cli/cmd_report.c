/* SPDX-License-Identifier: MIT */
/* cmd_report.c: skein report. Finds the recording and the lens; report/page.c does the rest. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "report/lens.h"
#include "report/report.h"

/* Words are [LENS] [FILE]. A single word is a lens if one has that name, a file if it looks like one. */
static int sort_words(const struct arguments *a, const struct lens **lens, char path[PATH_MAX], struct fail *why)
{
	const char *file = a->word_count > 1 ? a->words[1] : NULL;
	*lens = NULL;
	if (a->word_count > 0) {
		const char *word = a->words[0];
		*lens = lens_find(word);
		if (!*lens && file)
			return lens_unknown(word, why);
		if (!*lens && !strchr(word, '/') && !strchr(word, '.') && access(word, F_OK) < 0)
			return lens_unknown(word, why);
		if (!*lens)
			file = word;
	}
	if (!file)
		return report_newest(path, why);
	snprintf(path, PATH_MAX, "%s", file);
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

int cmd_report(const struct arguments *a, struct fail *why)
{
	struct report_ask ask = {0};
	const struct lens *lens;
	char path[PATH_MAX];
	if (read_form(a, &ask, why) < 0 || sort_words(a, &lens, path, why) < 0)
		return -1;
	struct store *store = store_open(path, why);
	if (!store)
		return -1;
	int result = 0;
	size_t measured = 0;
	const struct lens *last = lenses[0];
	for (size_t i = 0; i < lens_count; i++)
		if (store_has_lens(store, lenses[i]->name)) {
			measured++;
			last = lenses[i];
		}
	if (!lens && measured < 2)
		lens = last;
	if (lens && arguments_fit_lens(a, lens->name, why) == 0)
		result = report_lens(store, lens, &ask, stdout, why);
	else if (lens)
		result = -1;
	else if (a->given_count)
		result = fail_set(why, FAIL_USAGE,
		                  "%.400s holds several lenses: name the one that the options are for, as in `skein report %s`", path,
		                  last->name);
	else
		result = report_overview(store, stdout, why);
	store_close(store);
	return result;
}
