/* SPDX-License-Identifier: MIT */
/* agents_names.c: places that are not code, but a routine and a line of a script.
 *
 * Problem: an agent asks for the number of a name in a signal handler, again and again, in any thread.
 * Idea: an array of pointers to the records of the recording, found by the name's hash, each written once by
 * compare-and-swap; its index is its number.
 * Cost: that of reading the name; agents that care keep the number. */
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include "core/hash.h"
#include "raw/writer.h"
#include "sample/agents.h"
#include "unwind/modules.h"

#define EXPORT __attribute__((visibility("default")))

enum { NAMES = 1 << 16, NAMES_MOST = NAMES / 8 * 7, ROUTINE_BYTES = 1024, FILE_BYTES = 4096 };

static struct {
	_Atomic uint32_t count;
	_Atomic(struct raw_place *) at[NAMES];
} names;

struct name {
	const char *routine, *file;
	size_t routine_bytes, file_bytes; /* without their zeros */
	unsigned line;
	uint64_t hash;
};

static uint64_t hash_text(uint64_t hash, const char *text, size_t bytes)
{
	return hash_spread(hash_bytes(hash, text, bytes) ^ bytes);
}

static struct name name_of(const char *routine, const char *file, unsigned line)
{
	struct name name = {.routine = routine ? routine : "", .file = file ? file : "", .line = line};
	name.routine_bytes = strnlen(name.routine, ROUTINE_BYTES);
	name.file_bytes = strnlen(name.file, FILE_BYTES);
	name.hash = hash_text(hash_text(line, name.routine, name.routine_bytes), name.file, name.file_bytes);
	name.hash ^= name.hash >> 32;
	return name;
}

static bool is_named(const struct raw_place *place, const struct name *name)
{
	return place->line == name->line && place->text_bytes == name->routine_bytes + name->file_bytes + 2 &&
		!memcmp(place->text, name->routine, name->routine_bytes) &&
		!memcmp(place->text + name->routine_bytes + 1, name->file, name->file_bytes);
}

static void give_room(void)
{
	atomic_fetch_sub_explicit(&names.count, 1, memory_order_relaxed);
}

static bool take_room(void)
{
	if (atomic_fetch_add_explicit(&names.count, 1, memory_order_relaxed) < NAMES_MOST)
		return true;
	give_room();
	raw_lose(RAW_LOST_NO_MEMORY, 1);
	return false;
}

/* A record that is not in the table yet. */
static struct raw_place *make_place(const struct name *name)
{
	uint32_t text_bytes = (uint32_t)(name->routine_bytes + name->file_bytes + 2);
	if (!take_room())
		return NULL;
	struct raw_place *place = raw_add(RAW_PENDING, sizeof *place + text_bytes);
	if (!place) {
		give_room();
		return NULL;
	}
	place->line = name->line;
	place->text_bytes = text_bytes;
	memcpy(place->text, name->routine, name->routine_bytes);
	memcpy(place->text + name->routine_bytes + 1, name->file, name->file_bytes);
	return place;
}

static void drop_place(struct raw_place *place)
{
	give_room();
	raw_done(&place->record, RAW_VOID);
}

EXPORT uint64_t skein_place_register(const char *routine, const char *file, unsigned line)
{
	struct name name = name_of(routine, file, line);
	struct raw_place *mine = NULL;
	uint32_t at = (uint32_t)name.hash % NAMES;
	for (;; at = (at + 1) % NAMES) {
		struct raw_place *there = atomic_load_explicit(&names.at[at], memory_order_acquire);
		if (!there) {
			if (!mine && !(mine = make_place(&name)))
				return 0;
			mine->number = at + 1; /* no reader uses the record while it is pending */
			if (atomic_compare_exchange_strong_explicit(&names.at[at], &there, mine, memory_order_acq_rel,
			                                            memory_order_acquire)) {
				raw_done(&mine->record, RAW_PLACE);
				break;
			}
		}
		if (is_named(there, &name)) {
			if (mine)
				drop_place(mine);
			break;
		}
	}
	return (uint64_t)RAW_AGENT_MODULE << RAW_PLACE_SHIFT | (at + 1);
}

uint64_t agents_place_of(uint64_t lip)
{
	uint64_t module = lip >> RAW_PLACE_SHIFT, number = lip & ((UINT64_C(1) << RAW_PLACE_SHIFT) - 1);
	if (module == RAW_AGENT_MODULE)
		return number >= 1 && number <= NAMES && atomic_load_explicit(&names.at[number - 1], memory_order_acquire) ? lip : 0;
	return module ? lip : module_place(module_at((uintptr_t)lip), (uintptr_t)lip);
}
