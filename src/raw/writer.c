/* SPDX-License-Identifier: MIT */
/* writer.c: appends records to a file that grows (mapping.c).
 *
 * Signals are blocked while the lock is held, so that no handler can leave it locked by a jump. */
#include "raw/writer.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "arch/arch.h"
#include "raw/kernel.h"
#include "raw/mapping.h"

static struct {
	struct raw_file *map; /* NULL: there never was a recording */
	bool is_open;         /* the memory belongs to a file */
	atomic_flag lock;
	struct raw_file stand_in;
} raw = {.lock = ATOMIC_FLAG_INIT};

static void lock(sigset_t *saved)
{
	kernel_block_signals(saved);
	kernel_lock(&raw.lock);
}

static void unlock(const sigset_t *saved)
{
	kernel_unlock(&raw.lock);
	kernel_restore_signals(saved);
}

/* Reads two clocks at one instant: of several tries, the least disturbed one. Both stay as they are if the kernel refuses to tell. */
static void read_clocks(uint64_t *tsc, uint64_t *ns)
{
	uint64_t best = UINT64_MAX;
	for (int i = 0; i < 4; i++) {
		uint64_t before = arch_tick(), now = kernel_clock_ns(CLOCK_MONOTONIC), gap = arch_tick() - before;
		if (now && gap < best) {
			best = gap;
			*tsc = before + gap / 2;
			*ns = now;
		}
	}
}

static void begin(struct raw_file *h, uint32_t flags)
{
	h->flags = flags;
	h->pid = kernel_pid();
	h->parent_pid = kernel_id(SYS_getppid);
	h->start_real_ns = kernel_clock_ns(CLOCK_REALTIME);
	read_clocks(&h->start_tsc, &h->start_ns);
	h->last_tsc = h->start_tsc;
	h->last_ns = h->start_ns;
}

int raw_open(const char *folder, uint32_t lens, uint32_t flags)
{
	struct raw_file *h = raw.map = mapping_open(folder);
	if (!h)
		return -1;
	h->version = RAW_VERSION;
	h->lens = lens;
	h->used_bytes = RAW_HEADER_BYTES;
	begin(h, flags);
	memcpy(h->magic, RAW_MAGIC, sizeof h->magic);
	raw.is_open = true;
	return 0;
}

/* What a fork does to a table, of which the child has a copy. */
static void restart_table(struct raw_table *table, uint32_t lane)
{
	enum raw_at_fork what = raw_at_fork(table->kind);
	char *row = raw_rows(table);
	if (what == RAW_FORK_VOIDS) {
		table->record.type = RAW_VOID;
		return;
	}
	table->lane = table->lane == lane ? 0 : table->lane == 0 ? lane : table->lane;
	if (what == RAW_FORK_EMPTIES)
		table->used = 0;
	for (uint32_t i = 0; what != RAW_FORK_KEEPS && i < table->used; i++, row += table->row_bytes)
		memset(row + what, 0, table->row_bytes - what);
}

/* Tables and names continue in the child, with counts at zero; threads and lanes were the parent's. */
static void clear(struct raw_file *h, uint32_t lane)
{
	char *at = (char *)h + RAW_HEADER_BYTES, *end = (char *)h + h->used_bytes;
	while (end - at >= (long)sizeof(struct raw_record)) {
		struct raw_record *record = (struct raw_record *)at;
		if (!record->bytes || record->bytes > (size_t)(end - at))
			break; /* the parent's newest record, half of which is not mapped here */
		if (record->type == RAW_THREAD || record->type == RAW_LANE) {
			record->type = RAW_VOID;
		} else if (record->type == RAW_TABLE) {
			restart_table((struct raw_table *)at, lane);
		}
		at += record->bytes;
	}
	h->used_bytes = (uint64_t)(at - (char *)h);
	memset(at, 0, (size_t)(end - at));
	h->threads = h->cpu_ns = h->own_cpu_ns = h->snapshots = 0;
	h->workers = 0;
	memset(h->lost, 0, sizeof h->lost);
}

int raw_fork(const char *folder, uint32_t flags, uint32_t lane)
{
	if (!raw.is_open)
		return -1;
	atomic_flag_clear(&raw.lock);
	enum mapping_fork how = mapping_fork(folder);
	raw.is_open = how == MAPPING_IN_FILE;
	if (how == MAPPING_SHARED)
		return -1;
	clear(raw.map, lane);
	begin(raw.map, flags);
	return raw.is_open ? 0 : -1;
}

bool raw_is_open(void)
{
	return raw.is_open;
}

struct raw_file *raw_header(void)
{
	return raw.map ? raw.map : &raw.stand_in;
}

void *raw_add(uint32_t type, size_t bytes)
{
	if (!raw_is_open())
		return NULL;
	sigset_t saved;
	struct raw_record *record = NULL;
	bytes = (bytes + 7) & ~(size_t)7;
	lock(&saved);
	uint64_t at = raw.map->used_bytes;
	if (mapping_reaches(at + bytes)) {
		record = (struct raw_record *)((char *)raw.map + at);
		record->bytes = (uint32_t)bytes;
		record->type = RAW_PENDING;
		atomic_thread_fence(memory_order_release);
		raw.map->used_bytes = at + bytes;
	}
	unlock(&saved);
	if (!record)
		raw_lose(RAW_LOST_NO_SPACE, 1);
	else if (type != RAW_PENDING)
		raw_done(record, type);
	return record;
}

void raw_done(struct raw_record *record, uint32_t type)
{
	atomic_thread_fence(memory_order_release);
	*(volatile uint32_t *)&record->type = type;
}

struct raw_table *raw_add_table_with(uint32_t kind, uint32_t lane, uint32_t object, uint32_t capacity, size_t own_bytes)
{
	uint32_t row_bytes = raw_row_bytes(kind);
	struct raw_table *table = raw_add(RAW_PENDING, sizeof *table + (size_t)row_bytes * capacity + own_bytes);
	if (!table)
		return NULL;
	table->kind = kind;
	table->lane = lane;
	table->object = object;
	table->row_bytes = row_bytes;
	table->capacity = capacity;
	raw_done(&table->record, RAW_TABLE);
	return table;
}

struct raw_table *raw_add_table(uint32_t kind, uint32_t lane, uint32_t object, uint32_t capacity)
{
	return raw_add_table_with(kind, lane, object, capacity, 0);
}

void raw_lose(enum raw_lost cause, uint64_t events)
{
	__atomic_fetch_add(&raw_header()->lost[cause], events, __ATOMIC_RELAXED);
}

uint64_t raw_own_begin(void)
{
	return kernel_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void raw_own_end(uint64_t begun)
{
	uint64_t now = kernel_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (now > begun)
		__atomic_fetch_add(&raw_header()->own_cpu_ns, now - begun, __ATOMIC_RELAXED);
}

void raw_refresh(void)
{
	struct raw_file *h = raw_header();
	uint64_t cpu = kernel_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	if (cpu) /* 0: the clock is refused */
		h->cpu_ns = cpu;
	read_clocks(&h->last_tsc, &h->last_ns);
}

/* Gives back what was allocated and not used: a subject that forks ten thousand children leaves ten thousand files. */
static void trim(void)
{
	sigset_t saved;
	lock(&saved);
	mapping_trim();
	unlock(&saved);
}

void raw_finish(uint32_t flag)
{
	raw_refresh();
	__atomic_fetch_or(&raw_header()->flags, flag, __ATOMIC_RELAXED);
	if (raw_is_open())
		trim();
}
