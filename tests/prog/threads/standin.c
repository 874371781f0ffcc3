/* SPDX-License-Identifier: MIT */
/* standin.c: see standin.h. */
#include "standin.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "raw/writer.h"
#include "threads/redirect.h"
#include "threads/threads.h"

#define EXPORT __attribute__((visibility("default")))
#define RECORD_BYTES (64u << 20)

EXPORT struct standin *standin;

static struct raw_file header;
static char *records;
static _Atomic size_t used;
static struct {
	struct timespec time;
	uint64_t ticks;
} began;

int raw_open(const char *folder, uint32_t lens, uint32_t flags)
{
	(void)folder, (void)lens, (void)flags;
	records = mmap(NULL, RECORD_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	atomic_store(&used, 0);
	memset(&header, 0, sizeof header);
	return 0;
}

void raw_refresh(void)
{
}

struct raw_file *raw_header(void) { return &header; }
void raw_lose(enum raw_lost cause, uint64_t events) { header.lost[cause] += events; }
bool raw_owns_descriptor(int d) { return d == standin_descriptor(); }
EXPORT int standin_descriptor(void) { return 100; }

void *raw_add(uint32_t type, size_t bytes)
{
	bytes = (bytes + 7) & ~(size_t)7;
	struct raw_record *r = (struct raw_record *)(records + atomic_fetch_add(&used, bytes));
	r->bytes = (uint32_t)bytes;
	r->type = type;
	return r;
}

void raw_done(struct raw_record *record, uint32_t type)
{
	record->type = type;
	if (type == RAW_THREAD)
		atomic_fetch_add(&standin->records, 1);
}

/* A session in which the program and one library were re-linked. The library is found by the run path of the caller. */
const char *session_native_program(void) { return "/native/program"; }
const char *session_redirect(const char *path)
{
	return path && !strcmp(path, "libthreads_native.so") ? "libthreads_relinked.so" : path;
}

static void thread_begin(struct skein_self *self, void *inherited) { (void)self, (void)inherited; atomic_fetch_add(&standin->begun, 1); }
static void thread_end(struct skein_self *self) { (void)self; atomic_fetch_add(&standin->ended, 1); }

static _Thread_local bool in_wait;

static void wait_begin(struct skein_self *self)
{
	(void)self;
	atomic_fetch_add(&standin->bad_waits, in_wait);
	in_wait = true;
	atomic_fetch_add(&standin->wait_begins, 1);
}

static void wait_end(struct skein_self *self, enum raw_wait kind, uint64_t start, uint64_t end)
{
	(void)self;
	atomic_fetch_add(&standin->bad_waits, !in_wait || end < start || kind >= RAW_WAIT_KINDS);
	in_wait = false;
	atomic_fetch_add(&standin->wait_ends, 1);
}

static void *capture(struct skein_self *self)
{
	(void)self;
	atomic_fetch_add(&standin->captured, 1);
	atomic_fetch_add(&standin->held, 1);
	return standin;
}

static void retain(void *inherited) { (void)inherited; atomic_fetch_add(&standin->held, 1); }
static void release(void *inherited) { (void)inherited; atomic_fetch_sub(&standin->held, 1); }
static void team_begin(struct skein_self *self) { (void)self; atomic_fetch_add(&standin->teams, 1); atomic_fetch_add(&standin->open_teams, 1); }
static void team_end(struct skein_self *self) { (void)self; atomic_fetch_sub(&standin->open_teams, 1); }
static void adopt(struct skein_self *self, void *inherited) { (void)self, (void)inherited; atomic_fetch_add(&standin->adopted, 1); atomic_fetch_add(&standin->adoptions, 1); }
static void disown(struct skein_self *self, void *inherited) { (void)self, (void)inherited; atomic_fetch_sub(&standin->adoptions, 1); }
static void before_fork(struct skein_self *self) { (void)self; atomic_fetch_add(&standin->forks, 1); }
static void after_failed_exec(void) { atomic_fetch_add(&standin->failed_execs, 1); }
static void vfork_begin(struct skein_self *self) { (void)self; atomic_fetch_add(&standin->vforks, 1); }
static void vfork_end(struct skein_self *self) { (void)self; atomic_fetch_add(&standin->vforks_over, 1); }

static void after_fork_child(struct skein_self *self)
{
	(void)self;
	raw_open("", 0, 0);
	threads_restart();
	atomic_fetch_add(&standin->children, 1);
}

static void before_exit(uint32_t flag) { atomic_fetch_add(flag == RAW_EXECED ? &standin->execs : &standin->exits, 1); }

__attribute__((constructor(102))) static void start(void)
{
	static const struct threads_client client = {
		.thread_begin = thread_begin, .thread_end = thread_end, .wait_begin = wait_begin, .wait_end = wait_end,
		.capture = capture, .retain = retain, .release = release, .team_begin = team_begin, .team_end = team_end,
		.adopt = adopt, .disown = disown, .before_fork = before_fork, .after_fork_child = after_fork_child,
		.before_exit = before_exit, .after_failed_exec = after_failed_exec, .vfork_begin = vfork_begin,
		.vfork_end = vfork_end};
	standin = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	raw_open("", 0, 0);
	clock_gettime(CLOCK_MONOTONIC, &began.time);
	began.ticks = __builtin_ia32_rdtsc();
	threads_start(&client);
}

EXPORT uint64_t standin_waits(enum raw_wait kind)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < lane_count(); i++)
		sum += lane_at(i)->record->waits[kind];
	return sum;
}

EXPORT uint64_t standin_wait_ns(enum raw_wait kind)
{
	struct timespec t;
	uint64_t sum = 0;
	for (unsigned i = 0; i < lane_count(); i++)
		sum += lane_at(i)->record->wait_ticks[kind];
	clock_gettime(CLOCK_MONOTONIC, &t);
	double ns = (double)(t.tv_sec - began.time.tv_sec) * 1e9 + (double)(t.tv_nsec - began.time.tv_nsec);
	return (uint64_t)((double)sum * ns / (double)(__builtin_ia32_rdtsc() - began.ticks));
}

EXPORT unsigned standin_lanes(void) { return header.workers; }
EXPORT uint64_t standin_threads(void) { return header.threads; }

static const struct raw_thread *thread_at(unsigned number)
{
	for (size_t at = 0; at < atomic_load(&used);) {
		const struct raw_thread *t = (const void *)(records + at);
		if (t->record.type == RAW_THREAD && t->number == number)
			return t;
		at += t->record.bytes;
	}
	return NULL;
}

EXPORT const char *standin_name(unsigned number)
{
	const struct raw_thread *t = thread_at(number);
	return t ? t->name : "";
}

EXPORT uint64_t standin_cpu_ns(unsigned number)
{
	const struct raw_thread *t = thread_at(number);
	return t ? t->cpu_ns : 0;
}
