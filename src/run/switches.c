/* SPDX-License-Identifier: MIT */
#include "run/switches.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "base/memory.h"
#include "keys/session.h"

/* A record has 32 bytes, and a core may switch a million times per second. An ordinary user has memory for 128 pages per core
 * (perf_event_mlock_kb), unless the limit of locked memory is large or other rings take a part. */
enum { MOST_PAGES = 512, LEAST_PAGES = 16, PAUSE_MS = 50, CHUNK = SESSION_SWITCHES_CHUNK };

/* ---- the kernel's side ---- */

struct record {
	struct perf_event_header header;
	union {
		struct {
			uint32_t process, thread;
			uint64_t time;
			uint32_t core, unused;
		} of;
		struct {
			uint64_t event, count;
		} lost;
	};
};

/* Kernels before 6.0 do not count what is lost, but tell it in a later record, if there is one. */
static bool open_rings(struct rings *rings)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
		.context_switch = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
	};
	for (size_t pages = MOST_PAGES; pages >= LEAST_PAGES; pages /= 2) {
		attr.wakeup_watermark = (uint32_t)(pages * (size_t)sysconf(_SC_PAGESIZE) / 4);
		attr.read_format = PERF_FORMAT_LOST;
		if (rings_open(rings, &attr, pages))
			return true;
		attr.read_format = 0;
		if (rings_open(rings, &attr, pages))
			return true;
	}
	return false;
}

/* 0 if the kernel does not count what is lost. */
static uint64_t lost_by_kernel(const struct rings *rings)
{
	struct {
		uint64_t value, lost;
	} counted;
	uint64_t lost = 0;
	for (size_t i = 0; i < rings->count; i++)
		lost += read(rings->at[i].fd, &counted, sizeof counted) == sizeof counted ? counted.lost : 0;
	return lost;
}

/* ---- the file ---- */

static void write_chunk(struct switches *s, struct switches_core *core)
{
	if (core->count && pwrite(s->file, core->memory, CHUNK, (off_t)(s->chunks * CHUNK)) == CHUNK) {
		s->chunks++;
		s->count += core->count;
	} else {
		s->lost += core->count;
	}
	core->count = 0;
}

static void put(struct switches *s, struct switches_core *core, const struct flow_record *record)
{
	if (!core->count || !flow_log_put(&core->chunk, record)) {
		write_chunk(s, core);
		flow_chunk_start(&core->chunk, core->memory, CHUNK, record->time);
		flow_log_put(&core->chunk, record);
	}
	core->count++;
}

/* ---- from there to here ---- */

static void take(struct switches *s, struct switches_core *core, const struct record *r)
{
	bool is_off = r->header.misc & PERF_RECORD_MISC_SWITCH_OUT, is_preempted = r->header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	if (r->header.type == PERF_RECORD_SWITCH)
		put(s, core,
		    &(struct flow_record){.time = r->of.time,
		                          .kind = is_off ? FLOW_OFF : FLOW_ON,
		                          .field = {r->of.thread, r->of.core, is_off && is_preempted}});
	else if (r->header.type == PERF_RECORD_LOST)
		s->told_lost += r->lost.count;
}

static void drain(struct switches *s)
{
	struct record record;
	for (size_t i = 0; i < s->rings.count; i++) {
		uint64_t at = rings_begin(&s->rings, i), end = rings_end(&s->rings, i);
		while (rings_next(&s->rings, i, &at, end, &record, sizeof record))
			take(s, &s->cores[i], &record);
		rings_drop(&s->rings, i, end);
	}
}

static void *read_until_stopped(void *switches)
{
	struct switches *s = switches;
	size_t count = s->rings.count;
	struct pollfd *polls = memory_zeroed(count + 1, sizeof *polls);
	for (size_t i = 0; i < count; i++)
		polls[i] = (struct pollfd){.fd = s->rings.at[i].fd, .events = POLLIN};
	polls[count] = (struct pollfd){.fd = s->stop, .events = POLLIN};
	while (!polls[count].revents) {
		poll(polls, count + 1, PAUSE_MS);
		drain(s);
	}
	free(polls);
	return NULL;
}

/* ---- from open to stop ---- */

/* Without the file all records are lost, and counted so. */
void switches_open(struct switches *s, const char *folder)
{
	char path[PATH_MAX];
	*s = (struct switches){.file = -1, .stop = -1};
	if (!open_rings(&s->rings))
		return;
	snprintf(path, sizeof path, "%s/%s", folder, SESSION_SWITCHES_FILE);
	s->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	s->stop = eventfd(0, EFD_CLOEXEC);
	s->cores = memory_zeroed(s->rings.count, sizeof *s->cores);
	for (size_t i = 0; i < s->rings.count; i++)
		s->cores[i].memory = memory_zeroed(1, CHUNK);
}

/* Without the thread the rings are read once, when all has ended. */
void switches_start(struct switches *s)
{
	sigset_t all, before;
	if (!s->rings.count || s->stop < 0)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	s->is_read = pthread_create(&s->reader, NULL, read_until_stopped, s) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void end_thread(struct switches *s)
{
	if (!s->is_read)
		return;
	eventfd_write(s->stop, 1);
	pthread_join(s->reader, NULL);
}

static void end_file(struct switches *s)
{
	for (size_t i = 0; i < s->rings.count; i++) {
		write_chunk(s, &s->cores[i]);
		free(s->cores[i].memory);
	}
	free(s->cores);
	if (s->file >= 0)
		close(s->file);
}

struct switches_seen switches_stop(struct switches *s)
{
	if (!s->rings.count)
		return (struct switches_seen){0};
	end_thread(s);
	drain(s);
	end_file(s);
	uint64_t counted = lost_by_kernel(&s->rings), lost = counted > s->told_lost ? counted : s->told_lost;
	rings_close(&s->rings);
	if (s->stop >= 0)
		close(s->stop);
	return (struct switches_seen){.is_allowed = true, .count = s->count, .lost = s->lost + lost};
}
