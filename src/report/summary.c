/* SPDX-License-Identifier: MIT */
#include "report/summary.h"

void summary_count(struct sheet *s, const char *name, int64_t value)
{
	sheet_row(s, 0);
	sheet_text(s, name);
	sheet_number(s, value);
}

void summary_text(struct sheet *s, const char *name, const char *value)
{
	sheet_row(s, 0);
	sheet_text(s, name);
	sheet_text(s, value);
}

void summary_real(struct sheet *s, const char *name, double value)
{
	summary_text(s, name, pool_print(&s->pool, "%.4f", value));
}
