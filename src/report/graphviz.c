/* SPDX-License-Identifier: MIT */
#include "report/graphviz.h"

#include <string.h>
#include "base/escape.h"

const char *graphviz_quoted(struct pool *pool, const char *name)
{
	const char *text = escape_plain(pool, name);
	char *to = pool_bytes(pool, 2 * strlen(text) + 1), *at = to;
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			*at++ = '\\';
		*at++ = *text;
	}
	*at = 0;
	return to;
}

static void put_text(struct sheet *s, const char *text)
{
	COLUMN(s, TEXT, "dot", "dot", text);
}

void graphviz_columns(struct sheet *s)
{
	put_text(s, NULL);
}

void graphviz_line(struct sheet *s, const char *text)
{
	sheet_row(s, 0);
	put_text(s, text);
}
