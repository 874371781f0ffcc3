/* SPDX-License-Identifier: MIT */
/* modules.c: a list of files that only grows, under a lock: it is searched when a target is new, or after a dlclose. */
#include "modules/modules.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include "raw/kernel.h"
#include "raw/writer.h"

enum { BUILD_ID_MAX = 64, PATH_LIMIT = 4096 };

struct module {
	const void *link_map;
	struct raw_module *record;
};

_Atomic uint32_t modules_closings;

static struct {
	atomic_flag lock;
	struct module all[MODULES_MAX];
	uint32_t count;
	char program[PATH_LIMIT];
	char text[2 * BUILD_ID_MAX + 1 + PATH_LIMIT]; /* of the file that is looked up: build-id and path */
} modules = {.lock = ATOMIC_FLAG_INIT};

/* Appends the build-id among some notes in hex; returns its end. */
static char *write_build_id(char *to, const char *notes, size_t bytes)
{
	ElfW(Nhdr) note;
	for (const char *end = notes + bytes; (size_t)(end - notes) >= sizeof note;) {
		memcpy(&note, notes, sizeof note);
		size_t name = (note.n_namesz + 3u) & ~(size_t)3, value = (note.n_descsz + 3u) & ~(size_t)3;
		const unsigned char *id = (const unsigned char *)notes + sizeof note + name;
		if (name + value > (size_t)(end - notes) - sizeof note)
			break;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU && note.n_descsz <= BUILD_ID_MAX) {
			for (size_t i = 0; i < note.n_descsz; i++) {
				*to++ = "0123456789abcdef"[id[i] >> 4];
				*to++ = "0123456789abcdef"[id[i] & 15];
			}
			break;
		}
		notes += sizeof note + name + value;
	}
	return to;
}

/* The headers begin the first segment; where the segments have holes between them, the loader tells of another one. */
static const char *headers_of(const struct dl_find_object *object)
{
	const char *tries[] = {object->dlfo_map_start, (const char *)object->dlfo_link_map->l_addr};
	for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
		if (tries[i] && memcmp(tries[i], ELFMAG, SELFMAG) == 0)
			return tries[i];
	return NULL;
}

/* Writes build-id and path, each with its zero; returns their length. */
static size_t describe(const struct dl_find_object *object)
{
	const char *headers = headers_of(object), *path = object->dlfo_link_map->l_name;
	char *to = modules.text;
	for (unsigned i = 0; headers && to == modules.text && i < ((const ElfW(Ehdr) *)(const void *)headers)->e_phnum; i++) {
		const ElfW(Phdr) *segment = (const void *)(headers + ((const ElfW(Ehdr) *)(const void *)headers)->e_phoff);
		if (segment[i].p_type == PT_NOTE)
			to = write_build_id(to, (const char *)(object->dlfo_link_map->l_addr + segment[i].p_vaddr), segment[i].p_memsz);
	}
	*to++ = 0;
	if (!path || !*path)
		path = modules.program; /* the program's own name is empty */
	size_t length = strnlen(path, PATH_LIMIT - 1);
	memcpy(to, path, length);
	to[length] = 0;
	return (size_t)(to - modules.text) + length + 1;
}

static bool is_at(const struct module *m, const struct dl_find_object *object, size_t bytes)
{
	return m->link_map == object->dlfo_link_map && m->record->bias == object->dlfo_link_map->l_addr && m->record->text_bytes == bytes &&
		memcmp(m->record->text, modules.text, bytes) == 0;
}

/* NULL: there are too many, or no space is left. */
static const struct raw_module *add(const struct dl_find_object *object, size_t bytes)
{
	struct raw_module *r = modules.count < MODULES_MAX ? raw_add(RAW_PENDING, sizeof *r + bytes) : NULL;
	if (!r)
		return NULL;
	modules.all[modules.count++] = (struct module){object->dlfo_link_map, r};
	r->number = modules.count;
	r->start = (uint64_t)(uintptr_t)object->dlfo_map_start;
	r->end = (uint64_t)(uintptr_t)object->dlfo_map_end;
	r->bias = object->dlfo_link_map->l_addr;
	r->text_bytes = (uint32_t)bytes;
	memcpy(r->text, modules.text, bytes);
	raw_done(&r->record, RAW_MODULE);
	return r;
}

static const struct raw_module *find_or_add(const struct dl_find_object *object)
{
	size_t bytes = describe(object);
	for (uint32_t i = modules.count; i--;)
		if (is_at(&modules.all[i], object, bytes))
			return modules.all[i].record;
	return add(object, bytes);
}

/* A static program may have another C library, which has no such function. */
#pragma weak _dl_find_object

uint64_t modules_place(uintptr_t address)
{
	const uint64_t low = (UINT64_C(1) << RAW_PLACE_SHIFT) - 1;
	struct dl_find_object object;
	if (!_dl_find_object || _dl_find_object((void *)address, &object) != 0)
		return address & low;
	kernel_lock(&modules.lock);
	const struct raw_module *m = find_or_add(&object);
	kernel_unlock(&modules.lock);
	return m ? (uint64_t)m->number << RAW_PLACE_SHIFT | ((address - m->bias) & low) : address & low;
}

/* Asks the kernel directly: interposed calls give the subject the name of the program that this one was made from. */
void modules_start(void)
{
	long length = kernel_call(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", modules.program, sizeof modules.program - 1);
	modules.program[length > 0 ? length : 0] = 0;
}

void modules_closed(void)
{
	atomic_fetch_add(&modules_closings, 1);
}

void modules_restart(void)
{
	kernel_unlock(&modules.lock);
}
