/* SPDX-License-Identifier: MIT */
#include "run/attach/stacks.h"

#include <stdlib.h>
#include <string.h>
#include "analyse/symbols/elf.h"
#include "base/memory.h"
#include "run/attach/account.h"
#include "run/attach/files.h"
#include "unwind/memory.h"
#include "unwind/unwind.h"

enum { ROWS = 4 * LCCT_ROWS, KIND_NONE = 0xff, FRAMES_OF_A_WAIT = 8 };
#define ALL_KNOWN ((1u << DWARF_REGISTERS) - 1)

/* ---- the tree ---- */

static struct lcct_node *more_nodes(void *context, uint32_t first, uint32_t *count, void **chunk)
{
	struct stacks *s = context;
	struct stacks_rows *rows = memory_zeroed(1, sizeof *rows);
	*count = ROWS;
	*rows = (struct stacks_rows){.first = first, .count = ROWS, .rows = memory_zeroed(ROWS, sizeof *rows->rows)};
	MEMORY_GROW(s->rows, s->row_count, s->row_room);
	s->rows[s->row_count++] = rows;
	*chunk = rows;
	return rows->rows;
}

static void nodes_used(void *chunk, uint32_t rows)
{
	struct stacks_rows *mine = chunk;
	mine->used = rows > mine->used ? rows : mine->used;
}

static void *more_memory(void *context, size_t bytes)
{
	struct stacks *s = context;
	MEMORY_GROW(s->blocks, s->block_count, s->block_room);
	return s->blocks[s->block_count++] = memory_zeroed(1, bytes);
}

static const struct lcct_port port = {more_nodes, nodes_used, more_memory};

/* ---- walking ---- */

static bool walk(struct stacks *s, const struct look_record *r, uint32_t known)
{
	struct unwind u;
	enum unwind_step step;
	s->count = 0;
	if (!r->has_registers)
		return false;
	files_stack(r->registers[DWARF_SP], r->stack, r->stack_bytes);
	unwind_apart(&u, s->cache, r->registers, known);
	do
		s->places[s->count++] = u.place;
	while ((step = unwind_step(&u)) == UNWIND_FRAME && s->count < STACKS_FRAMES);
	return step == UNWIND_END;
}

static bool is_runtime(uint64_t place)
{
	return module_is_runtime((uint32_t)(place >> RAW_PLACE_SHIFT));
}

/* From the frame `from` outwards. */
static uint32_t insert(struct stacks *s, size_t from)
{
	size_t count = 0;
	for (size_t i = s->count; i-- > from;) {
		struct lcct_x *x = &s->path[count], *before = count ? x - 1 : NULL;
		if (!is_runtime(s->places[i])) {
			*x = (struct lcct_x){.ip = s->places[i], .lip = s->places[i], .note = 1, .association = SKEIN_1_1};
		} else {
			bool goes_on = before && !before->lip;
			*x = (struct lcct_x){.ip = s->places[i], .note = goes_on ? before->note + 1 : 1, .association = SKEIN_M_0};
		}
		count++;
	}
	return count ? lcct_insert(s->tree, s->path, count) : 0;
}

uint32_t stacks_node(struct stacks *s, const struct look_record *record, bool *whole)
{
	*whole = walk(s, record, ALL_KNOWN);
	return insert(s, 0);
}

/* ---- what a thread waits for ---- */

/* Functions of the C library, without underscores before, a 64 behind, and what stands behind an @ or a dot. */
static const struct {
	const char *name;
	uint8_t kind;
} waits[] = {
	{"pthread_mutex_lock", RAW_WAIT_LOCK},
	{"pthread_mutex_timedlock", RAW_WAIT_LOCK},
	{"pthread_mutex_clocklock", RAW_WAIT_LOCK},
	{"pthread_rwlock_rdlock", RAW_WAIT_LOCK},
	{"pthread_rwlock_wrlock", RAW_WAIT_LOCK},
	{"pthread_rwlock_timedrdlock", RAW_WAIT_LOCK},
	{"pthread_rwlock_timedwrlock", RAW_WAIT_LOCK},
	{"mtx_lock", RAW_WAIT_LOCK},
	{"lll_lock_wait", RAW_WAIT_LOCK},
	{"lll_lock_wait_private", RAW_WAIT_LOCK},
	{"pthread_cond_wait", RAW_WAIT_CONDITION},
	{"pthread_cond_timedwait", RAW_WAIT_CONDITION},
	{"pthread_cond_clockwait", RAW_WAIT_CONDITION},
	{"cnd_wait", RAW_WAIT_CONDITION},
	{"sem_wait", RAW_WAIT_SEMAPHORE},
	{"new_sem_wait", RAW_WAIT_SEMAPHORE},
	{"new_sem_wait_slow", RAW_WAIT_SEMAPHORE},
	{"sem_timedwait", RAW_WAIT_SEMAPHORE},
	{"sem_clockwait", RAW_WAIT_SEMAPHORE},
	{"semop", RAW_WAIT_SEMAPHORE},
	{"semtimedop", RAW_WAIT_SEMAPHORE},
	{"pthread_barrier_wait", RAW_WAIT_BARRIER},
	{"pthread_join", RAW_WAIT_JOIN},
	{"pthread_timedjoin_np", RAW_WAIT_JOIN},
	{"pthread_clockjoin_np", RAW_WAIT_JOIN},
	{"pthread_clockjoin_ex", RAW_WAIT_JOIN},
	{"thrd_join", RAW_WAIT_JOIN},
	{"wait", RAW_WAIT_JOIN},
	{"wait4", RAW_WAIT_JOIN},
	{"waitpid", RAW_WAIT_JOIN},
	{"waitid", RAW_WAIT_JOIN},
	{"sleep", RAW_WAIT_SLEEP},
	{"usleep", RAW_WAIT_SLEEP},
	{"nanosleep", RAW_WAIT_SLEEP},
	{"clock_nanosleep", RAW_WAIT_SLEEP},
	{"thrd_sleep", RAW_WAIT_SLEEP},
	{"pause", RAW_WAIT_SLEEP},
	{"sigsuspend", RAW_WAIT_SLEEP},
	{"epoll_wait", RAW_WAIT_IO},
	{"epoll_pwait", RAW_WAIT_IO},
	{"epoll_pwait2", RAW_WAIT_IO},
	{"poll", RAW_WAIT_IO},
	{"ppoll", RAW_WAIT_IO},
	{"select", RAW_WAIT_IO},
	{"pselect", RAW_WAIT_IO},
	{"accept", RAW_WAIT_IO},
	{"accept4", RAW_WAIT_IO},
	{"connect", RAW_WAIT_IO},
	{"read", RAW_WAIT_IO},
	{"readv", RAW_WAIT_IO},
	{"pread", RAW_WAIT_IO},
	{"libc_pread", RAW_WAIT_IO},
	{"write", RAW_WAIT_IO},
	{"writev", RAW_WAIT_IO},
	{"pwrite", RAW_WAIT_IO},
	{"fsync", RAW_WAIT_IO},
	{"fdatasync", RAW_WAIT_IO},
	{"sync_file_range", RAW_WAIT_IO},
	{"recv", RAW_WAIT_IO},
	{"recvfrom", RAW_WAIT_IO},
	{"recvmsg", RAW_WAIT_IO},
	{"send", RAW_WAIT_IO},
	{"sendto", RAW_WAIT_IO},
	{"sendmsg", RAW_WAIT_IO},
};

static const struct symbols_elf *symbols_of(struct stacks *s, uint32_t module)
{
	const struct module *m = module ? files_module(module - 1) : NULL;
	void **place = map_at(&s->symbols, module);
	if (!m)
		return NULL;
	if (!*place) {
		struct symbols_elf *elf = memory_zeroed(1, sizeof *elf);
		if (!symbols_elf_open(elf, files_path(module - 1), files_build_id(module - 1)))
			memset(elf, 0, sizeof *elf);
		*place = elf;
	}
	const struct symbols_elf *elf = *place;
	return elf->elf ? elf : NULL;
}

static uint8_t find_kind(struct stacks *s, uint64_t place)
{
	const struct symbols_elf *elf = symbols_of(s, (uint32_t)(place >> RAW_PLACE_SHIFT));
	const struct symbols_name *name = elf ? symbols_elf_name(elf, place & ((UINT64_C(1) << RAW_PLACE_SHIFT) - 1)) : NULL;
	if (!name)
		return KIND_NONE;
	const char *text = name->linkage + strspn(name->linkage, "_");
	text += strncmp(text, "GI_", 3) == 0 ? 3 : 0;
	text += strspn(text, "_");
	size_t length = strcspn(text, "@."), shorter = length > 2 && strncmp(text + length - 2, "64", 2) == 0 ? length - 2 : length;
	for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
		size_t own = strlen(waits[i].name);
		if ((own == length || own == shorter) && strncmp(waits[i].name, text, own) == 0)
			return waits[i].kind;
	}
	return KIND_NONE;
}

static uint8_t kind_at(struct stacks *s, uint64_t place)
{
	void **known = map_at(&s->kinds, place);
	if (!*known)
		*known = (void *)((uintptr_t)find_kind(s, place) + 1);
	return (uint8_t)((uintptr_t)*known - 1);
}

/* A thread that is in no system call waits for a page, or for the kernel itself. */
static bool is_in_call(const struct look_record *r)
{
	unsigned char before[2];
	return memory_copy(r->registers[DWARF_RA] - sizeof before, before, sizeof before) && arch_is_system_call(before);
}

static uint32_t wait_known(struct stacks *s, const struct look_record *record, uint32_t known, uint32_t *why)
{
	walk(s, record, known);
	if (!record->has_registers || !is_in_call(record)) {
		*why = ACCOUNT_BLOCKED;
		return insert(s, 0);
	}
	for (size_t i = 0; i < s->count && i < FRAMES_OF_A_WAIT; i++) {
		uint64_t place = s->places[i] - (i > 0); /* in the call, not behind it */
		uint8_t kind = is_runtime(s->places[i]) ? RAW_WAIT_BARRIER : kind_at(s, place);
		if (kind == KIND_NONE)
			continue;
		*why = kind;
		s->places[i] = place;
		return insert(s, i);
	}
	*why = RAW_WAIT_IO;
	return insert(s, 0);
}

uint32_t stacks_wait(struct stacks *s, const struct look_record *record, uint32_t *why)
{
	return wait_known(s, record, ALL_KNOWN, why);
}

uint32_t stacks_wait_of(struct stacks *s, const struct look_record *record, uint32_t *why)
{
	return wait_known(s, record, 1u << DWARF_SP | 1u << DWARF_RA, why);
}

/* ---- from open to close ---- */

void stacks_open(struct stacks *s)
{
	*s = (struct stacks){0};
	s->tree = memory_zeroed(1, sizeof *s->tree);
	lcct_start(s->tree, &port, s);
	s->cache = mem_or_die(aligned_alloc(ARCH_CACHE_LINE_BYTES, UNWIND_CACHE_BYTES));
	memset(s->cache, 0, UNWIND_CACHE_BYTES);
	s->places = memory_zeroed(STACKS_FRAMES, sizeof *s->places);
	s->path = memory_zeroed(STACKS_FRAMES, sizeof *s->path);
}

void stacks_close(struct stacks *s)
{
	for (size_t i = 0; i < s->row_count; i++) {
		free(s->rows[i]->rows);
		free(s->rows[i]);
	}
	for (size_t i = 0; i < s->block_count; i++)
		free(s->blocks[i]);
	for (size_t i = 0; i < s->symbols.room; i++) {
		struct symbols_elf *elf = s->symbols.at[i].value;
		if (elf && elf->elf)
			symbols_elf_close(elf);
		free(elf);
	}
	map_free(&s->symbols);
	map_free(&s->kinds);
	free(s->rows);
	free(s->blocks);
	free(s->cache);
	free(s->places);
	free(s->path);
	free(s->tree);
	*s = (struct stacks){0};
}
