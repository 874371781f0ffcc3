/* SPDX-License-Identifier: MIT */
#include "base/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/locale.h"

/* Length of the UTF-8 sequence at `at`, or 0 if there is none; *point is its code point. */
static size_t utf8(const unsigned char *at, uint32_t *point)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length = *at < 0x80 ? 1 : *at >= 0xc2 && *at < 0xe0 ? 2 : *at >= 0xe0 && *at < 0xf0 ? 3 : *at >= 0xf0 && *at < 0xf5 ? 4 : 0;
	if (length < 2) {
		*point = *at;
		return length;
	}
	*point = *at & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		*point = *point << 6 | (at[i] & 0x3f);
	}
	return *point >= least[length] && *point < 0x110000 && (*point < 0xd800 || *point > 0xdfff) ? length : 0;
}

/* Controls of terminals; ends of lines; marks of direction; marks of annotation and of byte order, which are not seen. */
static bool is_dangerous(uint32_t point)
{
	return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x61c || point == 0x200e || point == 0x200f ||
		(point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x206f) || point == 0xfeff ||
		(point >= 0xfff9 && point <= 0xfffb);
}

char *escape_plain(struct pool *pool, const char *text)
{
	char *result = pool_bytes(pool, 4 * strlen(text) + 1), *to = result;
	for (const unsigned char *at = (const unsigned char *)text; *at;) {
		uint32_t point;
		size_t length = utf8(at, &point);
		bool bad = length == 0 || is_dangerous(point);
		for (length = length ? length : 1; length; length--, at++) {
			if (bad)
				to += sprintf(to, "\\x%02x", *at);
			else
				*to++ = (char)*at;
		}
	}
	*to = 0;
	return result;
}

/* What a string of JSON holds as it is; most texts are only that. */
static size_t plain_length(const unsigned char *at)
{
	size_t length = 0;
	while (at[length] >= 0x20 && at[length] < 0x7f && at[length] != '"' && at[length] != '\\')
		length++;
	return length;
}

void escape_json(FILE *file, const char *text)
{
	bool ascii = !locale_is_utf8();
	fputc('"', file);
	for (const unsigned char *at = (const unsigned char *)text; *at;) {
		uint32_t point;
		size_t plain = plain_length(at);
		fwrite(at, 1, plain, file);
		at += plain;
		if (!*at)
			break;
		size_t length = utf8(at, &point);
		if (length == 0)
			fprintf(file, "\\\\x%02x", *at++);
		else if (ascii && point >= 0x10000)
			fprintf(file, "\\u%04x\\u%04x", 0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
		else if (is_dangerous(point) || (ascii && point >= 0x80))
			fprintf(file, "\\u%04x", point);
		else if (point == '"' || point == '\\')
			fprintf(file, "\\%c", (int)point);
		else
			fwrite(at, 1, length, file);
		at += length;
	}
	fputc('"', file);
}

/* A lone sign is text in any spreadsheet, and skein's own word for none. Signs of full width are signs in some. */
static bool is_formula(const char *text)
{
	uint32_t point;
	size_t length = utf8((const unsigned char *)text, &point);
	bool sign = point == '=' || point == '+' || point == '-' || point == '@' || point == 0xff1d || point == 0xff0b || point == 0xff0d ||
		point == 0xff20;
	return length && sign && text[length];
}

void escape_csv(FILE *file, const char *text)
{
	struct pool pool = {0};
	const char *plain = escape_plain(&pool, text), *first = plain + strspn(plain, " ");
	bool quoted = strpbrk(plain, ",\"") || *plain == ' ';
	if (quoted)
		fputc('"', file);
	for (const char *at = plain; *at; at++) {
		if (at == first && is_formula(at))
			do
				fprintf(file, "\\x%02x", (unsigned char)*at);
			while ((at[1] & 0xc0) == 0x80 && at++);
		else
			fprintf(file, *at == '"' ? "\"\"" : "%c", *at);
	}
	if (quoted)
		fputc('"', file);
	pool_free(&pool);
}

size_t escape_width(const char *plain)
{
	size_t width = 0;
	for (; *plain; plain++)
		width += (*plain & 0xc0) != 0x80;
	return width;
}
