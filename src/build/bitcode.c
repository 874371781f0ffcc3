/* SPDX-License-Identifier: MIT */
/* bitcode.c: looking into objects and archives. */
#include "build/bitcode.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build/archive.h"
#include "build/compile.h"
#include "build/elf64.h"

static uint32_t word_at(struct blob b, size_t at)
{
	uint32_t word;
	memcpy(&word, b.at + at, sizeof word);
	return word;
}

/* A bitcode file is 'BC' 0xC0DE and then blocks. At the top level an abbreviation has two bits, 1 enters a block: its
 * number in 8-bit chunks (one chunk does for those that exist), its abbreviation width in 4-bit chunks, then, at the next 32-bit
 * boundary, its length in words. All three fit in the first word. Block 8 is a module. */
size_t bitcode_modules(struct blob section)
{
	size_t at = 4, modules = 0;

	if (section.size < 8 || word_at(section, 0) != 0xdec04342)
		return 0;
	while (section.size - at >= 8) {
		uint32_t head = word_at(section, at), words = word_at(section, at + 4);
		if (head == 0xdec04342) { /* the next file begins */
			at += 4;
			continue;
		}
		if ((head & 3) != 1)
			return modules ? modules : 1;
		modules += (head >> 2 & 0xff) == 8;
		if (words > (section.size - at - 8) / 4)
			break;
		at += 8 + (size_t)words * 4;
	}
	return modules;
}

static bool same_content(const struct note_input *input)
{
	struct blob file;
	struct fail why;
	struct digest sum = {0};
	char hex[DIGEST_HEX];

	if (blob_read(input->path, &file, &why) < 0)
		return false;
	digest_add(&sum, file.at, file.size);
	digest_hex(&sum, hex);
	blob_free(&file);
	return strcmp(hex, input->digest) == 0;
}

/* Shared libraries may change: that is what they are for, and each has a note of its own. */
int bitcode_check(const struct note *note, const char *program, struct fail *why)
{
	struct stat st;

	for (size_t i = 0; i < note->inputs_count; i++) {
		const struct note_input *input = &note->inputs[i];
		if (input->kind == 's')
			continue;
		if (stat(input->path, &st) < 0)
			return fail_set(
				why, FAIL_INTERNAL,
				"%s, which is part of %s, cannot be read (%s): build it again, for example with `make -C %s CC=skein-cc`",
				input->path, program, strerror(errno), note->folder);
		if ((uint64_t)st.st_size == input->bytes && (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec == input->mtime_ns)
			continue;
		if ((uint64_t)st.st_size != input->bytes || !same_content(input))
			return fail_set(why, FAIL_INTERNAL,
			                "%s has changed since %s was linked: link again, for example with `make -C %s CC=skein-cc`",
			                input->path, program, note->folder);
	}
	return 0;
}

enum verdict { SEEN, NONE, JOINED, NO_OBJECT };

static const char *const reasons[] = {[NONE] = "no bitcode, not compiled by skein-cc", [JOINED] = "several objects joined by ld -r"};

/* Looks at an object and, where lld could not use it as it is, changes it in memory; then *changed is set. */
static enum verdict look(struct blob object, struct bitcode *found, bool *changed)
{
	struct blob section, mark;
	unsigned char *bytes = (unsigned char *)object.at;

	if (elf64_type(object) != ET_REL)
		return NO_OBJECT; /* bitcode itself, or text */
	if (!elf64_section(object, COMPILE_OWN, &section) && !elf64_section(object, COMPILE_RAW, &section) &&
	    !elf64_section(object, COMPILE_BITCODE, &section))
		return NONE;
	if (bitcode_modules(section) != 1) {
		*changed = elf64_hide(bytes, object.size, COMPILE_BITCODE) > 0 || *changed;
		return JOINED;
	}
	if (elf64_section(object, COMPILE_MARK, &mark) && mark.size == 1 && mark.at[0] > (unsigned char)found->level)
		found->level = (char)mark.at[0];
	bool parallel = found->parallel && elf64_section(object, COMPILE_PARALLEL, &section);
	if (parallel && bitcode_modules(section) != 1) { /* the section says why there is no bitcode */
		strv_add_bytes(&found->serial, (const char *)section.at, section.size);
		parallel = false;
	}
	if (!found->keeps_own)
		*changed = elf64_replace(bytes, object.size, COMPILE_BITCODE, parallel ? COMPILE_PARALLEL : COMPILE_OWN) || *changed;
	return SEEN;
}

static int put_copy(const char *stage, const char *path, struct blob file, struct bitcode *found, struct fail *why)
{
	char *copy = str_format("%s/native-%zu-%s", stage, found->replaced.count / 2, str_base(path));
	FILE *out = fopen(copy, "we");
	int failed = !out || fwrite(file.at, 1, file.size, out) != file.size;

	if ((out && fclose(out) != 0) || failed)
		failed = fail_set(why, FAIL_INTERNAL, "cannot write %s: %s", copy, strerror(errno));
	strv_add(&found->replaced, path);
	strv_add(&found->replaced, copy);
	free(copy);
	return failed;
}

/* Members of a plain archive lie inside file: what look() changes there goes into the copy. A thin archive's do not. */
static int scan_archive(const char *path, struct blob file, const char *stage, struct bitcode *found, struct fail *why)
{
	struct archive ar;
	struct archive_member member;
	size_t seen = 0, others = 0, first = found->foreign.count;
	bool changed = false;
	struct blob whole;
	FILE *gathered = mem_or_die(open_memstream((char **)&whole.at, &whole.size));

	fputs("!<arch>\n", gathered); /* a plain archive of a thin one's members, as they are in memory; lld wants no index */
	for (archive_open(&ar, file, path); archive_next(&ar, &member);) {
		enum verdict verdict = look(member.contents, found, &changed);
		seen += verdict == SEEN;
		others += verdict == NONE || verdict == JOINED;
		if (verdict == NONE || verdict == JOINED)
			strv_addf(&found->foreign, "%s(%s): %s", path, member.name, reasons[verdict]);
		if (ar.thin)
			archive_write(gathered, member.contents);
	}
	bool thin = ar.thin;
	archive_close(&ar);
	fclose(gathered);
	if (seen == 0 && others > 1 && !changed) { /* one line says as much as a thousand */
		while (found->foreign.count > first)
			free(found->foreign.at[--found->foreign.count]);
		strv_addf(&found->foreign, "%s: no bitcode in any of its %zu members", path, others);
	}
	int failed = changed ? put_copy(stage, path, thin ? whole : file, found, why) : 0;
	blob_free(&whole);
	return failed;
}

static int scan_object(const char *path, struct blob file, const char *stage, struct bitcode *found, struct fail *why)
{
	bool changed = false;
	enum verdict verdict = look(file, found, &changed);

	if (verdict == NONE || verdict == JOINED)
		strv_addf(&found->foreign, "%s: %s", path, reasons[verdict]);
	return changed ? put_copy(stage, path, file, found, why) : 0;
}

int bitcode_scan(const struct note *note, const char *stage, struct bitcode *found, struct fail *why)
{
	int failed = 0;

	for (size_t i = 0; i < note->inputs_count && !failed; i++) {
		const struct note_input *input = &note->inputs[i];
		struct blob file;
		if (input->kind != 'o' && input->kind != 'a')
			continue;
		if (blob_read(input->path, &file, why) < 0)
			return -1;
		failed = (input->kind == 'a' ? scan_archive : scan_object)(input->path, file, stage, found, why);
		blob_free(&file);
	}
	return failed;
}

void bitcode_free(struct bitcode *found)
{
	strv_free(&found->foreign);
	strv_free(&found->serial);
	strv_free(&found->replaced);
}
