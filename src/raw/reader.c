/* SPDX-License-Identifier: MIT */
#include "raw/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PASS_BYTES = 16 << 20 };

static size_t fixed_bytes(uint32_t type)
{
	switch (type) {
#define X(name, number, type, sentence) \
	case number: return sizeof(type);
		RAW_RECORD_LIST(X)
#undef X
	default: return sizeof(struct raw_record);
	}
}

/* A text is some strings, each with its zero, that lie wholly inside the record. */
static bool text_fits(const struct raw_record *record, const char *text, uint32_t text_bytes, unsigned strings)
{
	size_t room = record->bytes - (size_t)(text - (const char *)record);
	if (text_bytes > room)
		return false;
	const char *at = text, *end = text + text_bytes;
	for (; strings; strings--) {
		at = memchr(at, 0, (size_t)(end - at));
		if (!at)
			return false;
		at++;
	}
	return true;
}

static bool table_fits(const struct raw_table *table)
{
	size_t bytes = raw_row_bytes(table->kind);
	if (bytes == 0)
		return true; /* an unknown record of a later version: raw_next skips it */
	return table->row_bytes == bytes && table->capacity <= (table->record.bytes - sizeof *table) / bytes;
}

/* What is wrong with the record's content, or NULL. */
static const char *content_fault(const struct raw_record *record)
{
	if (record->bytes < fixed_bytes(record->type))
		return "a record is too short for its type";
	if (record->type == RAW_OBJECT) {
		const struct raw_object *object = (const void *)record;
		if (!text_fits(record, object->text, object->text_bytes, 3))
			return "the names of an object are damaged";
	} else if (record->type == RAW_NAME) {
		const struct raw_name *name = (const void *)record;
		if (!text_fits(record, name->text, name->text_bytes, 2))
			return "a name is damaged";
	} else if (record->type == RAW_MODULE) {
		const struct raw_module *module = (const void *)record;
		if (!text_fits(record, module->text, module->text_bytes, 2))
			return "the names of a module are damaged";
	} else if (record->type == RAW_PLACE) {
		const struct raw_place *place = (const void *)record;
		if (!text_fits(record, place->text, place->text_bytes, 2))
			return "the name of a place is damaged";
	} else if (record->type == RAW_TABLE && !table_fits((const void *)record)) {
		return "a table is larger than its record";
	}
	return NULL;
}

static const struct raw_record *record_at(const struct raw_reader *raw, size_t offset)
{
	return (const struct raw_record *)(const void *)(raw->bytes + offset);
}

/* Pages of a large file need no memory until they are read again. */
static void pass(const struct raw_reader *raw, size_t *from, size_t to)
{
	size_t end = to / PASS_BYTES * PASS_BYTES;
	madvise((void *)(uintptr_t)(raw->bytes + *from), end - *from, MADV_DONTNEED);
	*from = end;
}

/* Sets raw->end behind the last good record. A record of no length is one whose writer was killed between taking the
 * space and naming it: what lies behind it cannot be found, but what lies before it is good. */
static const char *check_records(struct raw_reader *raw, size_t used, size_t *where)
{
	size_t at = RAW_HEADER_BYTES, passed = 0;
	while (used - at >= sizeof(struct raw_record)) {
		const struct raw_record *record = record_at(raw, at);
		*where = at;
		if (record->bytes == 0) {
			raw->pending++;
			break;
		}
		if (record->bytes % 8 != 0 || record->bytes < sizeof *record)
			return "a record has an impossible length";
		if (record->bytes > used - at)
			return "a record extends beyond the end";
		const char *fault = content_fault(record);
		if (fault)
			return fault;
		raw->pending += record->type == RAW_PENDING;
		at += record->bytes;
		if (at - passed > PASS_BYTES)
			pass(raw, &passed, at);
	}
	raw->end = at;
	return NULL;
}

static int check_file(struct raw_reader *raw, const char *path, struct fail *why)
{
	if (memcmp(raw->bytes, RAW_MAGIC, sizeof raw->file.magic) != 0)
		return fail_set(why, FAIL_INTERNAL, "%s is not a raw recording: its header is not that of a raw recording", path);
	memcpy(&raw->file, raw->bytes, sizeof raw->file);
	if (raw->file.version != RAW_VERSION)
		return fail_set(why, FAIL_INTERNAL,
		                "%s has raw format version %u, but this skein reads version %u: use the skein that made it", path,
		                raw->file.version, RAW_VERSION);
	if (raw->file.used_bytes < RAW_HEADER_BYTES || raw->file.used_bytes > raw->size)
		return fail_set(why, FAIL_INTERNAL, "%s is truncated or damaged: its header says %llu bytes, but it has %zu; record again",
		                path, (unsigned long long)raw->file.used_bytes, raw->size);
	size_t where = 0;
	const char *fault = check_records(raw, (size_t)raw->file.used_bytes, &where);
	if (fault)
		return fail_set(why, FAIL_INTERNAL, "%s is damaged at byte %zu (%s); record again", path, where, fault);
	return 0;
}

static int map_file(struct raw_reader *raw, int fd, const char *path, struct fail *why)
{
	struct stat is;
	if (fstat(fd, &is) < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot read %s: %s", path, strerror(errno));
	if (!S_ISREG(is.st_mode))
		return fail_set(why, FAIL_INTERNAL, "%s is not a raw recording: it is not a regular file", path);
	if (is.st_size < (off_t)RAW_HEADER_BYTES)
		return fail_set(why, FAIL_INTERNAL, "%s is not a raw recording: it is too short (%lld bytes)", path, (long long)is.st_size);
	raw->size = (size_t)is.st_size;
	void *bytes = mmap(NULL, raw->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return fail_set(why, FAIL_INTERNAL, "cannot map %s: %s", path, strerror(errno));
	raw->bytes = bytes;
	return 0;
}

int raw_reader_open(struct raw_reader *raw, const char *path, struct fail *why)
{
	memset(raw, 0, sizeof *raw);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return fail_set(why, errno == ENOENT ? FAIL_NOT_FOUND : FAIL_INTERNAL, "cannot open %s: %s", path, strerror(errno));
	int result = map_file(raw, fd, path, why);
	close(fd);
	if (result == 0 && check_file(raw, path, why) < 0) {
		raw_reader_close(raw);
		result = -1;
	}
	return result;
}

void raw_reader_close(struct raw_reader *raw)
{
	if (raw->bytes)
		munmap((void *)(uintptr_t)raw->bytes, raw->size);
	memset(raw, 0, sizeof *raw);
}

static bool is_shown(const struct raw_reader *raw, const struct raw_record *record)
{
	if (record->type == RAW_TABLE)
		return raw_table_lens(((const struct raw_table *)(const void *)record)->kind) == raw->file.lens;
	return record->type != RAW_VOID && fixed_bytes(record->type) > sizeof(struct raw_record);
}

/* `passed`: from there on no page was given back yet. */
static const struct raw_record *shown_from(const struct raw_reader *raw, size_t at, size_t passed)
{
	while (raw->end - at >= sizeof(struct raw_record)) {
		const struct raw_record *record = record_at(raw, at);
		uint32_t bytes = __atomic_load_n(&record->bytes, __ATOMIC_RELAXED);
		if (bytes < sizeof *record || bytes > raw->end - at)
			break;                                       /* the writer has restarted at this place */
		if (is_shown(raw, record) && !content_fault(record)) /* checked again: it may have been pending before */
			return record;
		at += bytes;
		if (at - passed > PASS_BYTES)
			pass(raw, &passed, at);
	}
	return NULL;
}

const struct raw_record *raw_first(const struct raw_reader *raw)
{
	return shown_from(raw, RAW_HEADER_BYTES, 0);
}

const struct raw_record *raw_next(const struct raw_reader *raw, const struct raw_record *record)
{
	size_t at = (size_t)((const unsigned char *)record - raw->bytes);
	uint32_t bytes = __atomic_load_n(&record->bytes, __ATOMIC_RELAXED);
	size_t behind = at + bytes, passed = at / PASS_BYTES * PASS_BYTES;
	if (bytes < sizeof *record || bytes > raw->end - at)
		return NULL;
	if (behind - passed > PASS_BYTES)
		pass(raw, &passed, behind);
	return shown_from(raw, behind, passed);
}

const void *raw_table_rows(const struct raw_table *table, size_t *rows)
{
	*rows = table->used < table->capacity ? table->used : table->capacity;
	return table + 1;
}

const char *raw_text(const char *text, size_t text_bytes, unsigned n)
{
	const char *end = text + text_bytes;
	for (; n && text < end; n--)
		text += strnlen(text, (size_t)(end - text)) + 1;
	return text < end ? text : "";
}
