/* SPDX-License-Identifier: MIT */
/* pipes.c: a pipe is one file of the kernel with one number; a pair of sockets is two, which only the call that makes them knows. */
#include "trace/pipes.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/stat.h>
#include "raw/kernel.h"

enum { PAIRS = 1024 };

/* Of the sockets of pairs: the other one, by the number of the file. A new pair may take the place of an old one. */
static struct pair {
	_Atomic uint64_t socket, other;
} pairs[PAIRS];

static bool look(int fd, struct stat *to)
{
	return kernel_call(SYS_fstat, fd, to) == 0;
}

#define ROOM (UINT64_C(1) << 61)

/* Bits 62 and 63 are set in no address of a program, and tell this from a region of OpenMP. */
static const void *name(uint64_t device, uint64_t number)
{
	uint64_t mixed = (device * UINT64_C(0x9e3779b97f4a7c15) ^ number) & ~(UINT64_C(7) << 61);
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

const void *pipes_name(int fd, bool writes)
{
	struct stat file = {0};
	if (!look(fd, &file))
		return NULL;
	if (S_ISFIFO(file.st_mode))
		return name(file.st_dev, file.st_ino);
	return S_ISSOCK(file.st_mode) ? name_socket(&file, writes) : NULL;
}

const void *pipes_room(const void *name)
{
	return (const void *)((uintptr_t)name | ROOM);
}
