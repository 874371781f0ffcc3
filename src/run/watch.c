/* SPDX-License-Identifier: MIT */
#include "run/watch.h"

#include <limits.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "analyse/symbols/dwarf.h"

enum { PERIOD_NS = 1000000, RING_PAGES = 64, MOST_GENERATIONS = 64, OFFSET_BITS = 40 };
static const char runtime[] = "libskein-rt.so", static_runtime[] = "skein_runtime", hook[] = "skein_hook_";

void watch_open(struct watch *w)
{
	*w = (struct watch){0};
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = PERIOD_NS,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
		.mmap = 1,
		.mmap2 = 1,
		.task = 1,
	};
	rings_open(&w->rings, &attr, RING_PAGES);
}

/* ---- what it says ---- */

struct record {
	struct perf_event_header header;
	union {
		struct {
			uint64_t address;
			uint32_t process, thread;
		} sample;
		struct {
			uint32_t process, parent;
		} fork;
		struct {
			uint32_t process, thread;
			uint64_t address, bytes, offset;
			uint32_t unused[8];
			char file[PATH_MAX];
		} code;
	};
};

void watch_file(struct watch *w, const char *path)
{
	char real[PATH_MAX];
	strv_add(&w->files, realpath(path, real) ? real : path);
}

/* Files are numbered from 1; 0 is the runtime. */
static bool find_file(const struct watch *w, const char *path, uint32_t *file)
{
	*file = 0;
	if (strcmp(str_base(path), runtime) == 0)
		return true;
	for (; *file < w->files.count; ++*file)
		if (strcmp(w->files.at[*file], path) == 0) {
			++*file;
			return true;
		}
	return false;
}

static void meet(struct watch *w, const struct record *r)
{
	uint32_t file;
	if (r->header.type == PERF_RECORD_FORK && r->fork.process != r->fork.parent) {
		*map_at(&w->parents, r->fork.process) = (void *)(uintptr_t)r->fork.parent;
	} else if (r->header.type == PERF_RECORD_MMAP2 && find_file(w, r->code.file, &file)) {
		MEMORY_GROW(w->codes, w->code_count, w->code_room);
		w->codes[w->code_count++] =
			(struct watch_code){r->code.process, file, r->code.address, r->code.address + r->code.bytes, r->code.offset};
	}
}

static const struct watch_code *code_at(const struct watch *w, uint32_t process, uint64_t address)
{
	for (size_t i = w->code_count; i--;)
		if (w->codes[i].process == process && address >= w->codes[i].low && address < w->codes[i].high)
			return &w->codes[i];
	return NULL;
}

/* The process itself, if its parent is not known. */
static uint32_t parent_of(struct watch *w, uint32_t process)
{
	void **parent = map_at(&w->parents, process);
	if (!*parent)
		*parent = (void *)(uintptr_t)process;
	return (uint32_t)(uintptr_t)*parent;
}

/* A child of fork has the code of its parent. */
static void count(struct watch *w, const struct record *r)
{
	uint64_t address = r->sample.address;
	uint32_t process = r->sample.process, last = 0;
	const struct watch_code *code = code_at(w, process, address);
	for (int i = 0; !code && process != last && i < MOST_GENERATIONS; i++) {
		last = process;
		process = parent_of(w, last);
		code = code_at(w, process, address);
	}
	w->all++;
	if (!code)
		return;
	void **spot = map_at(&w->spots, (uint64_t)code->file << OFFSET_BITS | (address - code->low + code->offset));
	*spot = (void *)((uintptr_t)*spot + 1);
}

static void read_ring(struct watch *w, size_t i, uint64_t end, bool samples)
{
	static struct record r;
	uint64_t at = rings_begin(&w->rings, i);
	while (rings_next(&w->rings, i, &at, end, &r, sizeof r)) {
		((char *)&r)[sizeof r - 1] = 0;
		if (!samples)
			meet(w, &r);
		else if (r.header.type == PERF_RECORD_SAMPLE)
			count(w, &r);
	}
}

/* Code first: it may be in one core's ring and its samples in another's. */
void watch_look(struct watch *w)
{
	uint64_t *ends = memory_zeroed(w->rings.count + 1, sizeof *ends);
	for (int samples = 0; samples < 2; samples++)
		for (size_t i = 0; i < w->rings.count; i++) {
			ends[i] = samples ? ends[i] : rings_end(&w->rings, i);
			read_ring(w, i, ends[i], samples);
			if (samples)
				rings_drop(&w->rings, i, ends[i]);
		}
	free(ends);
}

/* ---- whose code it is ---- */

/* 0 for an offset that is in no segment. */
static uint64_t address_of(const struct symbols_elf *elf, uint64_t offset)
{
	size_t segments = 0;
	GElf_Phdr s;
	elf_getphdrnum(elf->elf, &segments);
	for (size_t i = 0; i < segments; i++)
		if (gelf_getphdr(elf->elf, (int)i, &s) && s.p_type == PT_LOAD && offset >= s.p_offset && offset - s.p_offset < s.p_filesz)
			return offset - s.p_offset + s.p_vaddr;
	return 0;
}

static bool is_ours(const struct symbols_elf *elf, struct symbols_dwarf *dwarf, uint64_t address)
{
	const struct symbols_name *name = symbols_elf_name(elf, address);
	const struct symbols_section *section = symbols_elf_section(elf, address);
	struct symbols_line line;
	if ((name && strncmp(name->linkage, hook, sizeof hook - 1) == 0) || (section && strcmp(section->name, static_runtime) == 0))
		return true;
	return dwarf && symbols_dwarf_line(dwarf, address, UINT64_MAX, &line) && !line.line; /* of its own row alone */
}

static void weigh_file(struct watch *w, uint32_t file)
{
	struct symbols_elf elf;
	if (!symbols_elf_open(&elf, w->files.at[file - 1], ""))
		return;
	struct symbols_dwarf *dwarf = symbols_dwarf_open(&elf);
	for (size_t i = 0; i < w->spots.room; i++) {
		uint64_t key = w->spots.at[i].key;
		if (w->spots.at[i].value && key >> OFFSET_BITS == file &&
		    is_ours(&elf, dwarf, address_of(&elf, key & ((UINT64_C(1) << OFFSET_BITS) - 1))))
			w->own += (uintptr_t)w->spots.at[i].value;
	}
	symbols_dwarf_close(dwarf);
	symbols_elf_close(&elf);
}

struct watch_seen watch_close(struct watch *w)
{
	bool is_allowed = w->rings.count;
	watch_look(w);
	for (size_t i = 0; i < w->spots.room; i++)
		w->own += w->spots.at[i].key >> OFFSET_BITS ? 0 : (uintptr_t)w->spots.at[i].value;
	for (uint32_t file = 1; w->spots.count && file <= w->files.count; file++)
		weigh_file(w, file);
	rings_close(&w->rings);
	map_free(&w->spots);
	map_free(&w->parents);
	strv_free(&w->files);
	free(w->codes);
	return (struct watch_seen){is_allowed, w->all, w->own};
}
