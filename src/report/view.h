/* SPDX-License-Identifier: MIT */
/* view.h: what the views of several lenses share. */
#ifndef SKEIN_VIEW_H
#define SKEIN_VIEW_H

#include "analyse/run.h"
#include "report/lens.h"

bool view_matches(const char *asked, const char *name);                /* `asked` is the name, or a pattern of it; NULL: all names match */
bool view_wants(const char *asked, const struct run_routine *routine); /* `asked` is the name, a pattern of it, or the linkage name */
const char *view_name(const struct sheet *sheet, const struct run_routine *routine); /* short in text, else as it is */
const char *view_indent(struct pool *pool, uint32_t depth);                          /* the spaces before the name of a row in a tree */
int64_t view_line(const struct run_routine *routine);                                /* not known where its file is not */
int64_t view_mean(int64_t sum, int64_t count);                                       /* not measured where one of them is not */
double view_percent(int64_t part, double whole);                                     /* not a number where part is not measured */

#endif
