/* SPDX-License-Identifier: MIT */
/* report.h: printing a report of an open recording; used by report, record and recover. */
#ifndef SKEIN_REPORT_H
#define SKEIN_REPORT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include "report/lens.h"

enum report_form { REPORT_TEXT, REPORT_CSV, REPORT_JSON };

struct report_ask {
	enum report_form form;
	const char *view_name, *sort; /* NULL: the lens's own choice */
	struct view_ask view;
	const struct arguments *arguments; /* the lens's own options; NULL: none */
};

int report_lens(struct store *store, const struct lens *lens, const struct report_ask *ask, FILE *file, struct fail *why);
int report_short(const char *path, const struct lens *lens, FILE *file, struct fail *why); /* after a run: the verdict and the top rows */

int report_newest(char path[PATH_MAX], struct fail *why); /* the newest recording in this folder */

unsigned report_width(FILE *file); /* of the terminal; else COLUMNS of the environment; else 80 */
bool report_colour(FILE *file);

#endif
