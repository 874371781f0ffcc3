/* SPDX-License-Identifier: MIT */
/* pipes.c: a pipe is one file of the kernel with one number; a pair of sockets is two, which only the call that makes them knows. An
 * eventfd has no number at all. */
#include "trace/pipes.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include "raw/kernel.h"

enum { PAIRS = 1024, EVENTS = 4096 };

/* Of the sockets of pairs: the other one, by the number of the file. A new pair may take the place of an old one. */
static struct pair {
	_Atomic uint64_t socket, other;
} pairs[PAIRS];

static bool look(int fd, struct stat *to)
{
	return kernel_call(SYS_fstat, fd, to) == 0;
}

#define ROOM (UINT64_C(1) << 61)
#define EVENT (UINT64_C(1) << 60)

/* By descriptor: the names of eventfds; 0: none. A forked child has those of its parent. */
static _Atomic uint64_t events[EVENTS];
static _Atomic uint64_t last_event;

/* Bits 62 and 63 are set in no address of a program, and tell this from a region of OpenMP. */
static const void *name(uint64_t device, uint64_t number)
{
	uint64_t mixed = (device * UINT64_C(0x9e3779b97f4a7c15) ^ number) & ~(UINT64_C(15) << 60);
	return (const void *)(uintptr_t)(mixed | UINT64_C(3) << 62);
}

static struct pair *pair_of(uint64_t socket)
{
	return &pairs[socket * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

static void remember(uint64_t socket, uint64_t other)
{
	struct pair *p = pair_of(socket);
	atomic_store(&p->socket, 0);
	atomic_store(&p->other, other);
	atomic_store(&p->socket, socket);
}

void pipes_pair(const int ends[2])
{
	struct stat a = {0}, b = {0};
	_Static_assert(PAIRS == 1 << (64 - 54), "the hash has as many bits as there are places");
	if (!look(ends[0], &a) || !look(ends[1], &b))
		return;
	remember(a.st_ino, b.st_ino);
	remember(b.st_ino, a.st_ino);
}

/* Bytes have the name of the socket into which they are written. */
static const void *name_socket(const struct stat *file, bool writes)
{
	struct pair *p = pair_of(file->st_ino);
	uint64_t other = atomic_load(&p->other);
	if (atomic_load(&p->socket) != file->st_ino)
		return NULL;
	return name(file->st_dev, writes ? file->st_ino : other);
}

void pipes_event(int fd)
{
	uint64_t number = atomic_fetch_add(&last_event, 1) + 1;
	if (fd >= 0 && fd < EVENTS)
		atomic_store(&events[fd], (uint64_t)(uintptr_t)name((uint64_t)kernel_call(SYS_getpid), number) | EVENT);
}

bool pipes_is_event(const void *name)
{
	return (uintptr_t)name & EVENT;
}

/* The program may have closed it, and something else may have its number. */
static bool is_event(int fd)
{
	static const char kind[] = "anon_inode:[eventfd]", folder[] = "/proc/self/fd/";
	char path[sizeof folder + 10], target[sizeof kind], *end = path + sizeof path;
	*--end = 0;
	for (unsigned n = (unsigned)fd, first = 1; first || n; n /= 10, first = 0)
		*--end = (char)('0' + n % 10);
	for (size_t i = sizeof folder - 1; i--;)
		*--end = folder[i];
	return kernel_call(SYS_readlink, end, target, sizeof target) == sizeof kind - 1 && memcmp(target, kind, sizeof kind - 1) == 0;
}

static const void *name_event(int fd, const struct stat *file)
{
	uint64_t known = fd < EVENTS && !(file->st_mode & S_IFMT) ? atomic_load(&events[fd]) : 0;
	return known && is_event(fd) ? (const void *)(uintptr_t)known : NULL;
}

const void *pipes_name(int fd, bool writes)
{
	struct stat file = {0};
	if (fd < 0 || !look(fd, &file))
		return NULL;
	if (S_ISFIFO(file.st_mode))
		return name(file.st_dev, file.st_ino);
	return S_ISSOCK(file.st_mode) ? name_socket(&file, writes) : name_event(fd, &file);
}

const void *pipes_room(const void *name)
{
	return (const void *)((uintptr_t)name | ROOM);
}
