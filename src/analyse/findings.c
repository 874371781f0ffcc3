/* SPDX-License-Identifier: MIT */
#include "analyse/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const finding_names[FINDING_KINDS] = {
#define X(upper, lower) [FINDING_##upper] = #lower,
	FINDING_LIST(X)
#undef X
};

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

void findings_tag(struct findings *findings, size_t from, const struct finding_tag *tag)
{
	if (from == findings->count)
		return;
	MEMORY_GROW(findings->tags, findings->tag_count, findings->tag_room);
	struct finding_tag *new = &findings->tags[findings->tag_count++];
	*new = *tag;
	new->from = from;
	new->to = findings->count;
}

void findings_free(struct findings *findings)
{
	free(findings->tags);
	free(findings->lines);
	pool_free(&findings->pool);
	memset(findings, 0, sizeof *findings);
}
