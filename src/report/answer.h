/* SPDX-License-Identifier: MIT */
/* answer.h: prints what a query of a user returned, as text, CSV or JSON.
 *
 *     if (answer_print(q, REPORT_CSV, 0, stdout, &why) < 0) …
 *
 * CSV and JSON are printed row by row, so an answer may be larger than memory. Text shows at most `top` rows (0: all), with columns as wide
 * as their values, and says if there are more. Names and texts are escaped. */
#ifndef SKEIN_ANSWER_H
#define SKEIN_ANSWER_H

#include "report/report.h"
#include "store/query.h"

int answer_print(struct store_query *q, enum report_form form, size_t top, FILE *file, struct fail *why);

#endif
