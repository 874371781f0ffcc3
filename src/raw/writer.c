/* SPDX-License-Identifier: MIT */
/* writer.c: a file that grows by mapping more of itself.
 *
 * Problem: records must survive kill -9, never move, and growing must never hurt the subject: a full disk is an error
 * code and not SIGBUS, a file size limit is no SIGXFSZ, and the subject may have closed every descriptor or changed
 * its root by then.
 * Idea: reserve a large range of addresses once and map the file into it piece by piece, each piece allocated on disk
 * before it is mapped. The descriptor sits at a high number and is checked by device and inode before each use; if it
 * is gone the file is opened again by its path, if that is gone too the loss is counted.
 *
 * Signals are blocked while the lock is held, so that no handler can leave it locked by a jump. System calls go
 * straight to the kernel: the C library's wrappers are interposed in this process. */
#include "raw/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "arch/arch.h"
#include "raw/kernel.h"

enum { FIRST_BYTES = 256 << 10, STEP_MAX = 16 << 20, DESCRIPTOR_FROM = 700, RETRY_EVERY = 256 };
#define RESERVE_BYTES (UINT64_C(64) << 30)

static struct {
	struct raw_file *map; /* start of the reserved range, or NULL */
	bool is_open;         /* the range is backed by a file */
	bool scattered;       /* see raw_scatter */
	size_t reserved, mapped;
	int descriptor;
	dev_t device;
	ino_t inode;
	atomic_flag lock;
	atomic_uint refused; /* requests since the file could not grow */
	struct raw_file stand_in;
	char path[4096];
} raw = {.descriptor = -1, .lock = ATOMIC_FLAG_INIT};

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

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return kernel_ns(&t);
}

static bool is_ours(int descriptor)
{
	struct stat s;
	return descriptor >= 0 && fstat(descriptor, &s) == 0 && s.st_dev == raw.device && s.st_ino == raw.inode;
}

/* The descriptor, opened again if the subject closed it; -1 if the file cannot be reached any more. */
static int descriptor(void)
{
	if (is_ours(raw.descriptor))
		return raw.descriptor;
	int d = (int)syscall(SYS_openat, AT_FDCWD, raw.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
	if (d >= 0 && !is_ours(d)) {
		syscall(SYS_close, d);
		d = -1;
	}
	raw.descriptor = d;
	return d;
}

/* Blocks on disk for [from, from + bytes), or an error; never a signal. */
static int allocate(int d, uint64_t from, uint64_t bytes)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && from + bytes > limit.rlim_cur)
		return -1;
	if (syscall(SYS_fallocate, d, 0, (off_t)from, (off_t)bytes) == 0)
		return 0;
	if (errno != EOPNOTSUPP)
		return -1;
	static const char zeros[4096];
	for (uint64_t at = from; at < from + bytes; at += sizeof zeros)
		if (syscall(SYS_pwrite64, d, zeros, sizeof zeros, (off_t)at) != (long)sizeof zeros)
			return -1;
	return 0;
}

/* The kernel would read a hundred kilobytes around each page that is met, and clear them. */
static void advise(uint64_t from, uint64_t bytes)
{
	if (raw.scattered)
		madvise((char *)raw.map + from, bytes, MADV_RANDOM);
}

static int grow(uint64_t want)
{
	uint64_t have = raw.map->file_bytes, more = have < FIRST_BYTES ? FIRST_BYTES : have < STEP_MAX ? have : STEP_MAX;
	while (have + more < want)
		more += STEP_MAX;
	int d = descriptor();
	if (d < 0 || have + more > raw.reserved || allocate(d, have, more) < 0)
		return -1;
	if (mmap((char *)raw.map + have, more, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, d, (off_t)have) == MAP_FAILED)
		return -1;
	advise(have, more);
	raw.mapped = have + more;
	raw.map->file_bytes = have + more;
	return 0;
}

/* A high number keeps out of the way of subjects that expect the lowest ones. */
static int move_up(int d)
{
	struct rlimit limit;
	int from = DESCRIPTOR_FROM;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur <= (rlim_t)from)
		from = (int)limit.rlim_cur / 2;
	int high = (int)syscall(SYS_fcntl, d, F_DUPFD_CLOEXEC, from);
	if (high < 0)
		return d;
	syscall(SYS_close, d);
	return high;
}

static int create(const char *folder)
{
	for (unsigned n = 0; n < 10000; n++) {
		int length = snprintf(raw.path, sizeof raw.path, "%s/%d-%u.raw", folder, (int)getpid(), n);
		if (length >= (int)sizeof raw.path)
			return -1;
		int d = (int)syscall(SYS_openat, AT_FDCWD, raw.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (d >= 0)
			return move_up(d);
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

static void *reserve(size_t *bytes)
{
	for (*bytes = RESERVE_BYTES; *bytes >= (16u << 20); *bytes /= 4) {
		void *at = mmap(NULL, *bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (at != MAP_FAILED)
			return at;
	}
	return NULL;
}

static int map_first(int d)
{
	struct stat s;
	if (fstat(d, &s) < 0 || allocate(d, 0, FIRST_BYTES) < 0)
		return -1;
	size_t bytes;
	void *at = reserve(&bytes);
	if (!at)
		return -1;
	if (mmap(at, FIRST_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, d, 0) == MAP_FAILED) {
		munmap(at, bytes);
		return -1;
	}
	raw.device = s.st_dev;
	raw.inode = s.st_ino;
	raw.descriptor = d;
	raw.reserved = bytes;
	raw.mapped = FIRST_BYTES;
	raw.map = at;
	return 0;
}

/* Two clocks of one instant: of several tries the one that nothing came between. */
static void read_clocks(uint64_t *tsc, uint64_t *ns)
{
	uint64_t best = UINT64_MAX;
	for (int i = 0; i < 4; i++) {
		uint64_t before = arch_tick(), now = clock_ns(CLOCK_MONOTONIC), gap = arch_tick() - before;
		if (gap < best) {
			best = gap;
			*tsc = before + gap / 2;
			*ns = now;
		}
	}
}

static void begin(struct raw_file *h, uint32_t flags)
{
	h->flags = flags;
	h->pid = (uint32_t)getpid();
	h->parent_pid = (uint32_t)getppid();
	h->start_real_ns = clock_ns(CLOCK_REALTIME);
	read_clocks(&h->start_tsc, &h->start_ns);
	h->last_tsc = h->start_tsc;
	h->last_ns = h->start_ns;
}

int raw_open(const char *folder, uint32_t lens, uint32_t flags)
{
	int saved_errno = errno, d = create(folder);
	if (d >= 0 && map_first(d) < 0) {
		syscall(SYS_close, d);
		syscall(SYS_unlinkat, AT_FDCWD, raw.path, 0);
		d = -1;
	}
	errno = saved_errno;
	if (d < 0)
		return -1;
	struct raw_file *h = raw.map;
	h->version = RAW_VERSION;
	h->lens = lens;
	h->file_bytes = FIRST_BYTES;
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

/* Tables and names go on, with what they count at zero; threads and lanes were the parent's. */
static void clear(struct raw_file *h, uint32_t lane)
{
	char *at = (char *)h + RAW_HEADER_BYTES, *end = (char *)h + h->used_bytes;
	while (end - at >= (long)sizeof(struct raw_record)) {
		struct raw_record *record = (struct raw_record *)at;
		if (!record->bytes || record->bytes > (size_t)(end - at))
			break; /* the parent's latest, half of it beyond what is mapped here */
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

/* A file that holds what the parent's does, in its place in memory. */
static int back_with_file(const char *folder, uint64_t used)
{
	uint64_t bytes = raw.mapped, done = 0;
	int d = create(folder);
	struct stat s;
	if (d < 0)
		return -1;
	if (fstat(d, &s) == 0 && allocate(d, 0, bytes) == 0) {
		long wrote;
		while (done < used && (wrote = syscall(SYS_pwrite64, d, (char *)raw.map + done, used - done, (off_t)done)) > 0)
			done += (uint64_t)wrote;
	}
	if (done < used || mmap(raw.map, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, d, 0) == MAP_FAILED) {
		syscall(SYS_unlinkat, AT_FDCWD, raw.path, 0);
		syscall(SYS_close, d);
		return -1;
	}
	advise(0, bytes);
	raw.device = s.st_dev;
	raw.inode = s.st_ino;
	raw.descriptor = d;
	return 0;
}

/* Memory of the child's own, so that what it writes does not reach the parent's file. */
static void back_with_memory(uint64_t used)
{
	uint64_t bytes = raw.mapped;
	char *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copy == MAP_FAILED)
		return;
	memcpy(copy, raw.map, used);
	mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, raw.map);
}

/* Pointers into the recording are all over the child: in tables, stacks and registers. So it goes on in the same place,
 * over a file of its own. The parent's threads go on writing in theirs while it is copied: what is used and mapped is as
 * the child saw it first. */
int raw_fork(const char *folder, uint32_t flags, uint32_t lane)
{
	int saved_errno = errno, parents = raw.descriptor;
	if (!raw.is_open)
		return -1;
	atomic_flag_clear(&raw.lock);
	if (is_ours(parents))
		syscall(SYS_close, parents);
	raw.descriptor = -1;
	uint64_t used = raw.map->used_bytes < raw.mapped ? raw.map->used_bytes : raw.mapped;
	raw.is_open = back_with_file(folder, used) == 0;
	if (!raw.is_open)
		back_with_memory(used);
	raw.map->used_bytes = used;
	raw.map->file_bytes = raw.mapped;
	clear(raw.map, lane);
	begin(raw.map, flags);
	errno = saved_errno;
	return raw.is_open ? 0 : -1;
}

void raw_scatter(void)
{
	int saved_errno = errno;
	raw.scattered = true;
	if (raw.map)
		advise(0, raw.mapped);
	errno = saved_errno;
}

void raw_gather(struct raw_table *table)
{
	int saved_errno = errno;
	uintptr_t from = ((uintptr_t)raw_rows(table) + ARCH_PAGE_BYTES - 1) & -(uintptr_t)ARCH_PAGE_BYTES;
	uintptr_t end = ((uintptr_t)raw_rows(table) + (uintptr_t)table->row_bytes * table->capacity) & -(uintptr_t)ARCH_PAGE_BYTES;
	if (from < end)
		madvise((void *)from, end - from, MADV_NORMAL);
	errno = saved_errno;
}

bool raw_is_open(void)
{
	return raw.is_open;
}

struct raw_file *raw_header(void)
{
	return raw.map ? raw.map : &raw.stand_in;
}

/* A disk that was full is asked again now and then. */
static bool may_grow(void)
{
	unsigned refused = atomic_load_explicit(&raw.refused, memory_order_relaxed);
	if (refused)
		atomic_store_explicit(&raw.refused, refused + 1, memory_order_relaxed);
	return refused % RETRY_EVERY == 0;
}

static bool has_room(uint64_t at, size_t bytes)
{
	if (at + bytes <= raw.map->file_bytes)
		return true;
	if (!may_grow())
		return false;
	atomic_store_explicit(&raw.refused, grow(at + bytes) < 0 ? 1 : 0, memory_order_relaxed);
	return at + bytes <= raw.map->file_bytes;
}

void *raw_add(uint32_t type, size_t bytes)
{
	if (!raw_is_open())
		return NULL;
	int saved_errno = errno;
	sigset_t saved;
	struct raw_record *record = NULL;
	bytes = (bytes + 7) & ~(size_t)7;
	lock(&saved);
	uint64_t at = raw.map->used_bytes;
	if (has_room(at, bytes)) {
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
	errno = saved_errno;
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

bool raw_owns_descriptor(int d)
{
	return d >= 0 && d == raw.descriptor && is_ours(d);
}

void raw_refresh(void)
{
	struct raw_file *h = raw_header();
	h->cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	read_clocks(&h->last_tsc, &h->last_ns);
}

/* Gives back what was allocated and not used: a subject that forks ten thousand children leaves ten thousand files. */
static void trim(void)
{
	sigset_t saved;
	lock(&saved);
	uint64_t used = (raw.map->used_bytes + 4095) & ~UINT64_C(4095);
	int d = descriptor();
	if (d >= 0 && used < raw.map->file_bytes && syscall(SYS_ftruncate, d, (off_t)used) == 0)
		raw.mapped = raw.map->file_bytes = used;
	unlock(&saved);
}

void raw_finish(uint32_t flag)
{
	int saved_errno = errno;
	raw_refresh();
	__atomic_fetch_or(&raw_header()->flags, flag, __ATOMIC_RELAXED);
	if (raw_is_open())
		trim();
	errno = saved_errno;
}
