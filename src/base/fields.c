/* SPDX-License-Identifier: MIT */
#include "base/fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t fields_split(char *line, char *fields[], size_t most)
{
	size_t count = 0;

	while (line) {
		if (count < most)
			fields[count] = line;
		count++;
		line = strchr(line, '\t');
		if (line)
			*line++ = 0;
	}
	return count;
}

int fields_hex(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	digit = (char)(digit | 32);
	return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

bool fields_unescape(char *text)
{
	char *to = text;
	bool good = true;

	for (const char *at = text; *at; at++) {
		int high = -1, low = -1;
		if (at[0] == '\\' && at[1] == 'x' && (high = fields_hex(at[2])) >= 0)
			low = fields_hex(at[3]);
		bool is_escape = low >= 0 && high * 16 + low != 0;
		good = good && (is_escape || *at != '\\');
		*to++ = is_escape ? (char)(high * 16 + low) : *at;
		at += is_escape ? 3 : 0;
	}
	*to = 0;
	return good;
}

void fields_write(FILE *file, const char *text)
{
	for (const unsigned char *at = (const unsigned char *)text; *at; at++)
		if (*at == '\\' || *at < 0x20 || *at == 0x7f)
			fprintf(file, "\\x%02x", *at);
		else
			fputc(*at, file);
}

bool fields_number(const char *text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && *end == 0 && errno == 0;
}
