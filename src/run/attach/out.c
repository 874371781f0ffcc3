/* SPDX-License-Identifier: MIT */
#include "run/attach/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "arch/arch.h"
#include "base/memory.h"
#include "base/number.h"
#include "run/attach/files.h"

/* The file, as it grows. Records may move while it does. */
struct file {
	char *bytes;
	size_t used, room;
};

static void *add(struct file *f, uint32_t type, size_t bytes)
{
	bytes = (bytes + 7) & ~(size_t)7;
	if (f->room - f->used < bytes) {
		f->room = 2 * f->room + bytes;
		f->bytes = memory_resize(f->bytes, f->room, 1);
	}
	struct raw_record *record = (void *)(f->bytes + f->used);
	memset(record, 0, bytes);
	record->type = type;
	record->bytes = (uint32_t)bytes;
	f->used += bytes;
	return record;
}

static void add_table(struct file *f, uint32_t kind, uint32_t lane, uint32_t object, const void *rows, size_t count)
{
	size_t bytes = raw_row_bytes(kind) * count;
	if (!count)
		return;
	struct raw_table *table = add(f, RAW_TABLE, sizeof *table + bytes);
	table->kind = kind;
	table->lane = lane;
	table->object = object;
	table->row_bytes = raw_row_bytes(kind);
	table->capacity = table->used = (uint32_t)count;
	memcpy(table + 1, rows, bytes);
}

struct out_clocks out_clocks_now(void)
{
	struct timespec now;
	uint64_t before = arch_tick();
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (struct out_clocks){before + (arch_tick() - before) / 2, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec};
}

static double ticks_per_ns(const struct out *o)
{
	return o->end.ns > o->start.ns ? (double)(o->end.ticks - o->start.ticks) / (double)(o->end.ns - o->start.ns) : 0;
}

static uint64_t ticks_of(const struct out *o, uint64_t ns)
{
	return number_count((double)ns * ticks_per_ns(o));
}

static uint64_t tick_at(const struct out *o, uint64_t ns)
{
	return o->start.ticks + (ns > o->start.ns ? ticks_of(o, ns - o->start.ns) : 0);
}

/* ---- what all lenses have ---- */

static void begin(struct file *f)
{
	f->room = 1 << 20;
	f->bytes = memory_zeroed(f->room, 1);
	f->used = RAW_HEADER_BYTES;
}

static void fill_header(struct file *f, const struct out *o)
{
	struct raw_file *h = (void *)f->bytes;
	const struct account *a = o->account;
	memcpy(h->magic, RAW_MAGIC, sizeof h->magic);
	h->version = RAW_VERSION;
	h->lens = o->lens;
	h->flags = RAW_FINISHED | RAW_NO_SNAPSHOTS;
	h->pid = (uint32_t)o->pid;
	h->parent_pid = (uint32_t)o->parent;
	h->workers = (uint32_t)a->most_alive;
	h->threads = a->thread_count;
	h->file_bytes = h->used_bytes = f->used;
	h->start_tsc = o->start.ticks;
	h->start_ns = o->start.ns;
	h->start_real_ns = o->start_real_ns;
	h->last_tsc = o->end.ticks;
	h->last_ns = o->end.ns;
	for (size_t i = 0; i < a->thread_count; i++)
		h->cpu_ns += a->threads[i]->cpu_ns;
}

static void add_modules(struct file *f)
{
	const struct module *m;
	for (size_t i = 0; (m = files_module(i)); i++) {
		const char *id = files_build_id(i), *path = files_path(i);
		size_t id_bytes = strlen(id) + 1, path_bytes = strlen(path) + 1;
		struct raw_module *r = add(f, RAW_MODULE, sizeof *r + id_bytes + path_bytes);
		r->number = m->number;
		r->text_bytes = (uint32_t)(id_bytes + path_bytes);
		r->start = m->start;
		r->end = m->end;
		r->bias = m->bias;
		memcpy(r->text, id, id_bytes);
		memcpy(r->text + id_bytes, path, path_bytes);
	}
}

static void add_thread(struct file *f, const struct out *o, const struct account_thread *t)
{
	struct raw_thread *r = add(f, RAW_THREAD, sizeof *r);
	r->number = r->lane = t->number;
	r->tid = t->tid;
	r->creator = t->creator;
	r->start_tsc = tick_at(o, t->start_ns);
	r->end_tsc = t->end_ns ? tick_at(o, t->end_ns) : 0;
	r->cpu_ns = t->cpu_ns;
	memcpy(r->name, o->names[t->number], sizeof r->name);
	for (int i = 0; i < RAW_WAIT_KINDS; i++)
		r->wait_ticks += ticks_of(o, t->wait_ns[i]);
	struct raw_lane *lane = add(f, RAW_LANE, sizeof *lane);
	lane->lane = t->number;
	lane->threads = 1;
	for (int i = 0; i < RAW_WAIT_KINDS; i++) {
		lane->wait_ticks[i] = ticks_of(o, t->wait_ns[i]);
		lane->waits[i] = t->waits[i];
	}
}

/* ---- what the idle lens has ---- */

static void add_how(struct file *f, const struct out *o)
{
	const struct account *a = o->account;
	struct raw_idle_how how = {.cores = a->cores,
	                           .clock = RAW_IDLE_PERF,
	                           .period_ns = a->period_ns,
	                           .rings = (uint32_t)a->thread_count};
	add_table(f, RAW_IDLE_HOW, RAW_NO_LANE, 0, &how, 1);
}

static void add_nodes(struct file *f, const struct stacks *s)
{
	for (size_t i = 0; i < s->row_count; i++)
		add_table(f, RAW_IDLE_NODES, RAW_NO_LANE, s->rows[i]->first, s->rows[i]->rows, s->rows[i]->used);
}

static uint32_t why_number(int why)
{
	return why == ACCOUNT_BLOCKED ? RAW_IDLE_BLOCKED : (uint32_t)why;
}

static void add_whys(struct file *f, const struct account_thread *t, const struct account_cost *cost)
{
	struct raw_idle_why rows[ACCOUNT_WHYS + 1];
	size_t count = 0;
	for (int i = 0; i < ACCOUNT_WHYS; i++)
		if (cost->why_ns[i] && i != ACCOUNT_UNKNOWN)
			rows[count++] = (struct raw_idle_why){cost->row.node, why_number(i), cost->why_ns[i]};
	if (cost->ready_ns)
		rows[count++] = (struct raw_idle_why){cost->row.node, RAW_IDLE_READY, cost->ready_ns};
	add_table(f, RAW_IDLE_WHY, t->number, t->number, rows, count);
}

static void add_waits(struct file *f, const struct account_thread *t, const struct account_cost *cost)
{
	for (int i = 0; i < RAW_WAIT_KINDS; i++)
		add_table(f, RAW_IDLE_WAITS, t->number, t->number, &cost->waits[i], cost->waits[i].waits != 0);
}

static bool has_work(const struct raw_idle_cost *row)
{
	return row->samples || row->work_ns[0] || row->work_ns[1] || row->work_ns[2] || row->work_ns[3];
}

static void add_costs(struct file *f, const struct account_thread *t)
{
	struct raw_idle_thread row = {.thread = t->number,
	                              .paths_cut = (uint32_t)t->paths_cut,
	                              .cpu_ns = t->cpu_ns,
	                              .work_ns = t->work_ns,
	                              .samples = t->samples,
	                              .unseen_ns = t->unseen_ns};
	add_table(f, RAW_IDLE_THREAD, t->number, t->number, &row, 1);
	for (size_t i = 0; i < t->costs.room; i++) {
		const struct account_cost *cost = t->costs.at[i].value;
		if (!cost)
			continue;
		add_table(f, RAW_IDLE_COSTS, t->number, t->number, &cost->row, has_work(&cost->row));
		add_whys(f, t, cost);
		add_waits(f, t, cost);
	}
}

/* ---- the file ---- */

static int write_all(const struct file *f, const char *path, struct fail *why)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	size_t done = 0;
	ssize_t got = 0;
	while (fd >= 0 && done < f->used && (got = write(fd, f->bytes + done, f->used - done)) > 0)
		done += (size_t)got;
	int error = errno;
	if (fd >= 0 && close(fd) < 0 && done == f->used) {
		error = errno;
		done = 0;
	}
	return done == f->used ? 0 : fail_set(why, FAIL_INTERNAL, "cannot write the raw recording %s: %s", path, strerror(error));
}

int out_write(const struct out *o, const char *folder, struct fail *why)
{
	char path[PATH_MAX];
	struct file f;
	begin(&f);
	add_modules(&f);
	add_how(&f, o);
	add_nodes(&f, o->stacks);
	for (size_t i = 0; i < o->account->thread_count; i++) {
		add_thread(&f, o, o->account->threads[i]);
		add_costs(&f, o->account->threads[i]);
	}
	fill_header(&f, o);
	snprintf(path, sizeof path, "%.4000s/%ld.raw", folder, (long)o->pid);
	int result = write_all(&f, path, why);
	free(f.bytes);
	return result;
}
