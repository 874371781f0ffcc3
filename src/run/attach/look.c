/* SPDX-License-Identifier: MIT */
#include "run/attach/look.h"

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "base/memory.h"

/* An ordinary user has memory for 128 pages per core (perf_event_mlock_kb). A ring has room for the samples of some 50 ms. */
enum { MOST_PAGES = 1024, LEAST_PAGES = 16, SAMPLES_PER_RING = 64, MOST_STACK = 32 << 10, RECORD_BYTES = 1 << 16 };
enum { WAITS_PER_SECOND = 4000, LEAST_WAITS = 100, MOST_WAIT_STACK = 8 << 10, LOOKS = 8 };

/* What an event of ours is; 0 is none. */
enum { EVENT_CLOCK = 1, EVENT_WAIT };
#define SAMPLE_TYPE \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

struct event {
	uint32_t tid, what;
};

static void *as_value(struct event e)
{
	return (void *)((uintptr_t)e.tid << 2 | e.what);
}

static struct event event_of(const struct look *l, uint64_t id)
{
	uintptr_t value = (uintptr_t)map_find(&l->events, id);
	return (struct event){(uint32_t)(value >> 2), (uint32_t)(value & 3)};
}

/* ---- opening ---- */

static struct perf_event_attr attr_of(const struct look *l, unsigned what, size_t threads)
{
	size_t waits = WAITS_PER_SECOND / (threads ? threads : 1);
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.sample_type = SAMPLE_TYPE,
		.sample_regs_user = ARCH_SAMPLE_REGISTERS,
		.sample_stack_user = l->stack_bytes,
		.sample_id_all = 1,
		.inherit = 1,
		.inherit_thread = l->inherits_apart,
		.exclude_kernel = !l->sees_kernel,
		.exclude_hv = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = (uint32_t)(l->rings.bytes / 4),
	};
	if (what == EVENT_CLOCK) {
		attr.config = PERF_COUNT_SW_CPU_CLOCK;
		attr.sample_period = l->period_ns;
		attr.context_switch = attr.mmap = attr.comm = attr.task = 1;
	} else {
		attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
		attr.freq = 1;
		attr.sample_freq = waits < LEAST_WAITS ? LEAST_WAITS : waits;
		attr.sample_stack_user = l->stack_bytes < MOST_WAIT_STACK ? l->stack_bytes : MOST_WAIT_STACK;
	}
	return attr;
}

static int event_open(const struct perf_event_attr *attr, uint32_t tid, int core)
{
	return (int)syscall(SYS_perf_event_open, attr, (pid_t)tid, core, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool keep(struct look *l, int fd, uint32_t tid, unsigned what)
{
	uint64_t id;
	if (ioctl(fd, PERF_EVENT_IOC_ID, &id) < 0) {
		close(fd);
		return false;
	}
	*map_at(&l->events, id) = as_value((struct event){tid, what});
	return true;
}

/* The first thread's clock has the ring of a core, and all other events of that core write there, too. */
static bool add_event(struct look *l, uint32_t tid, unsigned what, int fd, size_t ring)
{
	if (!keep(l, fd, tid, what))
		return false;
	if (ring == l->rings.count)
		return rings_add(&l->rings, fd);
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, l->rings.at[ring].fd) < 0) {
		close(fd);
		return false;
	}
	MEMORY_GROW(l->fds, l->fd_count, l->fd_room);
	l->fds[l->fd_count++] = fd;
	return true;
}

/* 0, or an error number. Cores that are switched off have no events. */
static int open_thread(struct look *l, uint32_t tid, size_t threads)
{
	size_t ring = 0;
	for (int core = 0; core < sysconf(_SC_NPROCESSORS_CONF); core++) {
		struct perf_event_attr clock = attr_of(l, EVENT_CLOCK, threads), waits = attr_of(l, EVENT_WAIT, threads);
		int fd = event_open(&clock, tid, core);
		if (fd < 0 && errno == ENODEV)
			continue;
		if (fd < 0)
			return errno;
		if (!add_event(l, tid, EVENT_CLOCK, fd, ring))
			return ENOMEM;
		int more = l->sees_kernel ? event_open(&waits, tid, core) : -1;
		if (more < 0 && l->sees_kernel)
			return errno;
		if (more >= 0 && !add_event(l, tid, EVENT_WAIT, more, ring))
			return ENOMEM;
		ring++;
	}
	*map_at(&l->threads, tid) = (void *)(uintptr_t)tid;
	return 0;
}

/* How many threads had no events before, and how many there are; -1: the process is gone. */
static int open_new_threads(struct look *l, size_t *threads, int *error)
{
	char path[64];
	int found = 0;
	size_t count = 0;
	snprintf(path, sizeof path, "/proc/%ld/task", (long)l->pid);
	DIR *list = opendir(path);
	if (!list)
		return -1;
	for (struct dirent *entry; (entry = readdir(list));) {
		uint32_t tid = (uint32_t)strtoul(entry->d_name, NULL, 10);
		count += tid != 0;
		if (!tid || map_find(&l->threads, tid))
			continue;
		int code = open_thread(l, tid, *threads);
		found += code == 0;
		if (code && code != ESRCH)
			*error = code;
	}
	closedir(list);
	*threads = count;
	return found;
}

static void drop_all(struct look *l)
{
	rings_close(&l->rings);
	for (size_t i = 0; i < l->fd_count; i++)
		close(l->fds[i]);
	free(l->fds);
	map_free(&l->events);
	map_free(&l->threads);
	l->fds = NULL;
	l->fd_count = l->fd_room = 0;
}

static void raise_limit(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int try_all(struct look *l, size_t pages)
{
	size_t threads = 0;
	int error = 0;
	l->rings.bytes = pages * (size_t)sysconf(_SC_PAGESIZE);
	l->stack_bytes = (uint32_t)(l->rings.bytes / SAMPLES_PER_RING) & ~7u;
	l->stack_bytes = l->stack_bytes > MOST_STACK ? MOST_STACK : l->stack_bytes;
	for (int i = 0, found = 1; i < LOOKS && found > 0 && !error; i++)
		found = open_new_threads(l, &threads, &error);
	if (!error && !l->rings.count)
		error = ESRCH;
	if (error)
		drop_all(l);
	return error;
}

/* From the best on: what only the administrator may have comes first. */
static int try_ways(struct look *l)
{
	int error = 0;
	for (size_t pages = MOST_PAGES; pages >= LEAST_PAGES; pages /= 2)
		for (unsigned way = 0; way < 4; way++) {
			l->sees_kernel = way < 2;
			l->inherits_apart = way % 2 == 0; /* since Linux 5.13 */
			error = try_all(l, pages);
			if (!error || error == ESRCH || error == EMFILE)
				return error;
			if (error == EPERM && pages < MOST_PAGES) /* also said of memory, which smaller rings need less of */
				continue;
		}
	return error;
}

static int paranoid(void)
{
	int level = -1;
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	if (file && fscanf(file, "%d", &level) != 1)
		level = -1;
	if (file)
		fclose(file);
	return level;
}

static int refuse(const struct look *l, int error, struct fail *why)
{
	long pid = (long)l->pid;
	if (error == ESRCH)
		return fail_set(why, FAIL_NOT_FOUND, "there is no process %ld", pid);
	if (error == EMFILE)
		return fail_set(
			why, FAIL_CANNOT_RUN,
			"cannot look at process %ld: its threads need more open files than the limit allows; raise it with `ulimit -n`",
			pid);
	if (error == EACCES || error == EPERM)
		return fail_set(why, FAIL_CANNOT_RUN,
		                "cannot look at process %ld: the system does not allow it (kernel.perf_event_paranoid is %d); run skein as "
		                "root, or as the user of the process with kernel.perf_event_paranoid at most 2",
		                pid, paranoid());
	return fail_set(why, FAIL_CANNOT_RUN, "cannot look at process %ld: the kernel has no events for it: %s", pid, strerror(error));
}

int look_open(struct look *l, pid_t pid, uint64_t period_ns, struct fail *why)
{
	char path[64];
	*l = (struct look){.pid = pid, .period_ns = period_ns};
	snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
	raise_limit();
	int error = access(path, F_OK) == 0 ? try_ways(l) : ESRCH;
	if (error)
		return refuse(l, error, why);
	l->record = memory_zeroed(1, RECORD_BYTES);
	return 0;
}

void look_close(struct look *l)
{
	drop_all(l);
	free(l->record);
	*l = (struct look){0};
}

/* ---- reading ---- */

void look_wait(struct look *l, int fd, int ms)
{
	size_t count = l->rings.count;
	struct pollfd *polls = memory_zeroed(count + 1, sizeof *polls);
	for (size_t i = 0; i < count; i++)
		polls[i] = (struct pollfd){.fd = l->rings.at[i].fd, .events = POLLIN};
	polls[count] = (struct pollfd){.fd = fd, .events = POLLIN};
	poll(polls, count, 0);
	for (size_t i = 0; i < count; i++) /* the ring of a thread that has ended would wake us all the time */
		if (polls[i].revents & (POLLHUP | POLLERR))
			polls[i].fd = -1;
	poll(polls, count + 1, ms);
	free(polls);
}

/* Words of a record, one after another; behind the end all are 0. */
struct words {
	const unsigned char *at, *end;
};

static uint64_t take_word(struct words *w)
{
	uint64_t word = 0;
	if (w->end - w->at < (ptrdiff_t)sizeof word) {
		w->at = w->end;
		return 0;
	}
	memcpy(&word, w->at, sizeof word);
	w->at += sizeof word;
	return word;
}

static void take_ids(struct words *w, struct look_record *r)
{
	uint64_t ids = take_word(w);
	r->process = (uint32_t)ids;
	r->tid = (uint32_t)(ids >> 32);
}

static void read_stack(struct words *w, struct look_record *r)
{
	static const uint8_t order[] = ARCH_SAMPLE_ORDER;
	r->has_registers = take_word(w) == ARCH_SAMPLE_ABI;
	for (size_t i = 0; r->has_registers && i < sizeof order; i++)
		r->registers[order[i]] = take_word(w);
	uint64_t room = r->has_registers ? take_word(w) : 0;
	if (room > (uint64_t)(w->end - w->at))
		return;
	r->stack = w->at;
	w->at += room;
	uint64_t used = room ? take_word(w) : 0;
	r->stack_bytes = used < room ? used : room;
}

/* What all records that are no samples end with: thread, time, core, event. */
enum { TRAILER_BYTES = 32 };

static bool read_trailer(struct words *w, struct look_record *r, uint64_t *id)
{
	struct words t = {w->end - TRAILER_BYTES, w->end};
	if (w->end - w->at < TRAILER_BYTES)
		return false;
	take_ids(&t, r);
	r->time = take_word(&t);
	r->core = (uint32_t)take_word(&t);
	*id = take_word(&t);
	w->end -= TRAILER_BYTES;
	return true;
}

static bool read_sample(const struct look *l, struct words *w, struct look_record *r, uint64_t *id)
{
	*id = take_word(w);
	take_ids(w, r);
	r->time = take_word(w);
	r->core = (uint32_t)take_word(w);
	read_stack(w, r);
	r->kind = event_of(l, *id).what == EVENT_WAIT ? LOOK_WAIT : LOOK_SAMPLE;
	return true;
}

/* False: nothing that is of interest. */
static bool read_other(struct look *l, const struct perf_event_header *header, struct words *w, struct look_record *r, uint64_t *id)
{
	bool is_off = header->misc & PERF_RECORD_MISC_SWITCH_OUT;
	if (header->type == PERF_RECORD_LOST) {
		take_word(w);
		l->lost += take_word(w);
		return false;
	}
	if (!read_trailer(w, r, id))
		return false;
	uint64_t processes, threads;
	switch (header->type) {
	case PERF_RECORD_SWITCH:
		r->kind = !is_off ? LOOK_ON : header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? LOOK_READY : LOOK_OFF;
		return true;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		processes = take_word(w);
		threads = take_word(w);
		r->kind = header->type == PERF_RECORD_FORK ? LOOK_BEGIN : LOOK_END;
		r->tid = (uint32_t)threads;
		r->other = (uint32_t)(threads >> 32);
		return (uint32_t)processes == (uint32_t)l->pid;
	case PERF_RECORD_COMM:
		r->kind = LOOK_NAME;
		r->tid = (uint32_t)(take_word(w) >> 32);
		r->name = (const char *)w->at;
		return memchr(w->at, 0, (size_t)(w->end - w->at)) != NULL;
	case PERF_RECORD_MMAP: r->kind = LOOK_MAPPED; return true;
	default: return false;
	}
}

/* Records of a thread come from the events that were opened for it, or else from those of one other thread. */
static bool is_from_its_own(struct look *l, const struct look_record *r, uint64_t id)
{
	uint32_t from = event_of(l, id).tid;
	if (!from || r->process != (uint32_t)l->pid)
		return false;
	void **own = map_at(&l->threads, r->tid);
	if (!*own)
		*own = (void *)(uintptr_t)from;
	return *own == (void *)(uintptr_t)from;
}

static bool is_of_thread(enum look_kind kind)
{
	return kind != LOOK_BEGIN && kind != LOOK_END && kind != LOOK_NAME && kind != LOOK_MAPPED;
}

static void take_record(struct look *l, void (*take)(void *context, const struct look_record *record), void *context)
{
	struct perf_event_header header;
	memcpy(&header, l->record, sizeof header);
	struct words w = {l->record + sizeof header, l->record + header.size};
	struct look_record r = {0};
	uint64_t id = 0;
	bool is_read = header.type == PERF_RECORD_SAMPLE ? read_sample(l, &w, &r, &id) : read_other(l, &header, &w, &r, &id);
	if (is_read && (!is_of_thread(r.kind) || is_from_its_own(l, &r, id)))
		take(context, &r);
	if (is_read && r.kind == LOOK_END)
		map_drop(&l->threads, r.tid); /* the kernel may give the number to another thread */
}

void look_drain(struct look *l, void (*take)(void *context, const struct look_record *record), void *context)
{
	for (size_t i = 0; i < l->rings.count; i++) {
		uint64_t at = rings_begin(&l->rings, i), end = rings_end(&l->rings, i);
		while (rings_next(&l->rings, i, &at, end, l->record, RECORD_BYTES)) {
			take_record(l, take, context);
			rings_drop(&l->rings, i, at);
		}
		rings_drop(&l->rings, i, end);
	}
}
