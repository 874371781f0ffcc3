/* SPDX-License-Identifier: MIT */
#include "sample/ticks.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "arch/arch.h"
#include "core/decimal.h"
#include "raw/kernel.h"
#include "sample/ticks_share.h"
#include "threads/session.h"

enum {
	RING_BYTES = 2 * ARCH_PAGE_BYTES,
	CLOCK_AT = RING_BYTES,
	EVENTS_AT = CLOCK_AT + ARCH_PAGE_BYTES,
	AREA_BYTES = EVENTS_AT + RAW_IDLE_EVENT_MAX * ARCH_PAGE_BYTES,
	NUMBER_FROM = 720
};

/* What a tick carries, and the number of its event. */
#define MARK UINT64_C(0x536b65696e000000)
enum { PERF_TRAP = 6 /* TRAP_PERF */ };

struct ticks_how ticks_how;
const struct ticks_event ticks_cpu_clock = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK};

/* What a timer's signal carries. */
static const char timer_mark;

bool ticks_may_signal(void)
{
	return filter_allows(SYS_rt_sigreturn);
}

struct perf_event_attr ticks_attr(const struct ticks_event *e, uint64_t period, unsigned number, bool notes_switches)
{
	bool traps = period && ticks_how.signal == SIGTRAP;
	return (struct perf_event_attr){
		.type = e->type,
		.size = sizeof(struct perf_event_attr),
		.config = e->config,
		.sample_period = period,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.context_switch = notes_switches,
		.sigtrap = traps,
		.remove_on_exec = traps,
		.sig_data = traps ? MARK | number : 0,
	};
}

static int perf_open(const struct ticks_event *e, uint64_t period, int tid, unsigned number, bool notes_switches)
{
	struct perf_event_attr attr = ticks_attr(e, period, number, notes_switches);
	if (period && !ticks_may_signal())
		return -1;
	return (int)kernel_call(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Gives a descriptor a high number, out of the subject's way, which its signals carry; most descriptors are closed
 * again at once. */
static int move_up(int d, unsigned which)
{
	return kernel_move_up(d, NUMBER_FROM, which, RAW_IDLE_EVENT_MAX + 1);
}

static bool signal_from(int d, int tid)
{
	struct f_owner_ex owner = {F_OWNER_TID, tid};
	if (ticks_how.signal == SIGTRAP)
		return true;
	return kernel_call(SYS_fcntl, d, F_SETOWN_EX, &owner) == 0 && kernel_call(SYS_fcntl, d, F_SETSIG, ticks_how.signal) == 0 &&
		kernel_call(SYS_fcntl, d, F_SETFL, O_ASYNC | O_NONBLOCK) == 0;
}

/* Whether the line TracerPid of /proc/self/status names a process. */
static bool is_traced(void)
{
	char text[1024];
	int d = (int)kernel_call(SYS_openat, AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC, 0);
	long got = d >= 0 ? kernel_call(SYS_read, d, text, sizeof text - 1) : 0;
	if (d >= 0)
		kernel_call(SYS_close, d);
	text[got > 0 ? got : 0] = 0;
	const char *line = strstr(text, "TracerPid:");
	return line && line[10 + strspn(line + 10, " \t")] != '0';
}

/* Valgrind runs the program's code by its own, and takes a trap in it for a fault of that. */
static bool is_under_valgrind(void)
{
	const char *preloaded = session_environment("LD_PRELOAD");
	return preloaded && strstr(preloaded, "/vgpreload_");
}

static int choose_signal(void)
{
	ticks_how.signal = SIGTRAP;
	int d = is_traced() || is_under_valgrind() ? -1 : perf_open(&ticks_cpu_clock, ticks_how.period_ns, 0, TICKS_CLOCK_NUMBER, false);
	if (d >= 0)
		kernel_call(SYS_close, d);
	return d >= 0 ? SIGTRAP : SIGURG;
}

int ticks_signal(void)
{
	return ticks_how.signal;
}

void ticks_will_be_traced(void)
{
	ticks_how.signal = SIGURG;
}

void ticks_start(uint64_t period_ns, const char *events)
{
	ticks_how.period_ns = period_ns;
	ticks_how.signal = choose_signal();
	while (*events && ticks_how.event_count < RAW_IDLE_EVENT_MAX) {
		uint64_t number[3] = {0};
		for (int i = 0; i < 3; i++, events += *events != 0)
			number[i] = decimal_read(&events);
		struct ticks_event *e = &ticks_how.events[ticks_how.event_count++];
		*e = (struct ticks_event){(uint32_t)number[0], number[1], number[2]};
		int d = perf_open(e, e->period, 0, ticks_how.event_count - 1, false);
		if (d < 0)
			e->period = 0;
		else
			kernel_call(SYS_close, d);
	}
}

uint64_t ticks_event_period(unsigned event)
{
	return event < ticks_how.event_count ? ticks_how.events[event].period : 0;
}

void ticks_blank(unsigned char *at, size_t bytes)
{
	kernel_map(at, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

static bool make_area(struct ticks *t)
{
	if (t->area)
		return true;
	t->area = kernel_map(NULL, AREA_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return t->area;
}

static bool map_page(unsigned char *at, int d)
{
	bool mapped = kernel_map(at, ARCH_PAGE_BYTES, PROT_READ, MAP_SHARED | MAP_FIXED, d, 0) == (void *)at;
	if (!mapped)
		ticks_blank(at, ARCH_PAGE_BYTES);
	return mapped;
}

/* Tried elsewhere first: where it is refused (there is a limit on locked memory), what other threads look at must not
 * be gone for a moment. */
static bool map_ring(unsigned char *at, int d)
{
	void *trial = kernel_map(NULL, RING_BYTES, PROT_READ, MAP_SHARED, d, 0);
	if (!trial)
		return false;
	bool mapped = kernel_map(at, RING_BYTES, PROT_READ, MAP_SHARED | MAP_FIXED, d, 0) == (void *)at;
	kernel_unmap(trial, RING_BYTES);
	if (!mapped)
		ticks_blank(at, RING_BYTES);
	return mapped;
}

/* Events whose name and period the user gave: each is kept alive by one page. */
static void open_events(struct ticks *t, int tid)
{
	for (unsigned i = 0; i < ticks_how.event_count; i++) {
		const struct ticks_event *e = &ticks_how.events[i];
		int d = e->period ? perf_open(e, e->period, tid, i, false) : -1;
		t->event_numbers[i] = -1;
		if (d < 0)
			continue;
		d = move_up(d, i + 1);
		if (map_page(t->area + EVENTS_AT + (size_t)i * ARCH_PAGE_BYTES, d) && signal_from(d, tid))
			t->event_numbers[i] = d;
		kernel_call(SYS_close, d);
	}
}

static bool open_timer(struct ticks *t, int tid)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
	                         .sigev_signo = ticks_how.signal,
	                         .sigev_value.sival_ptr = (void *)(uintptr_t)&timer_mark};
	event._sigev_un._tid = tid;
	if (!ticks_may_signal() || kernel_call(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &t->timer) < 0)
		return false;
	struct timespec period = kernel_timespec(ticks_how.period_ns);
	struct itimerspec both = {period, period};
	if (kernel_call(SYS_timer_settime, t->timer, 0, &both, NULL) == 0)
		return true;
	kernel_call(SYS_timer_delete, t->timer);
	return false;
}

/* A clock that traps can note switches, too: its ring sends no signals. One event costs a thread two thirds of what two cost. */
static bool open_both(struct ticks *t, uint64_t period_ns, int tid)
{
	int d = ticks_how.signal == SIGTRAP ? perf_open(&ticks_cpu_clock, period_ns, tid, TICKS_CLOCK_NUMBER, true) : -1;
	if (d < 0)
		return false;
	bool mapped = map_ring(t->area, d);
	kernel_call(SYS_close, d);
	return mapped;
}

/* Switches of any other clock are noted by a separate event, which sends no signals: a ring sends one whenever it has been half filled,
 * and the thread that fills it by leaving its core is about to block in a system call. */
static bool open_ring(struct ticks *t, int tid)
{
	static const struct ticks_event nothing = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY};
	int d = perf_open(&nothing, 0, tid, 0, true);
	if (d < 0)
		return false;
	bool mapped = map_ring(t->area, d);
	kernel_call(SYS_close, d);
	return mapped;
}

static enum ticks_mode open_clock(struct ticks *t, uint64_t period_ns, int tid)
{
	int d = perf_open(&ticks_cpu_clock, period_ns, tid, TICKS_CLOCK_NUMBER, false);
	if (d < 0)
		return TICKS_NONE;
	if (ticks_how.signal != SIGTRAP)
		d = move_up(d, 0);
	t->number = d;
	bool mapped = map_page(t->area + CLOCK_AT, d);
	bool signals = signal_from(d, tid);
	if (!mapped && signals) {
		t->descriptor = ticks_how.signal == SIGTRAP ? move_up(d, 0) : d;
		return TICKS_DESCRIPTOR;
	}
	kernel_call(SYS_close, d);
	if (!signals)
		ticks_blank(t->area + CLOCK_AT, ARCH_PAGE_BYTES);
	return signals ? TICKS_MAPPED : TICKS_NONE;
}

/* A thread that may end before the clocks of the process tick in it has one of its own until the first tick. */
static void open_shared(struct ticks *t, uint64_t first_ns)
{
	enum ticks_mode own = first_ns && make_area(t) ? open_clock(t, first_ns, t->tid) : TICKS_NONE;
	if (own == TICKS_DESCRIPTOR)
		kernel_call(SYS_close, t->descriptor);
	t->mode = TICKS_SHARED;
	t->first = own == TICKS_MAPPED;
}

void ticks_open(struct ticks *t, uint64_t first_ns)
{
	int error = errno, tid = t->tid = (int)kernel_tid();
	t->known = 0;
	if (ticks_are_shared()) {
		open_shared(t, first_ns);
		errno = error;
		return;
	}
	first_ns = first_ns ? first_ns : ticks_how.period_ns;
	if (make_area(t) && open_both(t, first_ns, tid))
		t->mode = TICKS_RING;
	else
		t->mode = t->area ? open_clock(t, first_ns, tid) : TICKS_NONE;
	t->first = t->mode != TICKS_NONE && first_ns != ticks_how.period_ns;
	if (t->mode == TICKS_MAPPED && open_ring(t, tid))
		t->mode = TICKS_RING;
	if (t->mode != TICKS_NONE)
		open_events(t, tid);
	else if (open_timer(t, tid))
		t->mode = TICKS_TIMER;
	errno = error;
}

bool ticks_open_for(struct ticks *t, int tid)
{
	int error = errno;
	t->tid = tid;
	t->known = 0;
	if (make_area(t) && open_both(t, ticks_how.period_ns, tid))
		t->mode = TICKS_RING;
	else
		t->mode = t->area ? open_clock(t, ticks_how.period_ns, tid) : TICKS_NONE;
	t->first = false;
	errno = error;
	return t->mode != TICKS_NONE;
}

/* The ring of a clock that traps goes with its clock; the new one takes its place. */
void ticks_steady(struct ticks *t)
{
	int error = errno, old = t->descriptor, tid = (int)kernel_tid();
	enum ticks_mode before = t->mode;
	bool is_one = before == TICKS_RING && ticks_how.signal == SIGTRAP;
	t->first = false;
	if (before == TICKS_SHARED) {
		ticks_blank(t->area + CLOCK_AT, ARCH_PAGE_BYTES);
		return;
	}
	if (is_one && open_both(t, ticks_how.period_ns, tid)) {
		errno = error;
		return;
	}
	enum ticks_mode now = open_clock(t, ticks_how.period_ns, tid);
	if (is_one && now != TICKS_NONE) {
		t->mode = before = now;
		ticks_blank(t->area, RING_BYTES);
	}
	if (before == TICKS_DESCRIPTOR && now != TICKS_NONE)
		kernel_call(SYS_close, old);
	if (now != TICKS_NONE)
		t->mode = now == TICKS_MAPPED && before == TICKS_RING ? TICKS_RING : now;
	errno = error;
}

void ticks_close(struct ticks *t)
{
	int error = errno;
	if (t->mode == TICKS_DESCRIPTOR)
		kernel_call(SYS_close, t->descriptor);
	if (t->mode == TICKS_TIMER)
		kernel_call(SYS_timer_delete, t->timer);
	if (t->area && (t->mode == TICKS_RING || t->mode == TICKS_MAPPED || t->first || ticks_how.event_count))
		ticks_blank(t->area, AREA_BYTES);
	t->mode = TICKS_NONE;
	t->first = false;
	errno = error;
}

bool ticks_share(struct ticks *t)
{
	int error = errno;
	bool are_shared = t->mode == TICKS_RING && shared_open();
	if (are_shared) {
		ticks_close(t);
		t->mode = TICKS_SHARED;
	}
	errno = error;
	return are_shared;
}

void ticks_forget(struct ticks *t)
{
	if (t->area)
		ticks_blank(t->area, AREA_BYTES);
	if (t->mode == TICKS_DESCRIPTOR)
		kernel_call(SYS_close, t->descriptor);
	t->mode = TICKS_NONE;
}

/* The kernel's layout; not every C library names the field. */
static uint64_t data_of(const siginfo_t *info)
{
	uint64_t data;
	memcpy(&data, (const char *)info + 24, sizeof data);
	return data;
}

static bool is_trap(const siginfo_t *info)
{
	return info->si_signo == SIGTRAP && info->si_code == PERF_TRAP && (data_of(info) & ~UINT64_C(0xff)) == MARK;
}

bool ticks_is_any(const siginfo_t *info)
{
	return is_trap(info) || (info->si_signo == SIGURG && (info->si_code == POLL_IN || info->si_code == POLL_HUP)) ||
		(info->si_code == SI_TIMER && info->si_value.sival_ptr == (const void *)&timer_mark);
}

bool ticks_is_tick(const struct ticks *t, const siginfo_t *info, uint32_t *event)
{
	*event = TICKS_CLOCK;
	if (is_trap(info)) {
		uint32_t number = (uint32_t)(data_of(info) & 0xff);
		*event = number == TICKS_CLOCK_NUMBER ? TICKS_CLOCK : number;
		return t->mode != TICKS_NONE;
	}
	if (info->si_code == SI_TIMER)
		return t->mode == TICKS_TIMER && info->si_value.sival_ptr == (const void *)&timer_mark;
	if (t->mode == TICKS_NONE || (info->si_code != POLL_IN && info->si_code != POLL_HUP))
		return false;
	if (info->si_fd == t->number)
		return true;
	for (*event = 0; *event < ticks_how.event_count; ++*event)
		if (info->si_fd == t->event_numbers[*event])
			return true;
	return false;
}

uint64_t ticks_switches(const struct ticks *t)
{
	if (t->mode == TICKS_SHARED)
		return shared_switches();
	const struct perf_event_mmap_page *page = (const void *)t->area;
	return t->mode == TICKS_RING ? __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) : UINT64_MAX;
}

/* All records in the ring are eight bytes long (switches and ticks without anything else), but for a rare one of the kernel's own
 * affairs, which then is none. */
enum ticks_state ticks_state(struct ticks *t)
{
	if (t->mode == TICKS_SHARED)
		return shared_state(t->tid, &t->known);
	if (t->mode != TICKS_RING)
		return TICKS_UNKNOWN;
	const struct perf_event_mmap_page *page = (const void *)t->area;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	struct perf_event_header last;
	if (head < sizeof last)
		return TICKS_UNKNOWN;
	memcpy(&last, t->area + ARCH_PAGE_BYTES + ((head - sizeof last) & (ARCH_PAGE_BYTES - 1)), sizeof last);
	if (last.type == PERF_RECORD_SWITCH && last.misc & PERF_RECORD_MISC_SWITCH_OUT)
		return last.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? TICKS_READY : TICKS_BLOCKED;
	return TICKS_RUNNING;
}

uint64_t ticks_cpu_ns(void)
{
	int error = errno;
	uint64_t ns = kernel_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	errno = error;
	return ns;
}
