/* SPDX-License-Identifier: MIT */
/* statement.c: both statements are read at once, a character of what matters at a time. */
#include "store/statement.h"

#include <string.h>

struct reader {
	const char *at;
	char before; /* the last character that was read, 0 at the start */
	char quote;  /* what ends the quoted name or text that is being read, or 0 */
};

/* SQLite's blanks. */
static bool is_blank(char c)
{
	return c && strchr(" \t\n\f\r", c);
}

static bool needs_no_blank(char c)
{
	return !c || strchr("(),;", c);
}

/* Steps over blanks and comments; returns whether there were any. */
static bool skip_gap(struct reader *r)
{
	const char *start = r->at;
	for (;;) {
		if (is_blank(*r->at)) {
			r->at++;
		} else if (r->at[0] == '-' && r->at[1] == '-') {
			r->at += strcspn(r->at, "\n");
		} else if (r->at[0] == '/' && r->at[1] == '*') {
			const char *end = strstr(r->at + 2, "*/");
			r->at = end ? end + 2 : r->at + strlen(r->at);
		} else {
			return r->at > start;
		}
	}
}

/* A quote that is doubled inside ends the text and begins another, which comes to the same. */
static void see_quote(struct reader *r, char c)
{
	if (r->quote)
		r->quote = c == r->quote ? 0 : r->quote;
	else
		r->quote = c == '[' ? ']' : c == '\'' || c == '"' || c == '`' ? c : 0;
}

/* The next character that matters, one blank for a gap; 0 at the end. */
static char next(struct reader *r)
{
	if (!r->quote && skip_gap(r) && !needs_no_blank(r->before) && !needs_no_blank(*r->at))
		return r->before = ' ';
	if (!*r->at)
		return 0;
	r->before = *r->at++;
	see_quote(r, r->before);
	return r->before;
}

bool statement_is_same(const char *a, const char *b)
{
	struct reader x = {.at = a}, y = {.at = b};
	for (;;) {
		char c = next(&x);
		if (c != next(&y))
			return false;
		if (!c)
			return true;
	}
}
