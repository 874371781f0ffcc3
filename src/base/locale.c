/* SPDX-License-Identifier: MIT */
#include "base/locale.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What the environment asks for: the first of these that is not empty. */
static const char *asked_for(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = getenv(names[i]);
		if (value && *value)
			return value;
	}
	return "C";
}

/* A locale that is not installed here may still be the terminal's: its name tells. */
static bool find_out(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	if (!locale)
		return strcasestr(asked_for(), "utf-8") || strcasestr(asked_for(), "utf8");
	bool is_utf8 = strcasecmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
	freelocale(locale);
	return is_utf8;
}

bool locale_is_utf8(void)
{
	static enum { UNKNOWN, ASCII, UTF8 } known; /* asked for each cell of a table */
	if (known == UNKNOWN)
		known = find_out() ? UTF8 : ASCII;
	return known == UTF8;
}

/* A character of ours in ASCII, or NULL. */
static const char *word_for(const char *at, size_t *bytes)
{
	static const char *const words[][2] = {{"…", "..."}, {"±", "+-"}, {"→", "->"}, {"×", "x"}, {"≤", "<="}, {"≥", ">="}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		*bytes = strlen(words[i][0]);
		if (strncmp(at, words[i][0], *bytes) == 0)
			return words[i][1];
	}
	return NULL;
}

const char *locale_ascii(struct pool *pool, const char *text)
{
	char *result = pool_bytes(pool, 4 * strlen(text) + 1), *to = result;
	while (*text) {
		size_t bytes = 1;
		const char *word = (unsigned char)*text < 0x80 ? NULL : word_for(text, &bytes);
		if (word)
			to = stpcpy(to, word);
		else if ((unsigned char)*text < 0x80)
			*to++ = *text;
		else
			to += sprintf(to, "\\x%02x", (unsigned char)*text);
		text += word ? bytes : 1;
	}
	*to = 0;
	return result;
}

void locale_put(FILE *file, const char *text)
{
	struct pool pool = {0};
	fputs(locale_is_utf8() ? text : locale_ascii(&pool, text), file);
	pool_free(&pool);
}
