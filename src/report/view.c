/* SPDX-License-Identifier: MIT */
#include "report/view.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

enum { MOST_INDENT = 24 };

bool view_matches(const char *asked, const char *name)
{
	return !asked || strcmp(asked, name) == 0 || fnmatch(asked, name, 0) == 0;
}

bool view_wants(const char *asked, const struct run_routine *routine)
{
	return view_matches(asked, routine->name) || view_matches(asked, run_shown(routine)) || view_matches(asked, routine->linkage);
}

const char *view_name(const struct sheet *sheet, const struct run_routine *routine)
{
	return sheet->is_text ? run_shown(routine) : routine->name;
}

const char *view_indent(struct pool *pool, uint32_t depth)
{
	return pool_print(pool, "%*s", depth < MOST_INDENT ? (int)depth : MOST_INDENT, "");
}

int64_t view_line(const struct run_routine *routine)
{
	return *routine->file ? (int64_t)routine->line : RUN_UNKNOWN;
}

int64_t view_mean(int64_t sum, int64_t count)
{
	return sum == RUN_UNKNOWN || count <= 0 ? RUN_UNKNOWN : sum / count;
}

double view_percent(int64_t part, double whole)
{
	return part == RUN_UNKNOWN || whole <= 0 ? NAN : 100 * (double)part / whole;
}
