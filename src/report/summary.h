/* SPDX-License-Identifier: MIT */
/* summary.h: the rows of a summary, one figure each: what every lens has as its view `summary`. */
#ifndef SKEIN_SUMMARY_H
#define SKEIN_SUMMARY_H

#include "analyse/run.h"
#include "report/sheet.h"

void summary_count(struct sheet *s, const char *name, int64_t value); /* -1: not measured */
void summary_text(struct sheet *s, const char *name, const char *value);
void summary_real(struct sheet *s, const char *name, double value); /* not a number: not measured */
void summary_run(struct sheet *s, const struct run *run);           /* mode, command and build_id, with which summaries end */

#endif
