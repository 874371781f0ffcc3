/* SPDX-License-Identifier: MIT */
/* marks.c: what a program says itself (include/skein/skein.h). A name is a place that no code has: see RAW_PLACE. */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include "raw/writer.h"
#include "threads/arena.h"
#include "threads/real.h"
#include "trace/trace.h"

/* A program that makes up names, one for each request, would have a recording of names. */
enum { MOST_NAMES = 1 << 16, BUCKETS = 1 << 10 };

struct name {
	struct name *next; /* in its bucket */
	uint64_t place;
	char text[];
};

static struct {
	_Atomic(struct name *) buckets[BUCKETS];
	_Atomic uint32_t count;
} names;

EXPORT void skein_region_begin(const char *name, const char *file, unsigned line);
EXPORT void skein_region_end(void);
EXPORT void skein_mark_message(const char *text, const char *file, unsigned line);
EXPORT void skein_mark_value(const char *name, int64_t value, const char *file, unsigned line);

static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash;
}

static struct name *search(struct name *first, const char *text)
{
	while (first && strcmp(first->text, text) != 0)
		first = first->next;
	return first;
}

static bool write_record(uint32_t number, const char *text, size_t bytes, const char *file, unsigned line)
{
	size_t file_bytes = strlen(file) + 1;
	struct raw_place *record = raw_add(RAW_PENDING, sizeof *record + bytes + file_bytes);
	if (!record)
		return false;
	record->number = number;
	record->line = line;
	record->text_bytes = (uint32_t)(bytes + file_bytes);
	memcpy(record->text, text, bytes);
	memcpy(record->text + bytes, file, file_bytes);
	raw_done(&record->record, RAW_PLACE);
	return true;
}

static struct name *make(const char *text, const char *file, unsigned line)
{
	size_t bytes = strlen(text) + 1;
	uint32_t number = atomic_fetch_add(&names.count, 1) + 1;
	struct name *name = number <= MOST_NAMES ? arena_take(sizeof *name + bytes) : NULL;
	if (!name || !write_record(number, text, bytes, file, line)) {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		return NULL;
	}
	name->place = (uint64_t)RAW_AGENT_MODULE << RAW_PLACE_SHIFT | number;
	memcpy(name->text, text, bytes);
	return name;
}

/* Two threads that give a name at once make two places, which reports add. */
static uint64_t place_of(const char *text, const char *file, unsigned line)
{
	_Atomic(struct name *) *bucket = &names.buckets[hash_of(text) % BUCKETS];
	struct name *first = atomic_load_explicit(bucket, memory_order_acquire), *found = search(first, text);
	if (found || !(found = make(text, file, line)))
		return found ? found->place : 0;
	found->next = first;
	while (!atomic_compare_exchange_weak(bucket, &found->next, found))
		;
	return found->place;
}

/* A beginning counts without its name, too: an end follows. */
static void say(enum flow_said what, const char *text, int64_t value, const char *file, unsigned line)
{
	int error = errno;
	uint64_t place = threads_started() ? place_of(text ? text : "", file ? file : "", line) : 0;
	if (place || (threads_started() && what == FLOW_MARK_BEGIN))
		trace_mark(what, place, value);
	errno = error;
}

void marks_restart(void)
{
	for (size_t i = 0; i < BUCKETS; i++)
		atomic_store_explicit(&names.buckets[i], NULL, memory_order_relaxed);
	atomic_store(&names.count, 0);
}

void skein_region_begin(const char *name, const char *file, unsigned line)
{
	say(FLOW_MARK_BEGIN, name, 0, file, line);
}

void skein_region_end(void)
{
	if (threads_started())
		trace_mark(FLOW_MARK_END, 0, 0);
}

void skein_mark_message(const char *text, const char *file, unsigned line)
{
	say(FLOW_MARK_MESSAGE, text, 0, file, line);
}

void skein_mark_value(const char *name, int64_t value, const char *file, unsigned line)
{
	say(FLOW_MARK_VALUE, name, value, file, line);
}
