/* SPDX-License-Identifier: MIT */
#include "run/attach/attach.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include "base/memory.h"
#include "run/attach/account.h"
#include "run/attach/files.h"
#include "run/attach/look.h"
#include "run/attach/out.h"
#include "run/attach/stacks.h"

/* A record is in its ring a moment after its time. */
enum { PAUSE_MS = 50, STACK_BYTES = 32 << 10, MOST_CORES = 8192, MOST_LOOKS = 64 };
#define LATE_NS 10000000u
#define LONG_NS 20000000u

struct name {
	char text[16];
};

struct attached {
	struct attach *attach;
	struct look look;
	struct stacks stacks;
	struct account account;
	struct map names; /* by tid: struct name; of threads that have ended, too */
	struct map cut;   /* by tid: paths that are not whole */
	struct out_clocks start;
};

static uint64_t now_ns(void)
{
	return out_clocks_now().ns;
}

/* ---- what /proc tells ---- */

bool attach_program(pid_t pid, char path[PATH_MAX])
{
	char link[64];
	snprintf(link, sizeof link, "/proc/%ld/exe", (long)pid);
	ssize_t length = readlink(link, path, PATH_MAX - 1);
	path[length > 0 ? length : 0] = 0;
	return length > 0;
}

static size_t read_file(const char *path, char *text, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, text, room - 1) : 0;
	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = 0;
	return got > 0 ? (size_t)got : 0;
}

void attach_command(pid_t pid, char *text, size_t room)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%ld/cmdline", (long)pid);
	size_t length = read_file(path, text, room);
	while (length && !text[length - 1])
		length--;
	for (size_t i = 0; i < length; i++)
		text[i] = text[i] ? text[i] : ' ';
}

/* Behind the name in parentheses, which may contain anything: state, parent. */
static char state_of(pid_t pid, uint32_t tid, pid_t *parent)
{
	char path[96], text[512], state = 0;
	int of = 0;
	snprintf(path, sizeof path, "/proc/%ld/task/%u/stat", (long)pid, tid);
	read_file(path, text, sizeof text);
	const char *behind = strrchr(text, ')');
	if (behind)
		sscanf(behind + 1, " %c %d", &state, &of);
	if (parent)
		*parent = of;
	return state;
}

static void read_name(struct attached *t, uint32_t tid)
{
	char path[96], text[32];
	snprintf(path, sizeof path, "/proc/%ld/task/%u/comm", (long)t->attach->pid, tid);
	if (!read_file(path, text, sizeof text))
		return;
	text[strcspn(text, "\n")] = 0;
	void **place = map_at(&t->names, tid);
	if (!*place)
		*place = memory_zeroed(1, sizeof(struct name));
	snprintf(((struct name *)*place)->text, sizeof(struct name), "%.15s", text);
}

static uint32_t cores_of(const struct attach *a)
{
	size_t bytes = CPU_ALLOC_SIZE(MOST_CORES);
	cpu_set_t *set = memory_zeroed(1, bytes);
	uint32_t cores = sched_getaffinity(a->pid, bytes, set) == 0 ? (uint32_t)CPU_COUNT_S(bytes, set) : 0;
	free(set);
	cores = a->quota && a->quota < cores ? a->quota : cores;
	return cores ? cores : 1;
}

/* ---- threads that waited already ---- */

/* The kernel says where a thread is that waits: its stack pointer and its code address, the last of the numbers. With these and its stack
 * it can be walked, as far as the walk needs no other register. */
static bool read_waiting(pid_t pid, uint32_t tid, struct look_record *r, unsigned char *stack)
{
	char path[96], text[256];
	snprintf(path, sizeof path, "/proc/%ld/task/%u/syscall", (long)pid, tid);
	read_file(path, text, sizeof text);
	char *code = strrchr(text, ' ');
	if (!code || strncmp(text, "running", 7) == 0)
		return false;
	*code = 0;
	char *sp = strrchr(text, ' ');
	if (!sp)
		return false;
	memset(r, 0, sizeof *r);
	r->tid = tid;
	r->has_registers = true;
	r->registers[DWARF_RA] = strtoull(code + 1, NULL, 16);
	r->registers[DWARF_SP] = strtoull(sp + 1, NULL, 16);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	for (size_t bytes = STACK_BYTES; bytes >= page / 2 && !r->stack_bytes; bytes /= 2) {
		struct iovec here = {stack, bytes}, there = {(void *)r->registers[DWARF_SP], bytes};
		ssize_t got = process_vm_readv(pid, &here, 1, &there, 1, 0);
		r->stack_bytes = got > 0 ? (size_t)got : 0;
	}
	r->stack = stack;
	return r->stack_bytes > 0;
}

/* Where a thread waits: `time` is when it did already. */
static void find_wait(struct attached *t, uint32_t tid, uint64_t time, unsigned char *stack)
{
	struct look_record record;
	if (!read_waiting(t->attach->pid, tid, &record, stack))
		return;
	uint32_t why, node = stacks_wait_of(&t->stacks, &record, &why);
	account_note(&t->account, &(struct account_note){.time = time, .what = ACCOUNT_PLACE, .tid = tid, .node = node, .other = why});
}

static void find_thread(struct attached *t, uint32_t tid, unsigned char *stack)
{
	char state = state_of(t->attach->pid, tid, NULL);
	uint64_t time = t->start.ns;
	bool waits = state != 'R';
	account_thread(&t->account, tid, tid, waits ? ACCOUNT_WAITS : ACCOUNT_IS_READY, time);
	read_name(t, tid);
	if (waits)
		find_wait(t, tid, time, stack);
}

static void find_threads(struct attached *t)
{
	char path[64];
	unsigned char *stack = memory_zeroed(1, STACK_BYTES);
	snprintf(path, sizeof path, "/proc/%ld/task", (long)t->attach->pid);
	DIR *list = opendir(path);
	for (struct dirent *entry; list && (entry = readdir(list));) {
		uint32_t tid = (uint32_t)strtoul(entry->d_name, NULL, 10);
		if (tid)
			find_thread(t, tid, stack);
	}
	if (list)
		closedir(list);
	free(stack);
}

/* ---- records ---- */

static void count_cut(struct attached *t, uint32_t tid)
{
	void **place = map_at(&t->cut, tid);
	*place = (void *)((uintptr_t)*place + 1);
}

static void take(void *context, const struct look_record *r)
{
	static const enum account_what what[] = {
		[LOOK_SAMPLE] = ACCOUNT_SAMPLE, [LOOK_WAIT] = ACCOUNT_PLACE,  [LOOK_ON] = ACCOUNT_ON,  [LOOK_OFF] = ACCOUNT_OFF,
		[LOOK_READY] = ACCOUNT_READY,   [LOOK_BEGIN] = ACCOUNT_BEGIN, [LOOK_END] = ACCOUNT_END};
	struct attached *t = context;
	struct account_note note = {.time = r->time, .tid = r->tid, .core = r->core, .other = r->other};
	bool whole = true;
	if (r->kind == LOOK_MAPPED) {
		files_changed();
		return;
	}
	if (r->kind == LOOK_NAME) {
		read_name(t, r->tid);
		return;
	}
	note.what = what[r->kind];
	if (r->kind == LOOK_SAMPLE)
		note.node = stacks_node(&t->stacks, r, &whole);
	else if (r->kind == LOOK_WAIT)
		note.node = stacks_wait(&t->stacks, r, &note.other);
	else if (r->kind == LOOK_BEGIN)
		read_name(t, r->tid);
	if (!whole)
		count_cut(t, r->tid);
	account_note(&t->account, &note);
}

/* ---- until it ends ---- */

/* A descriptor that can be read when the process has ended. */
static int open_process(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

static bool is_gone(pid_t pid)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
	return access(path, F_OK) < 0 || state_of(pid, (uint32_t)pid, NULL) == 'Z';
}

static bool was_asked(void)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		sigaddset(&set, ends[i]);
	return sigtimedwait(&set, NULL, &(struct timespec){0}) > 0;
}

static bool is_long(const struct account_thread *t, uint64_t now)
{
	return t->state == ACCOUNT_WAITS && !t->has_place && now > t->since_ns + LONG_NS;
}

/* Of a thread that waits often, the kernel does not sample each wait. Long ones are looked at while they last. */
static void find_long_waits(struct attached *t, unsigned char *stack)
{
	struct account *a = &t->account;
	uint64_t now = now_ns();
	for (size_t i = 0, looks = 0; i < a->thread_count && looks < MOST_LOOKS; i++)
		if (is_long(a->threads[i], now)) {
			find_wait(t, a->threads[i]->tid, now, stack);
			looks++;
		}
}

static void follow(struct attached *t)
{
	struct attach *a = t->attach;
	int process = open_process(a->pid);
	unsigned char *stack = memory_zeroed(1, STACK_BYTES);
	uint64_t until = a->limit_ns ? t->start.ns + a->limit_ns : UINT64_MAX, before = t->start.ns, now = before;
	while (now < until && !a->has_ended && !was_asked()) {
		uint64_t left = (until - now) / 1000000 + 1;
		look_wait(&t->look, process, left < PAUSE_MS ? (int)left : PAUSE_MS);
		now = now_ns();
		look_drain(&t->look, take, t);
		account_until(&t->account, before > LATE_NS ? before - LATE_NS : 0);
		find_long_waits(t, stack);
		before = now;
		a->has_ended = is_gone(a->pid);
	}
	free(stack);
	if (process >= 0)
		close(process);
}

/* ---- from begin to end ---- */

static int write_out(struct attached *t, pid_t parent, const struct out_clocks *end, uint64_t real_ns, struct fail *why)
{
	struct account *a = &t->account;
	struct out out = {.account = a,
	                  .stacks = &t->stacks,
	                  .pid = t->attach->pid,
	                  .parent = parent,
	                  .lens = t->attach->lens,
	                  .start = t->start,
	                  .end = *end,
	                  .start_real_ns = real_ns,
	                  .names = memory_zeroed(a->thread_count + 1, sizeof *out.names)};
	for (size_t i = 0; i < a->thread_count; i++) {
		const struct name *name = map_find(&t->names, a->threads[i]->tid);
		if (name)
			memcpy(out.names[i], name->text, sizeof out.names[i]);
		a->threads[i]->paths_cut = (uintptr_t)map_find(&t->cut, a->threads[i]->tid);
	}
	int result = out_write(&out, t->attach->folder, why);
	free(out.names);
	return result;
}

static void free_all(struct attached *t)
{
	for (size_t i = 0; i < t->names.room; i++)
		free(t->names.at[i].value);
	map_free(&t->names);
	map_free(&t->cut);
	account_free(&t->account);
	stacks_close(&t->stacks);
	files_close();
}

int attach_run(struct attach *a, struct fail *why)
{
	struct attached t = {.attach = a};
	struct timespec real;
	pid_t parent;
	if (look_open(&t.look, a->pid, a->period_ns, why) < 0)
		return -1;
	clock_gettime(CLOCK_REALTIME, &real);
	t.start = out_clocks_now();
	state_of(a->pid, (uint32_t)a->pid, &parent);
	files_open(a->pid);
	stacks_open(&t.stacks);
	account_open(&t.account, cores_of(a), a->period_ns, t.start.ns);
	find_threads(&t);
	if (a->begun)
		a->begun(a->context);
	follow(&t);
	struct out_clocks end = out_clocks_now();
	look_drain(&t.look, take, &t);
	a->lost = t.look.lost;
	a->sees_kernel = t.look.sees_kernel;
	a->lasted_ns = end.ns - t.start.ns;
	look_close(&t.look);
	account_close(&t.account, end.ns);
	int result = write_out(&t, parent, &end, (uint64_t)real.tv_sec * 1000000000u + (uint64_t)real.tv_nsec, why);
	free_all(&t);
	return result;
}
