/* SPDX-License-Identifier: MIT */
#include "analyse/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void findings_add(struct findings *findings, const char *format, ...)
{
	char text[4096];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	MEMORY_GROW(findings->lines, findings->count, findings->room);
	findings->lines[findings->count++] = pool_text(&findings->pool, text);
}

void findings_free(struct findings *findings)
{
	free(findings->lines);
	pool_free(&findings->pool);
	memset(findings, 0, sizeof *findings);
}
