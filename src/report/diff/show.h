/* SPDX-License-Identifier: MIT */
/* show.h: prints diffs, of one lens or several.
 *
 *     struct diff_ask ask = {.form = REPORT_TEXT, .top = -1};
 *     diff_show(stdout, &diff, 1, &ask, &why);
 *
 * Text has a page for each lens; CSV and JSON have the rows of all lenses in one table. */
#ifndef SKEIN_DIFF_SHOW_H
#define SKEIN_DIFF_SHOW_H

#include "report/diff/diff.h"
#include "report/report.h"

struct diff_ask {
	enum report_form form;
	const char *view, *routine; /* NULL: all */
	long top;                   /* rows of each kind; 0: all; -1: as the form has it */
};

bool diff_knows_view(const char *name);
extern const char *const diff_views[]; /* ended by NULL */
/* The rows of all diffs into a sheet that was started, and what they say. */
void diff_sheet(const struct diff *diffs, size_t count, const struct diff_ask *ask, struct sheet *sheet, struct findings *verdict,
                struct findings *caveats);
int diff_show(FILE *file, const struct diff *diffs, size_t count, const struct diff_ask *ask, struct fail *why);

#endif
