/* SPDX-License-Identifier: MIT */
#include "sample/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "arch/arch.h"
#include "raw/kernel.h"

enum { SLOTS = 1024 };

struct slot {
	_Alignas(ARCH_CACHE_LINE_BYTES) _Atomic uint32_t pid; /* 0: free */
	_Atomic uint32_t threads;
	_Atomic uint64_t date;
};

struct crew {
	_Alignas(ARCH_CACHE_LINE_BYTES) _Atomic uint32_t used; /* slots that were ever taken */
	_Atomic uint64_t quiet_until;                          /* of a time in which no thread worked, that some process has told */
	struct slot slots[SLOTS];
};

static struct crew *crew;
static struct slot nobody, *mine = &nobody;
static uint64_t fresh_ticks;

/* The file's space is allocated before it is mapped: a full disk must not be a bus error. */
static struct crew *map(const char *folder)
{
	char path[4096 + 8];
	size_t length = strlen(folder);
	if (length + sizeof "/crew" > sizeof path)
		return NULL;
	strcpy(path, folder);
	strcpy(path + length, "/crew");
	int d = (int)kernel_call(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (d < 0)
		return NULL;
	void *at = kernel_call(SYS_fallocate, d, 0, 0, sizeof *crew) == 0
		? kernel_map(NULL, sizeof *crew, PROT_READ | PROT_WRITE, MAP_SHARED, d, 0)
		: NULL;
	kernel_call(SYS_close, d);
	return at;
}

static void raise_used(uint32_t to)
{
	uint32_t now = atomic_load(&crew->used);
	while (now < to && !atomic_compare_exchange_weak(&crew->used, &now, to))
		;
}

static bool is_stale(const struct slot *slot, uint64_t now)
{
	return now - atomic_load_explicit(&slot->date, memory_order_relaxed) > fresh_ticks;
}

/* A slot of a process that is gone (killed, or another program now) is free as well. */
static void take_slot(void)
{
	uint32_t pid = kernel_pid();
	uint64_t now = arch_tick();
	for (uint32_t i = 0; i < SLOTS; i++) {
		struct slot *slot = &crew->slots[i];
		uint32_t owner = atomic_load(&slot->pid);
		bool gone = !owner || owner == pid || (is_stale(slot, now) && kernel_call(SYS_kill, owner, 0) == -ESRCH);
		if (gone && atomic_compare_exchange_strong(&slot->pid, &owner, pid)) {
			mine = slot;
			raise_used(i + 1);
			return;
		}
	}
}

void crew_join(const char *folder, uint64_t tenth_ticks)
{
	int error = errno;
	fresh_ticks = tenth_ticks;
	mine = &nobody;
	if (!crew)
		crew = map(folder);
	if (crew)
		take_slot();
	atomic_store(&mine->threads, 1);
	crew_date();
	errno = error;
}

void crew_leave(void)
{
	atomic_store(&mine->threads, 0);
	atomic_store(&mine->pid, 0);
	mine = &nobody;
}

void crew_tell(uint64_t threads)
{
	if (!threads)
		crew_date(); /* before others see that no thread works: until now one did */
	atomic_store_explicit(&mine->threads, (uint32_t)threads, memory_order_relaxed);
}

void crew_date(void)
{
	atomic_store_explicit(&mine->date, arch_tick(), memory_order_relaxed);
}

unsigned crew_others(unsigned enough)
{
	uint32_t used = crew ? atomic_load_explicit(&crew->used, memory_order_relaxed) : 0;
	uint64_t now = used > 1 ? arch_tick() : 0;
	unsigned threads = 0;
	for (uint32_t i = 0; used > 1 && i < used && i < SLOTS && threads < enough; i++) {
		const struct slot *slot = &crew->slots[i];
		if (slot != mine && atomic_load_explicit(&slot->pid, memory_order_relaxed) && !is_stale(slot, now))
			threads += atomic_load_explicit(&slot->threads, memory_order_relaxed);
	}
	return threads;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

uint64_t crew_quiet(uint64_t from, uint64_t until)
{
	uint32_t used = crew ? atomic_load_explicit(&crew->used, memory_order_relaxed) : 0;
	for (uint32_t i = 0; used > 1 && i < used && i < SLOTS; i++)
		if (&crew->slots[i] != mine)
			from = later(from, atomic_load_explicit(&crew->slots[i].date, memory_order_relaxed));
	if (used <= 1)
		return from < until ? until - from : 0;
	uint64_t told = atomic_load_explicit(&crew->quiet_until, memory_order_relaxed);
	from = later(from, told);
	if (from >= until || crew_others(1) || !atomic_compare_exchange_strong(&crew->quiet_until, &told, until))
		return 0;
	return until - from;
}
