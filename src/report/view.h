/* SPDX-License-Identifier: MIT */
/* view.h: what the views of several lenses share. */
#ifndef SKEIN_VIEW_H
#define SKEIN_VIEW_H

#include "analyse/run.h"
#include "report/lens.h"

bool view_wants(const struct view_ask *ask, const struct run_routine *routine); /* by name, linkage name or pattern */
const char *view_place(struct sheet *sheet, const char *file, uint32_t line);   /* file.c:12, without its folders */
double view_percent(int64_t part, double whole);                                /* not a number where part is not measured */

#endif
