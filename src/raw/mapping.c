/* SPDX-License-Identifier: MIT */
/* mapping.c: a file that grows by mapping more of itself.
 *
 * Problem: what was stored must survive kill -9 and never move, and growing must never hurt the subject: a full disk is an
 * error code and not SIGBUS, a file size limit is not SIGXFSZ, and the subject may have closed every descriptor or changed
 * its root by then.
 * Idea: map the file piece by piece where nothing else is (addresses.c), each piece allocated on disk before it is
 * mapped. The descriptor sits at a high number and is checked by device and inode before each use; if
 * the descriptor is gone, the file is opened again by its path; if the path is gone too, the loss is counted.
 *
 * System calls go straight to the kernel: the C library's wrappers are interposed in this process. */
#include "raw/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "arch/arch.h"
#include "core/decimal.h"
#include "raw/addresses.h"
#include "raw/kernel.h"
#include "raw/writer.h"

enum { FIRST_BYTES = 256 << 10, STEP_MAX = 16 << 20, DESCRIPTOR_FROM = 700, RETRY_EVERY = 256, NAME_BYTES = 32 };
#define MOST_BYTES (UINT64_C(64) << 30)

static struct {
	struct raw_file *map; /* NULL: none */
	bool scattered;       /* see raw_scatter */
	size_t mapped;
	int descriptor;
	dev_t device;
	ino_t inode;
	atomic_uint refused; /* requests since the file could not grow */
	char path[4096];
} file = {.descriptor = -1};

static bool is_ours(int descriptor)
{
	struct stat s;
	return descriptor >= 0 && kernel_stat_of(descriptor, &s) && s.st_dev == file.device && s.st_ino == file.inode;
}

/* The descriptor, opened again if the subject closed it; -1 if the file cannot be reached any more. */
static int descriptor(void)
{
	if (is_ours(file.descriptor))
		return file.descriptor;
	int d = (int)kernel_call(SYS_openat, AT_FDCWD, file.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
	if (d >= 0 && !is_ours(d)) {
		kernel_call(SYS_close, d);
		d = -1;
	}
	file.descriptor = d;
	return d;
}

/* Blocks on disk for [from, from + bytes), or an error; never a signal. */
static int allocate(int d, uint64_t from, uint64_t bytes)
{
	if (from + bytes > kernel_limit(RLIMIT_FSIZE))
		return -1;
	long failed = kernel_call(SYS_fallocate, d, 0, from, bytes);
	if (failed != -EOPNOTSUPP && failed != -EINTR) /* a signal storm may interrupt it again and again */
		return failed ? -1 : 0;
	static const char zeros[4096];
	for (uint64_t at = from; at < from + bytes; at += sizeof zeros)
		if (kernel_call(SYS_pwrite64, d, zeros, sizeof zeros, at) != (long)sizeof zeros)
			return -1;
	return 0;
}

/* The kernel would read a hundred kilobytes around each page that is met, and clear them. */
static void advise(uint64_t from, uint64_t bytes)
{
	if (file.scattered)
		kernel_advise((char *)file.map + from, bytes, MADV_RANDOM);
}

static int grow(uint64_t want)
{
	uint64_t have = file.map->file_bytes, more = have < FIRST_BYTES ? FIRST_BYTES : have < STEP_MAX ? have : STEP_MAX;
	while (have + more < want)
		more += STEP_MAX;
	int d = descriptor();
	if (d < 0 || have + more > MOST_BYTES || allocate(d, have, more) < 0)
		return -1;
	if (!addresses_extend(file.map, have, have + more, MAP_SHARED, d))
		return -1;
	advise(have, more);
	file.mapped = have + more;
	file.map->file_bytes = have + more;
	return 0;
}

/* /PROCESS-NUMBER.raw */
static void write_name(char *to, unsigned number)
{
	*to++ = '/';
	to = decimal_write(to, kernel_pid());
	*to++ = '-';
	to = decimal_write(to, number);
	strcpy(to, ".raw");
}

static int create(const char *folder)
{
	size_t length = strlen(folder);
	if (length + NAME_BYTES > sizeof file.path)
		return -1;
	memcpy(file.path, folder, length);
	for (unsigned n = 0; n < 10000; n++) {
		write_name(file.path + length, n);
		int d = (int)kernel_call(SYS_openat, AT_FDCWD, file.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (d >= 0)
			return kernel_move_up(d, DESCRIPTOR_FROM, 0, 0);
		if (d != -EEXIST)
			return -1;
	}
	return -1;
}

static int map_first(int d)
{
	struct stat s;
	if (!kernel_stat_of(d, &s) || allocate(d, 0, FIRST_BYTES) < 0)
		return -1;
	void *at = addresses_begin(MOST_BYTES, FIRST_BYTES, MAP_SHARED, d);
	if (!at)
		return -1;
	file.device = s.st_dev;
	file.inode = s.st_ino;
	file.descriptor = d;
	file.mapped = FIRST_BYTES;
	file.map = at;
	return 0;
}

struct raw_file *mapping_open(const char *folder)
{
	int d = create(folder);
	if (d >= 0 && map_first(d) < 0) {
		kernel_call(SYS_close, d);
		kernel_call(SYS_unlinkat, AT_FDCWD, file.path, 0);
		return NULL;
	}
	if (d < 0)
		return NULL;
	file.map->file_bytes = FIRST_BYTES;
	return file.map;
}

/* ---- fork ---- */

/* A file that holds what the parent's does, in its place in memory. */
static int back_with_file(const char *folder, uint64_t used)
{
	uint64_t bytes = file.mapped, done = 0;
	int d = create(folder);
	struct stat s;
	if (d < 0)
		return -1;
	if (kernel_stat_of(d, &s) && allocate(d, 0, bytes) == 0) {
		long wrote;
		while (done < used && (wrote = kernel_call(SYS_pwrite64, d, (char *)file.map + done, used - done, (off_t)done)) > 0)
			done += (uint64_t)wrote;
	}
	if (done < used || !kernel_map(file.map, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, d, 0)) {
		kernel_call(SYS_unlinkat, AT_FDCWD, file.path, 0);
		kernel_call(SYS_close, d);
		return -1;
	}
	advise(0, bytes);
	file.device = s.st_dev;
	file.inode = s.st_ino;
	file.descriptor = d;
	return 0;
}

/* The parent's file, mapped privately. Each page is written at once: a page that the child has not written would change under
 * its hands with the parent's. */
static bool back_with_parents_file(uint64_t used, int parents)
{
	if (parents < 0 || !kernel_map(file.map, file.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, parents, 0))
		return false;
	for (uint64_t at = 0; at < used; at += ARCH_PAGE_BYTES) {
		volatile char *page = (char *)file.map + at;
		*page = *page;
	}
	return true;
}

/* Replaces the mapping by private memory, so that the child's writes do not reach the parent's file. */
static bool back_with_memory(uint64_t used, int parents)
{
	uint64_t bytes = file.mapped;
	char *copy = kernel_map(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copy) {
		memcpy(copy, file.map, used);
		long at = kernel_call(SYS_mremap, copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, file.map);
		if (at == (long)file.map)
			return true;
		kernel_unmap(copy, bytes);
	}
	return back_with_parents_file(used, parents);
}

enum mapping_fork mapping_fork(const char *folder)
{
	int parents = is_ours(file.descriptor) ? file.descriptor : -1;
	enum mapping_fork how = MAPPING_IN_FILE;
	file.descriptor = -1;
	uint64_t used = file.map->used_bytes < file.mapped ? file.map->used_bytes : file.mapped;
	if (back_with_file(folder, used) < 0) {
		/* The child has no recording that could say so: its parent's does. */
		__atomic_fetch_add(&file.map->lost[RAW_LOST_NO_SPACE], 1, __ATOMIC_RELAXED);
		how = back_with_memory(used, parents) ? MAPPING_IN_MEMORY : MAPPING_SHARED;
	}
	if (parents >= 0)
		kernel_call(SYS_close, parents);
	if (how == MAPPING_SHARED)
		return how;
	file.map->used_bytes = used;
	file.map->file_bytes = file.mapped;
	return how;
}

/* ---- how much of it ---- */

void raw_scatter(void)
{
	file.scattered = true;
	if (file.map)
		advise(0, file.mapped);
}

void raw_gather(struct raw_table *table)
{
	uintptr_t from = ((uintptr_t)raw_rows(table) + ARCH_PAGE_BYTES - 1) & -(uintptr_t)ARCH_PAGE_BYTES;
	uintptr_t end = ((uintptr_t)raw_rows(table) + (uintptr_t)table->row_bytes * table->capacity) & -(uintptr_t)ARCH_PAGE_BYTES;
	if (from < end)
		kernel_advise((void *)from, end - from, MADV_NORMAL);
}

/* A disk that was full is asked again now and then. */
static bool may_grow(void)
{
	unsigned refused = atomic_load_explicit(&file.refused, memory_order_relaxed);
	if (refused)
		atomic_store_explicit(&file.refused, refused + 1, memory_order_relaxed);
	return refused % RETRY_EVERY == 0;
}

bool mapping_reaches(uint64_t end)
{
	if (end <= file.map->file_bytes)
		return true;
	if (!may_grow())
		return false;
	atomic_store_explicit(&file.refused, grow(end) < 0 ? 1 : 0, memory_order_relaxed);
	return end <= file.map->file_bytes;
}

void mapping_trim(void)
{
	uint64_t used = (file.map->used_bytes + ARCH_PAGE_BYTES - 1) & -(uint64_t)ARCH_PAGE_BYTES;
	int d = descriptor();
	if (d < 0 || used >= file.map->file_bytes || kernel_call(SYS_ftruncate, d, (off_t)used) != 0)
		return;
	kernel_unmap((char *)file.map + used, file.mapped - used); /* or it could not grow into these addresses again */
	file.mapped = file.map->file_bytes = used;
}

bool raw_owns_descriptor(int d)
{
	return d >= 0 && d == file.descriptor && is_ours(d);
}
