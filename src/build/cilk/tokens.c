/* SPDX-License-Identifier: MIT */
/* tokens.c: cutting preprocessed text into tokens. */
#include "build/cilk/tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct cutter {
	struct tokens *out;
	const char *p, *end, *line_start;
	unsigned line, file;
	size_t *open; /* brackets that wait for their partner */
	size_t open_count, open_room;
};

static bool is_name_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128;
}

static const char *line_end(const struct cutter *c)
{
	const char *newline = memchr(c->p, '\n', (size_t)(c->end - c->p));
	return newline ? newline : c->end;
}

/* # 12 "file.c" 1: the next line is line 12 of file.c. Other directives are pragmas. */
static void read_directive(struct cutter *c)
{
	const char *stop = line_end(c), *p = c->p + 1;

	while (p < stop && *p == ' ')
		p++;
	if (p < stop && isdigit((unsigned char)*p)) {
		c->line = (unsigned)strtoul(p, NULL, 10) - 1;
		const char *name = memchr(p, '"', (size_t)(stop - p));
		const char *close = name ? memchr(name + 1, '"', (size_t)(stop - name - 1)) : NULL;
		if (close) {
			strv_add_bytes(&c->out->files, name + 1, (size_t)(close - name - 1));
			c->file = (unsigned)c->out->files.count - 1;
		}
	}
	c->p = stop;
}

static const char *quoted_end(const struct cutter *c, const char *p)
{
	char quote = *p++;

	while (p < c->end && *p != quote && *p != '\n')
		p += *p == '\\' && p + 1 < c->end ? 2 : 1;
	return p < c->end ? p + 1 : c->end;
}

/* R"tag( … )tag": p is at the quote. Its lines count. */
static const char *raw_end(struct cutter *c, const char *p)
{
	const char *tag = p + 1, *paren = memchr(tag, '(', (size_t)(c->end - tag));
	size_t length = paren ? (size_t)(paren - tag) : 0;

	for (p = paren; p && p < c->end; p++) {
		if (*p == '\n') {
			c->line++;
			c->line_start = p + 1;
		}
		if (*p == ')' && (size_t)(c->end - p) > length + 1 && memcmp(p + 1, tag, length) == 0 && p[1 + length] == '"')
			return p + length + 2;
	}
	return c->end;
}

static const char *number_end(const struct cutter *c, const char *p)
{
	while (p < c->end &&
	       (is_name_byte(*p) || *p == '.' || (*p == '\'' && p + 1 < c->end && is_name_byte(p[1])) ||
	        ((*p == '+' || *p == '-') && strchr("eEpP", p[-1]))))
		p++;
	return p;
}

static const char *operator_end(const struct cutter *c, const char *p)
{
	static const char *const longer[] = {"<<=", ">>=", "...", "->*", "<=>", "::", "->", "++", "--", "<<", ">>", "<=", ">=",
	                                     "==",  "!=",  "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", ".*"};

	for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
		size_t length = strlen(longer[i]);
		if ((size_t)(c->end - p) >= length && memcmp(p, longer[i], length) == 0)
			return p + length;
	}
	return p + 1;
}

static const char *token_end(struct cutter *c)
{
	const char *p = c->p;

	if (*p == '"' || *p == '\'')
		return quoted_end(c, p);
	if (isdigit((unsigned char)*p) || (*p == '.' && p + 1 < c->end && isdigit((unsigned char)p[1])))
		return number_end(c, p);
	if (!is_name_byte(*p))
		return operator_end(c, p);
	while (p < c->end && is_name_byte(*p))
		p++;
	if (p < c->end && *p == '"' && p[-1] == 'R')
		return raw_end(c, p);
	return p;
}

static void pair_up(struct cutter *c, size_t index)
{
	struct token *at = c->out->at;
	char what = *at[index].text;

	if (strchr("([{", what)) {
		if (c->open_count == c->open_room) {
			c->open_room = c->open_room ? 2 * c->open_room : 64;
			c->open = memory_resize(c->open, c->open_room, sizeof *c->open);
		}
		c->open[c->open_count++] = index;
	} else if (strchr(")]}", what) && c->open_count) {
		size_t partner = c->open[--c->open_count];
		at[partner].match = index;
		at[index].match = partner;
	}
}

static void add(struct cutter *c, const char *end)
{
	struct tokens *t = c->out;

	if (t->count == t->room) {
		t->room = t->room ? 2 * t->room : 1024;
		t->at = memory_resize(t->at, t->room, sizeof *t->at);
	}
	t->at[t->count] = (struct token){c->p, (unsigned)(end - c->p), c->line, (unsigned)(c->p - c->line_start) + 1, c->file, t->count};
	if (end - c->p == 1)
		pair_up(c, t->count);
	t->count++;
}

void tokens_read(struct tokens *t, const char *text, size_t size)
{
	struct cutter c = {.out = t, .p = text, .end = text + size, .line_start = text, .line = 1};
	bool fresh = true; /* nothing but blanks since the line began */

	*t = (struct tokens){.text = text, .size = size};
	strv_add(&t->files, "-");
	while (c.p < c.end) {
		if (*c.p == '\n') {
			c.line++;
			c.line_start = ++c.p;
			fresh = true;
		} else if (isspace((unsigned char)*c.p) || *c.p == '\\') {
			c.p++;
		} else if (*c.p == '#' && fresh) {
			read_directive(&c);
		} else {
			struct cutter before = c;
			const char *end = token_end(&c); /* may go on to another line */
			unsigned line = c.line;
			const char *line_start = c.line_start;
			c.line = before.line;
			c.line_start = before.line_start;
			add(&c, end);
			c.p = end;
			c.line = line;
			c.line_start = line_start;
			fresh = false;
		}
	}
	free(c.open);
}

bool tokens_is(const struct tokens *t, size_t i, const char *word)
{
	return i < t->count && strlen(word) == t->at[i].length && memcmp(t->at[i].text, word, t->at[i].length) == 0;
}

bool tokens_in(const struct tokens *t, size_t i, const char *const *words)
{
	for (; *words; words++)
		if (tokens_is(t, i, *words))
			return true;
	return false;
}

size_t tokens_match(const struct tokens *t, size_t i)
{
	return i < t->count ? t->at[i].match : i;
}

bool tokens_is_name(const struct tokens *t, size_t i)
{
	return i < t->count && is_name_byte(*t->at[i].text) && !isdigit((unsigned char)*t->at[i].text);
}

void tokens_free(struct tokens *t)
{
	strv_free(&t->files);
	free(t->at);
}
