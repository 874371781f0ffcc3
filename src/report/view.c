/* SPDX-License-Identifier: MIT */
#include "report/view.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

bool view_wants(const struct view_ask *ask, const struct run_routine *routine)
{
	return !ask->routine || strcmp(ask->routine, routine->name) == 0 || strcmp(ask->routine, routine->linkage) == 0 ||
		fnmatch(ask->routine, routine->name, 0) == 0;
}

const char *view_place(struct sheet *sheet, const char *file, uint32_t line)
{
	const char *slash = strrchr(file, '/');
	return *file ? pool_print(&sheet->pool, "%s:%u", slash ? slash + 1 : file, line) : "";
}

double view_percent(int64_t part, double whole)
{
	return part == RUN_UNKNOWN || whole <= 0 ? NAN : 100 * (double)part / whole;
}
