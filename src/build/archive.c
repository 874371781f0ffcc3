/* SPDX-License-Identifier: MIT */
/* archive.c: reading ar archives as GNU and LLVM write them. */
#include "build/archive.h"

#include <ar.h>
#include <stdlib.h>
#include <string.h>

#include "base/strv.h"

#define THIN "!<thin>\n"

bool archive_is(struct blob file)
{
	return file.size >= SARMAG && (memcmp(file.at, ARMAG, SARMAG) == 0 || memcmp(file.at, THIN, SARMAG) == 0);
}

void archive_open(struct archive *ar, struct blob file, const char *path)
{
	*ar = (struct archive){.file = file, .at = archive_is(file) ? SARMAG : file.size};
	ar->thin = ar->at == SARMAG && memcmp(file.at, THIN, SARMAG) == 0;
	ar->folder = str_folder(path);
}

void archive_close(struct archive *ar)
{
	blob_free(&ar->member);
	free(ar->folder);
	free(ar->name);
	*ar = (struct archive){0};
}

/* Decimal digits that end with a space or with the field. */
static bool read_decimal(const char *field, size_t width, size_t *number)
{
	*number = 0;
	size_t i = 0;
	for (; i < width && field[i] >= '0' && field[i] <= '9'; i++)
		*number = *number * 10 + (size_t)(field[i] - '0');
	return i > 0;
}

/* "name/", "/123" into the table of long names, or BSD's "#1/20" whose name precedes the contents. */
static char *member_name(const struct archive *ar, const struct ar_hdr *header, struct blob *contents)
{
	size_t number;

	if (header->ar_name[0] == '/' && read_decimal(header->ar_name + 1, sizeof header->ar_name - 1, &number) &&
	    number < ar->names.size) {
		const char *start = (const char *)ar->names.at + number;
		size_t room = ar->names.size - number, length = 0;
		while (length < room && start[length] != '\n' && start[length] != 0)
			length++;
		return mem_or_die(strndup(start, length && start[length - 1] == '/' ? length - 1 : length));
	}
	if (memcmp(header->ar_name, "#1/", 3) == 0 && read_decimal(header->ar_name + 3, sizeof header->ar_name - 3, &number) &&
	    number <= contents->size) {
		char *name = mem_or_die(strndup((const char *)contents->at, number));
		*contents = (struct blob){contents->at + number, contents->size - number};
		return name;
	}
	size_t length = 0;
	while (length < sizeof header->ar_name && header->ar_name[length] != '/' && header->ar_name[length] != ' ')
		length++;
	return mem_or_die(strndup(header->ar_name, length));
}

static bool is_index(const struct ar_hdr *header)
{
	return memcmp(header->ar_name, "/ ", 2) == 0 || memcmp(header->ar_name, "/SYM64/", 7) == 0 ||
		memcmp(header->ar_name, "__.SYMDEF", 9) == 0;
}

static void read_thin_member(struct archive *ar, struct archive_member *member)
{
	struct fail why;
	char *path = str_absolute(ar->folder, ar->name);

	blob_free(&ar->member);
	if (blob_read(path, &ar->member, &why) < 0)
		ar->member = (struct blob){0};
	free(path);
	member->contents = ar->member;
}

bool archive_next(struct archive *ar, struct archive_member *member)
{
	struct ar_hdr header;
	size_t size;

	while (ar->at <= ar->file.size && ar->file.size - ar->at >= sizeof header) {
		memcpy(&header, ar->file.at + ar->at, sizeof header);
		size_t start = ar->at + sizeof header, left = ar->file.size - start;
		if (memcmp(header.ar_fmag, ARFMAG, sizeof header.ar_fmag) != 0 ||
		    !read_decimal(header.ar_size, sizeof header.ar_size, &size))
			return false;
		bool names = memcmp(header.ar_name, "// ", 3) == 0, index = is_index(&header), here = !ar->thin || names || index;
		if (here && size > left)
			return false;
		struct blob contents = {ar->file.at + start, here ? size : 0};
		ar->at = start + (here ? size + size % 2 : 0);
		if (names)
			ar->names = contents;
		if (names || index)
			continue;
		free(ar->name);
		ar->name = member_name(ar, &header, &contents);
		*member = (struct archive_member){ar->name, contents};
		if (ar->thin)
			read_thin_member(ar, member);
		return true;
	}
	return false;
}

void archive_write(FILE *to, struct blob member)
{
	fprintf(to, "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", "member.o/", 0, 0, 0, 0644, member.size);
	fwrite(member.at, 1, member.size, to);
	if (member.size % 2)
		fputc('\n', to);
}
