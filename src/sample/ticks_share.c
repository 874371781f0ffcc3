/* SPDX-License-Identifier: MIT */
/* ticks_share.c: one clock on each core, inherited by all threads of the process.
 *
 * Problem: the kernel stops the clock of a thread when the thread leaves its core, and starts that of the next one. Each time it programs a
 * timer, which takes longer than the switch: two threads that wake each other by pipes on one core took 24 us a turn instead of 6.
 * Idea: events that threads inherited from the same thread are equal, and between two threads with equal events the kernel exchanges the
 * events instead of stopping them. An event of a core can be mapped, so no descriptor is held; an inherited one of all cores cannot.
 * The mapping is a ring in which the kernel notes which thread comes to the core and which one leaves it, and why.
 * Cost: two threads that wake each other take 9 us a turn. Each thread inherits an event per core, which takes the kernel 2 us per core.
 *
 * The clock of a core goes on from one thread to the next. A tick stands for the CPU time that its thread has used since its last one, so
 * nothing is counted twice. Periods differ between cores and between runs, lest they follow a pattern of the program.
 *
 * Kernels before 5.19 kill a process whose thread has blocked the signal of such an event; clocks of threads can be closed then. */
#include "sample/ticks_share.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include "arch/arch.h"
#include "arch/subject.h"
#include "core/decimal.h"
#include "core/hash.h"
#include "raw/kernel.h"

/* A ring that has been half filled wakes who waits for it, which takes the kernel as long as many records do: so it is not the smallest. */
enum { MOST_CORES = 64, DATA_BYTES = 4 * ARCH_PAGE_BYTES, RING_BYTES = ARCH_PAGE_BYTES + DATA_BYTES, MOST_LOOKS = 512 };

/* Of each core: a ring, then a page of each further event. What is there is mapped for good, and zeros where there is no event. */
static struct {
	_Atomic uint32_t cores; /* 0: clocks are not shared */
	unsigned char *area;
} shared;

static size_t bytes_of_core(void)
{
	return RING_BYTES + (size_t)ticks_how.event_count * ARCH_PAGE_BYTES;
}

/* A record of the ring: a switch, or a tick. Others are rare, and of other sizes. */
struct note {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t time;
};

static bool kernel_is_new(void)
{
	enum { MAJOR = 5, MINOR = 19 };
	struct utsname name = {0};
	if (kernel_call(SYS_uname, &name) != 0)
		return false;
	const char *text = name.release;
	uint64_t major = decimal_read(&text), minor = *text == '.' ? (text++, decimal_read(&text)) : 0;
	return major > MAJOR || (major == MAJOR && minor >= MINOR);
}

/* The folder of threads has a link for each. */
static bool is_alone(void)
{
	struct stat s;
	return kernel_stat("/proc/self/task", &s) && s.st_nlink == 3;
}

/* 0: there is no such core now. */
static int open_on(int core, const struct ticks_event *e, uint64_t period, unsigned number, unsigned char *at, size_t bytes)
{
	bool is_clock = number == TICKS_CLOCK_NUMBER;
	struct perf_event_attr attr = ticks_attr(e, period, number, is_clock);
	attr.inherit = attr.inherit_thread = 1;
	attr.sample_id_all = is_clock;
	attr.sample_type = is_clock ? PERF_SAMPLE_TID | PERF_SAMPLE_TIME : 0;
	int d = (int)kernel_call(SYS_perf_event_open, &attr, 0, core, -1, PERF_FLAG_FD_CLOEXEC);
	if (d < 0)
		return d == -ENODEV ? 0 : d;
	void *mapped = kernel_map(at, bytes, PROT_READ, MAP_SHARED | MAP_FIXED, d, 0);
	kernel_call(SYS_close, d);
	return mapped == (void *)at ? 1 : -ENOMEM;
}

static int open_core(int core)
{
	unsigned char *at = shared.area + (size_t)core * bytes_of_core();
	uint64_t more = hash_add(arch_tick(), (uint64_t)core) % (ticks_how.period_ns / 32 + 1),
		 period = ticks_how.period_ns - ticks_how.period_ns / 64 + more;
	int opened = open_on(core, &ticks_cpu_clock, period, TICKS_CLOCK_NUMBER, at, RING_BYTES);
	for (unsigned i = 0; opened > 0 && i < ticks_how.event_count; i++) {
		const struct ticks_event *e = &ticks_how.events[i];
		if (e->period)
			open_on(core, e, e->period, i, at + RING_BYTES + (size_t)i * ARCH_PAGE_BYTES, ARCH_PAGE_BYTES);
	}
	return opened;
}

/* The kernel says that it has no core of that number. A machine of more cores than we have room for has one. */
static uint32_t open_all(void)
{
	uint32_t core = 0;
	int opened = 0;
	while (core < MOST_CORES && (opened = open_core((int)core)) >= 0)
		core++;
	return opened == -EINVAL ? core : 0;
}

bool shared_open(void)
{
	size_t bytes = MOST_CORES * bytes_of_core();
	if (ticks_how.signal != SIGTRAP || !ticks_may_signal() || !kernel_is_new() || !is_alone())
		return false;
	if (!shared.area)
		shared.area = kernel_map(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!shared.area)
		return false;
	uint32_t cores = open_all();
	if (!cores)
		ticks_blank(shared.area, bytes);
	atomic_store(&shared.cores, cores);
	return cores;
}

void ticks_part(void)
{
	int error = errno;
	atomic_store(&shared.cores, 0);
	ticks_blank(shared.area, MOST_CORES * bytes_of_core());
	errno = error;
}

/* The rings have not come along, and the addresses may be those of something else. */
void ticks_forget_shared(void)
{
	atomic_store(&shared.cores, 0);
	shared.area = NULL;
}

bool ticks_are_shared(void)
{
	return atomic_load_explicit(&shared.cores, memory_order_relaxed);
}

static const unsigned char *ring_of(uint32_t core)
{
	return shared.area + (size_t)core * bytes_of_core();
}

static uint64_t head_of(uint32_t core)
{
	return __atomic_load_n(&((const struct perf_event_mmap_page *)(const void *)ring_of(core))->data_head, __ATOMIC_ACQUIRE);
}

/* The record that ends there; a record may begin at the end of the ring and go on at its beginning. */
static struct note note_before(uint32_t core, uint64_t end)
{
	struct note note;
	uint64_t from = (end - sizeof note) % DATA_BYTES, first = DATA_BYTES - from < sizeof note ? DATA_BYTES - from : sizeof note;
	const unsigned char *data = ring_of(core) + ARCH_PAGE_BYTES;
	memcpy(&note, data + from, first);
	memcpy((char *)&note + first, data, sizeof note - first);
	return note;
}

static bool is_known(const struct note *note)
{
	return note->header.size == sizeof *note && (note->header.type == PERF_RECORD_SWITCH || note->header.type == PERF_RECORD_SAMPLE);
}

static bool leaves(const struct note *note)
{
	return note->header.type == PERF_RECORD_SWITCH && note->header.misc & PERF_RECORD_MISC_SWITCH_OUT;
}

/* The newest record of the thread on that core after `since`, if it is newer than `best`. The kernel may write meanwhile: the oldest
 * records are not looked at. False: there may be one that was not seen. */
static bool look(uint32_t core, int tid, uint64_t since, unsigned looks, struct note *best)
{
	uint64_t head = head_of(core);
	for (unsigned i = 0; i < looks && head >= sizeof *best; i++, head -= sizeof *best) {
		struct note note = note_before(core, head);
		if (!is_known(&note))
			return false;
		if (note.time <= since)
			return true;
		if (note.tid == (uint32_t)tid) {
			*best = note.time > best->time ? note : *best;
			return true;
		}
	}
	return head < sizeof *best;
}

static enum ticks_state state_of(const struct note *note)
{
	return !leaves(note) ? TICKS_RUNNING : note->header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? TICKS_READY : TICKS_BLOCKED;
}

/* A thread that waits for long has no record in the ring any more, and to find that out takes longest: `known` is a time and what the
 * state was then. By then all cores have written what they had to. */
enum ticks_state shared_state(int tid, _Atomic uint64_t *known)
{
	enum { STATE_BITS = 2, STATE_MASK = (1 << STATE_BITS) - 1, WRITTEN_NS = 1000000 };
	uint32_t cores = atomic_load_explicit(&shared.cores, memory_order_acquire);
	uint64_t before = atomic_load_explicit(known, memory_order_relaxed), newest = 0;
	struct note best = {{0}, 0, 0, 0};
	for (uint32_t core = 0; core < cores; core++) {
		uint64_t head = head_of(core);
		struct note last = head >= sizeof last ? note_before(core, head) : best;
		if (!is_known(&last))
			continue;
		if (last.tid == (uint32_t)tid && !leaves(&last))
			return TICKS_RUNNING;
		newest = last.time > newest ? last.time : newest;
	}
	bool all = true;
	for (uint32_t core = 0; core < cores; core++)
		all &= look(core, tid, before >> STATE_BITS, MOST_LOOKS / cores, &best);
	enum ticks_state state = best.time ? state_of(&best) : all ? (enum ticks_state)(before & STATE_MASK) : TICKS_UNKNOWN;
	if (newest > WRITTEN_NS && newest - WRITTEN_NS > best.time)
		atomic_store_explicit(known, (newest - WRITTEN_NS) << STATE_BITS | state, memory_order_relaxed);
	return state;
}

/* The C library has the kernel keep the number of each thread's core in memory, as the second word of a structure. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));

static uint32_t this_core(void)
{
	const volatile uint32_t *words = &__rseq_offset ? (const volatile uint32_t *)(arch_thread() + (uintptr_t)__rseq_offset) : NULL;
	uint32_t core = words ? words[1] : UINT32_MAX;
	return core < MOST_CORES ? core : arch_core();
}

/* While the thread keeps its core, no other thread of the process comes to it or leaves it. */
uint64_t shared_switches(void)
{
	enum { CORE_SHIFT = 56 };
	uint32_t core = this_core(), cores = atomic_load_explicit(&shared.cores, memory_order_acquire);
	return core < cores ? head_of(core) | (uint64_t)core << CORE_SHIFT : UINT64_MAX;
}
