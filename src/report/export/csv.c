/* SPDX-License-Identifier: MIT */
#include "report/export/csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/strv.h"
#include "report/report.h"

/* Returns -1 on failure, with `shown` telling whether the view could be shown at all. */
static int write_view(struct store *store, const struct lens *lens, const struct report_ask *ask, const char *path, bool *shown,
                      struct fail *why)
{
	FILE *file = fopen(path, "wxe");
	*shown = true;
	if (!file)
		return fail_set(why, FAIL_INTERNAL, "cannot write %.300s: %s", path, strerror(errno));
	int result = report_lens(store, lens, ask, file, why);
	*shown = result == 0 || why->status != FAIL_USAGE;
	bool bad = ferror(file) != 0;
	bad |= fclose(file) != 0;
	if (result == 0 && bad)
		result = fail_set(why, FAIL_INTERNAL, "cannot write %.300s: no space left", path);
	if (result < 0)
		unlink(path);
	return result;
}

static int write_views(struct store *store, const struct lens *lens, const struct arguments *a, const char *folder, struct fail *why)
{
	for (const struct view *const *view = lens->views; *view; view++) {
		struct report_ask ask = {.form = REPORT_CSV,
		                         .view_name = (*view)->name,
		                         .view = {.all_rows = true, .top = -1},
		                         .arguments = a};
		bool shown;
		if ((*view)->chosen_by)
			continue;
		char *path = str_format("%s/%s.csv", folder, (*view)->name);
		int result = write_view(store, lens, &ask, path, &shown, why);
		free(path);
		if (result < 0 && shown)
			return -1;
		if (result < 0)
			fail_note("skein", "left out the view %s: %s", (*view)->name, why->text);
	}
	return 0;
}

static void remove_views(const struct lens *lens, const char *folder)
{
	for (const struct view *const *view = lens->views; *view; view++) {
		char *path = str_format("%s/%s.csv", folder, (*view)->name);
		unlink(path);
		free(path);
	}
	rmdir(folder);
}

int export_csv(struct store *store, const struct lens *lens, const struct arguments *a, const char *folder, struct fail *why)
{
	if (folder_make(folder, 0777, why) < 0 || folder_check_empty(folder, why) < 0)
		return -1;
	int result = write_views(store, lens, a, folder, why);
	if (result < 0)
		remove_views(lens, folder);
	return result;
}
