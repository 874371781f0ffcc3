/* SPDX-License-Identifier: MIT */
#include "report/view.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

bool view_matches(const char *asked, const char *name)
{
	return !asked || strcmp(asked, name) == 0 || fnmatch(asked, name, 0) == 0;
}

bool view_wants(const char *asked, const struct run_routine *routine)
{
	return view_matches(asked, routine->name) || strcmp(asked, routine->linkage) == 0;
}

const char *view_place(struct sheet *sheet, const char *file, uint32_t line)
{
	const char *slash = strrchr(file, '/');
	return *file ? pool_print(&sheet->pool, "%s:%u", slash ? slash + 1 : file, line) : "";
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
