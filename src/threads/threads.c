/* SPDX-License-Identifier: MIT */
/* threads.c: the beginning and the end of threads.
 *
 * Problem: ends must be seen however a thread leaves (return, pthread_exit, cancellation), as late as possible, and
 * ten million short threads must not fill the disk.
 * Idea: each thread sets a key whose destructor sets it again until the last round, so that it ends after the
 * subject's own destructors. The first THREADS_APART threads have a record each; from then on all threads of a lane
 * share one: number, creator and start of the first, tid 0, end and name of the last, sums of CPU time and waits. */
#include "threads/threads.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include "arch/subject.h"
#include "raw/kernel.h"
#include "raw/writer.h"
#include "threads/arena.h"
#include "threads/client.h"
#include "threads/helpers.h"
#include "threads/lanes.h"

#define THREADS_APART 4096u

_Static_assert(THREADS_ENDED == PTHREAD_DESTRUCTOR_ITERATIONS, "a thread ends in the last round");

struct threads_client threads_client;

static struct {
	atomic_bool started;
	pthread_key_t key;
	_Atomic uint32_t threads; /* begun so far: the next one's number */
	atomic_uint records;
} module;

/* Written by threads without a record or lane, never read. */
static struct raw_thread unrecorded;

bool threads_started(void)
{
	return atomic_load_explicit(&module.started, memory_order_acquire);
}

static void raise_to(uint32_t *field, uint32_t value)
{
	uint32_t now = __atomic_load_n(field, __ATOMIC_RELAXED);

	while (now < value && !__atomic_compare_exchange_n(field, &now, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

static uint32_t next_number(void)
{
	uint32_t number = atomic_fetch_add(&module.threads, 1);

	__atomic_fetch_add(&raw_header()->threads, 1, __ATOMIC_RELAXED);
	return number;
}

/* A record of the thread's own while there are few, then its lane's. */
static struct raw_thread *record_for(struct lane *lane, uint32_t number, uint32_t creator)
{
	struct raw_thread *record = lane->shared;
	bool apart = atomic_load(&module.records) < THREADS_APART && atomic_fetch_add(&module.records, 1) < THREADS_APART;

	if (!apart && record)
		return record;
	record = raw_add(RAW_PENDING, sizeof *record);
	if (!record)
		return &unrecorded;
	record->number = number;
	record->lane = lane->number;
	record->creator = creator;
	record->start_tsc = arch_tick();
	record->tid = apart ? kernel_tid() : 0;
	if (!apart)
		lane->shared = record;
	raw_done(&record->record, RAW_THREAD);
	return record;
}

static void take_name(struct raw_thread *record)
{
	kernel_call(SYS_prctl, PR_GET_NAME, record->name);
}

static void settle(struct skein_self *self, struct lane *lane, uint32_t creator)
{
	self->record = record_for(lane, self->number, creator == UINT32_MAX ? self->number : creator);
	lane->cpu_before_ns = self->record->cpu_ns;
	self->record->end_tsc = 0;
	take_name(self->record);
	atomic_store(&lane->self, self);
	atomic_store(&lane->handle, arch_thread());
	atomic_store(&lane->tid, kernel_tid());
	atomic_store(&lane->thread, self->record);
	atomic_store_explicit(&lane->alive, 1, memory_order_release);
	raise_to(&raw_header()->workers, lane_count());
	self->lane = lane;
}

/* A signal handler met the thread before its start function did: what it inherits is adopted. */
static void inherit_late(struct skein_self *self, uint32_t creator, void *inherited)
{
	self->inside++;
	self->met_early = 1;
	self->inherited = inherited;
	if (self->record->number == self->number)
		self->record->creator = creator;
	if (threads_client.adopt)
		threads_client.adopt(self, inherited);
	self->inside--;
}

/* `creator` is UINT32_MAX if not known. Takes over the reference to `inherited`.
 * No handler of the subject's runs in a thread that is not wholly known yet, or about to be forgotten: what it did there
 * could not be recorded. (At its end the C library would block signals a moment later.) */
struct skein_self *threads_begin(uint32_t creator, void *inherited)
{
	struct skein_self *self = &skein_self;
	int error = errno;
	sigset_t before;

	kernel_block_signals(&before);
	if (self->lane) {
		inherit_late(self, creator, inherited);
		kernel_restore_signals(&before);
		return self;
	}
	self->inside++;
	struct lane *lane = lane_take();
	if (lane) {
		self->inherited = inherited;
		self->number = next_number();
		helpers.pthread_setspecific(module.key, self);
		settle(self, lane, creator);
		threads_set_working(lane, 1);
		if (threads_client.thread_begin)
			threads_client.thread_begin(self, inherited);
	} else {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		client_release(inherited);
	}
	self->inside--;
	kernel_restore_signals(&before);
	if (self->lane && threads_client.thread_ready)
		threads_client.thread_ready(self);
	errno = error;
	return self;
}

struct skein_self *threads_meet(void)
{
	struct skein_self *self = &skein_self;

	if (self->lane || self->inside || self->vforked || self->ended_rounds == THREADS_ENDED || !threads_started())
		return self;
	return threads_begin(UINT32_MAX, NULL);
}

static void end(struct skein_self *self)
{
	struct lane *lane = self->lane;
	struct raw_thread *record = self->record;

	kernel_block_signals(NULL);
	threads_wait_end();
	self->inside++;
	if (self->met_early && threads_client.disown)
		threads_client.disown(self, self->inherited);
	if (threads_client.thread_end)
		threads_client.thread_end(self);
	take_name(record);
	uint64_t cpu = kernel_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (cpu) /* 0: the clock is refused */
		record->cpu_ns = lane->cpu_before_ns + cpu;
	record->end_tsc = arch_tick();
	threads_set_working(lane, 0);
	atomic_store(&lane->thread, NULL);
	atomic_store(&lane->self, NULL);
	atomic_store_explicit(&lane->alive, 0, memory_order_release);
	self->lane = NULL;
	self->record = &unrecorded;
	lane_give(lane);
	client_release(self->inherited);
	self->inherited = NULL;
	arena_clear_shelves();
	self->inside--;
}

/* A cancelled thread comes here out of the wait in which it was cancelled. */
static void on_thread_exit(void *value)
{
	struct skein_self *self = value;

	threads_wait_end();
	if (++self->ended_rounds < THREADS_ENDED)
		helpers.pthread_setspecific(module.key, self);
	else if (self->lane)
		end(self);
}

void threads_refresh(void)
{
	int error = errno;

	for (unsigned i = 0; i < lane_count(); i++) {
		struct lane *lane = lane_at(i);
		struct raw_thread *record = atomic_load(&lane->thread);
		uint64_t ns = record ? kernel_clock_ns(kernel_cpu_clock(atomic_load(&lane->tid))) : 0;
		/* A thread that ended meanwhile has written its own, final figure. */
		if (ns && atomic_load(&lane->thread) == record && !record->end_tsc)
			record->cpu_ns = lane->cpu_before_ns + ns;
	}
	errno = error;
}

void threads_rename(pthread_t thread, const char *name)
{
	for (unsigned i = 0; i < lane_count(); i++) {
		struct lane *lane = lane_at(i);
		struct raw_thread *record = atomic_load(&lane->thread);
		if (record && pthread_equal(atomic_load(&lane->handle), thread))
			strncpy(record->name, name, sizeof record->name - 1);
	}
}

/* The status of the process's first thread, as waitpid has it: the last number that /proc has of it. -1: the thread has not ended. */
static int status_of_first(void)
{
	char line[1024] = "", state = 0;
	unsigned status = 0;
	int d = (int)kernel_call(SYS_openat, AT_FDCWD, "/proc/self/stat", O_RDONLY | O_CLOEXEC, 0);
	long length = d < 0 ? 0 : kernel_call(SYS_read, d, line, sizeof line);

	if (d >= 0)
		kernel_call(SYS_close, d);
	for (long i = 0; i < length; i++) {
		if (line[i] == ')' && i + 2 < length) /* names may hold one */
			state = line[i + 2];
		if (line[i] == ' ')
			status = 0;
		else if (line[i] >= '0' && line[i] <= '9')
			status = status * 10 + (unsigned)(line[i] - '0');
	}
	return state == 'Z' ? (int)(status & 0xffff) : -1;
}

/* A thread that has ended has no program any more. Told without a descriptor: the subject may expect the number that it would have. */
static bool has_first_ended(void)
{
	char byte;
	return kernel_call(SYS_readlink, "/proc/self/exe", &byte, sizeof byte) == -ENOENT;
}

/* Threads that end by the system call itself are not seen to end. A first thread stays as a zombie until the last one has ended. */
static bool have_ended_unseen(int *status)
{
	enum { FOLDERS = 2, FIRST_AND_HELPER = 2, PERIOD_NS = 100000000 };
	static uint64_t looked_ns;
	uint64_t now = kernel_clock_ns(CLOCK_MONOTONIC_COARSE);
	struct stat threads;

	if (now - looked_ns < PERIOD_NS)
		return false;
	looked_ns = now;
	return kernel_stat("/proc/self/task", &threads) && threads.st_nlink == FOLDERS + FIRST_AND_HELPER && has_first_ended() &&
		(*status = status_of_first()) >= 0;
}

void threads_end_with_last(void)
{
	bool is_over = true;
	int status;

	for (unsigned i = 0; is_over && i < lane_count(); i++)
		is_over = !atomic_load(&lane_at(i)->alive);
	if (!is_over && have_ended_unseen(&status))
		kernel_call(SYS_exit_group, status >> 8);
	if (!is_over)
		return;
	skein_self.inside = 0; /* what handlers of exit do is the subject's work */
	helpers.exit(0);
}

static void on_quick_exit(void)
{
	client_before_exit(RAW_FINISHED);
}

/* Handlers for fork and quick_exit are registered early, so that ours run innermost: after the subject's before the
 * fork, and before the subject's after it. */
void threads_start(const struct threads_client *client)
{
	threads_client = *client;
	if (helpers.pthread_key_create(&module.key, on_thread_exit))
		return;
	threads_watch_fork();
	at_quick_exit(on_quick_exit);
	atomic_store_explicit(&module.started, true, memory_order_release);
	threads_meet();
}

void threads_restart(void)
{
	struct skein_self *self = &skein_self;
	int error = errno;
	struct lane *mine = self->lane, *zero;

	atomic_store(&module.threads, 0);
	atomic_store(&module.records, 0);
	threads_nobody_works();
	self->number = next_number();
	self->waiting = 0;
	zero = lanes_restart();
	if (mine && zero && mine != zero) {
		void *lens = mine->lens;
		mine->lens = zero->lens;
		zero->lens = lens;
	}
	if (zero) {
		settle(self, zero, UINT32_MAX);
		threads_set_working(zero, 1);
	}
	threads_ompt_restart();
	errno = error;
}
