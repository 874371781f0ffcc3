/* SPDX-License-Identifier: MIT */
/* note.c: the link recipe as text in a section. */
#include "build/note.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fields.h"
#include "build/archive.h"
#include "build/compile.h"
#include "build/elf64.h"

#define MAGIC "skein-link\t1"
#define FIELDS 6
#define MOST_RECORDS 1000000 /* words or inputs: no real link has as many */

/* Objects and archives hold code that is linked in; shared libraries are found again at each run; the rest is text:
 * linker scripts, version scripts. */
static char kind_of(struct blob file)
{
	int type = elf64_type(file);
	return type == ET_REL ? 'o' : type == ET_DYN ? 's' : archive_is(file) ? 'a' : 't';
}

static int add_file(struct note *note, const char *path, char kind, struct fail *why);

static bool speaks_cilk(struct blob object)
{
	struct blob section;
	return elf64_section(object, COMPILE_PARALLEL, &section);
}

/* A thin archive's own bytes do not tell what its members are. */
static int add_members(struct note *note, const char *path, struct blob file, struct fail *why)
{
	struct archive ar;
	struct archive_member member;
	int failed = 0;

	for (archive_open(&ar, file, path); !failed && archive_next(&ar, &member);) {
		note->cilk = note->cilk || speaks_cilk(member.contents);
		if (!ar.thin)
			continue;
		char *name = str_absolute(ar.folder, member.name);
		failed = add_file(note, name, 'm', why);
		free(name);
	}
	archive_close(&ar);
	return failed;
}

/* kind 0: what the contents say. */
static int add_file(struct note *note, const char *path, char kind, struct fail *why)
{
	struct stat st;
	struct blob file;
	struct digest sum = {0};

	if (stat(path, &st) < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot read %s: %s", path, strerror(errno));
	if (blob_read(path, &file, why) < 0)
		return -1;
	digest_add(&sum, file.at, file.size);
	note->inputs = memory_resize(note->inputs, note->inputs_count + 1, sizeof *note->inputs);
	struct note_input *input = &note->inputs[note->inputs_count++];
	*input = (struct note_input){.kind = kind ? kind : kind_of(file), .bytes = file.size, .path = str_copy(path)};
	input->mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	digest_hex(&sum, input->digest);
	note->cilk = note->cilk || (input->kind == 'o' && speaks_cilk(file));
	int failed = input->kind == 'a' ? add_members(note, path, file, why) : 0;
	blob_free(&file);
	return failed;
}

int note_add_input(struct note *note, const char *path, struct fail *why)
{
	return add_file(note, path, 0, why);
}

static void put_record(FILE *out, const char *key, const char *text)
{
	fprintf(out, "%s\t", key);
	fields_write(out, text);
	fputc('\n', out);
}

char *note_print(const struct note *note, size_t *bytes)
{
	char *text;
	FILE *out = mem_or_die(open_memstream(&text, bytes));

	fputs(MAGIC "\n", out);
	put_record(out, "d", note->folder);
	put_record(out, "l", note->cxx ? "c++" : "c");
	if (note->cilk)
		put_record(out, "c", note->parallel ? "parallel" : "serial");
	for (size_t i = 0; i < note->environment.count; i++)
		put_record(out, "e", note->environment.at[i]);
	for (size_t i = 0; i < note->words.count; i++)
		put_record(out, "a", note->words.at[i]);
	for (size_t i = 0; i < note->inputs_count; i++) {
		const struct note_input *input = &note->inputs[i];
		fprintf(out, "i\t%c\t%" PRIu64 "\t%" PRId64 "\t%s\t", input->kind, input->bytes, input->mtime_ns, input->digest);
		fields_write(out, input->path);
		fputc('\n', out);
	}
	fprintf(out, "end\t%zu\t%zu\n", note->words.count, note->inputs_count);
	fclose(out);
	return mem_or_die(text);
}

int note_write(const char *path, const struct note *note, struct fail *why)
{
	size_t bytes;
	char *text = note_print(note, &bytes);
	struct elf64_addition section = {NOTE_SECTION, SHT_PROGBITS, 0, {(unsigned char *)text, bytes}};
	int failed = elf64_add(path, &section, 1, why);
	free(text);
	return failed;
}

static bool read_number(const char *text, int64_t *number)
{
	char *end;
	errno = 0;
	*number = strtoll(text, &end, 10);
	return errno == 0 && end != text && *end == 0;
}

static bool read_input(struct note *note, char *fields[FIELDS])
{
	int64_t bytes, mtime_ns;

	if (strlen(fields[1]) != 1 || !strchr("oamst", fields[1][0]) || !read_number(fields[2], &bytes) || bytes < 0 ||
	    !read_number(fields[3], &mtime_ns) || strlen(fields[4]) != DIGEST_HEX - 1 || !fields_unescape(fields[5]) ||
	    fields[5][0] != '/' || note->inputs_count >= MOST_RECORDS)
		return false;
	note->inputs = memory_resize(note->inputs, note->inputs_count + 1, sizeof *note->inputs);
	struct note_input *input = &note->inputs[note->inputs_count++];
	*input = (struct note_input){.kind = fields[1][0], .bytes = (uint64_t)bytes, .mtime_ns = mtime_ns, .path = str_copy(fields[5])};
	memcpy(input->digest, fields[4], DIGEST_HEX);
	return true;
}

/* One record; *ended is set by the last one, which must agree with what was read. */
static bool read_record(struct note *note, char *line, bool *ended)
{
	char *fields[FIELDS];
	size_t count = fields_split(line, fields, FIELDS);
	int64_t words, inputs;

	if (count == 3 && strcmp(fields[0], "end") == 0) {
		*ended = true;
		return read_number(fields[1], &words) && read_number(fields[2], &inputs) && words == (int64_t)note->words.count &&
			inputs == (int64_t)note->inputs_count && note->folder;
	}
	if (count == 6 && strcmp(fields[0], "i") == 0)
		return read_input(note, fields);
	if (count != 2 || strlen(fields[0]) != 1 || !fields_unescape(fields[1]))
		return false;
	switch (fields[0][0]) {
	case 'd':
		if (note->folder || fields[1][0] != '/')
			return false;
		note->folder = str_copy(fields[1]);
		return true;
	case 'l': note->cxx = strcmp(fields[1], "c++") == 0; return true;
	case 'c':
		note->cilk = true;
		note->parallel = strcmp(fields[1], "parallel") == 0;
		return note->parallel || strcmp(fields[1], "serial") == 0;
	case 'e': strv_add(&note->environment, fields[1]); return strchr(fields[1], '=') && note->environment.count < MOST_RECORDS;
	case 'a': strv_add(&note->words, fields[1]); return note->words.count < MOST_RECORDS;
	default: return false;
	}
}

int note_parse(struct blob text, const char *path, struct note *note, struct fail *why)
{
	char *copy = mem_or_die(strndup((const char *)text.at, text.size));
	bool good = strlen(copy) == text.size && str_starts(copy, MAGIC "\n"), ended = false;
	char *line = good ? copy + strlen(MAGIC "\n") : NULL;

	*note = (struct note){0};
	while (line && *line && good && !ended) {
		char *end = strchr(line, '\n');
		good = end != NULL;
		if (end)
			*end++ = 0;
		good = good && read_record(note, line, &ended);
		line = end;
	}
	good = good && ended && line && *line == 0;
	free(copy);
	if (good)
		return 0;
	note_free(note);
	return fail_set(why, FAIL_CANNOT_RUN, "the link recipe in %s is damaged; link it again with skein-cc", path);
}

int note_find(struct blob file, const char *path, struct note *note, struct fail *why)
{
	struct blob section;

	*note = (struct note){0};
	return elf64_section(file, NOTE_SECTION, &section)
		? note_parse(section, path, note, why)
		: fail_set(why, FAIL_CANNOT_RUN,
	                   "%s was not linked by skein-cc, or was stripped afterwards: build it with `make CC=skein-cc CXX=skein-c++`",
	                   path);
}

void note_free(struct note *note)
{
	free(note->folder);
	strv_free(&note->environment);
	strv_free(&note->words);
	for (size_t i = 0; i < note->inputs_count; i++)
		free(note->inputs[i].path);
	free(note->inputs);
	*note = (struct note){0};
}
