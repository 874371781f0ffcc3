/* SPDX-License-Identifier: MIT */
#include "run/attach/account.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

/* ---- states ---- */

static size_t working(const struct account *a)
{
	return a->running_count + a->ready;
}

static void count_in(struct account *a, struct account_thread *t)
{
	if (t->state == ACCOUNT_RUNS) {
		MEMORY_GROW(a->running, a->running_count, a->running_room);
		a->running[a->running_count++] = t;
	} else if (t->state == ACCOUNT_IS_READY) {
		a->ready++;
	} else if (t->state == ACCOUNT_WAITS) {
		a->waiting[t->why]++;
	}
}

static void count_out(struct account *a, struct account_thread *t)
{
	if (t->state == ACCOUNT_RUNS) {
		size_t i = 0;
		while (a->running[i] != t)
			i++;
		a->running[i] = a->running[--a->running_count];
		if (map_find(&a->by_core, t->core) == t)
			map_drop(&a->by_core, t->core);
	} else if (t->state == ACCOUNT_IS_READY) {
		a->ready--;
	} else if (t->state == ACCOUNT_WAITS) {
		a->waiting[t->why]--;
	}
}

static void change(struct account *a, struct account_thread *t, enum account_state state, uint64_t time)
{
	bool worked = working(a) > 0;
	count_out(a, t);
	t->state = state;
	t->since_ns = time;
	count_in(a, t);
	if (worked && !working(a))
		a->quiet_since = time;
}

/* ---- time goes on ---- */

/* Idle cores are put down to those first whose wait another thread will end, and last to those that wait by design. */
static const uint8_t whys_in_order[ACCOUNT_WHYS] = {ACCOUNT_BLOCKED,    RAW_WAIT_LOCK,  RAW_WAIT_BARRIER, RAW_WAIT_TASK, RAW_WAIT_CONDITION,
                                                    RAW_WAIT_SEMAPHORE, RAW_WAIT_SLEEP, RAW_WAIT_IO,      RAW_WAIT_JOIN, ACCOUNT_UNKNOWN};

static enum raw_idle_class class_of(size_t threads, uint32_t cores)
{
	return threads > cores ? RAW_IDLE_OVER : threads == cores ? RAW_IDLE_FULL : threads > 1 ? RAW_IDLE_UNDER : RAW_IDLE_SERIAL;
}

static void put_down(const struct account *a, struct account_thread *t, uint64_t ns, size_t busy)
{
	size_t left = a->cores - busy;
	for (size_t i = 0; i < ACCOUNT_WHYS && left; i++) {
		size_t here = a->waiting[whys_in_order[i]], many = here < left ? here : left;
		t->why_ns[whys_in_order[i]] += ns * many / busy;
		left -= many;
	}
}

/* What idleness would be more if threads that are ready, but have no core, were idle. */
static uint64_t hidden_ns(const struct account *a, uint64_t ns, size_t busy)
{
	size_t ready = a->ready < busy ? a->ready : busy - 1, cores = busy - ready;
	return ns * (a->cores - cores) / cores - ns * (a->cores - busy) / busy;
}

static void go_on(struct account *a, uint64_t time)
{
	uint64_t ns = time > a->now_ns ? time - a->now_ns : 0;
	size_t threads = working(a), busy = threads < a->cores ? threads : a->cores;
	for (size_t i = 0; ns && i < a->running_count; i++) {
		struct account_thread *t = a->running[i];
		t->cpu_ns += ns;
		t->ran_ns[class_of(threads, a->cores)] += ns;
		t->idle_ns += ns * (a->cores - busy) / busy;
		put_down(a, t, ns, busy);
		t->ready_ns += a->ready ? hidden_ns(a, ns, busy) : 0;
	}
	a->now_ns = time > a->now_ns ? time : a->now_ns;
}

/* ---- charges ---- */

static struct account_cost *cost_of(struct account_thread *t, uint32_t node)
{
	void **place = map_at(&t->costs, node);
	if (!*place) {
		struct account_cost *cost = memory_zeroed(1, sizeof *cost);
		cost->row.node = node;
		*place = cost;
	}
	return *place;
}

static void charge_work(const struct account *a, struct account_thread *t, uint32_t node, bool is_sample)
{
	uint64_t ns = 0;
	struct account_cost *cost = node ? cost_of(t, node) : NULL;
	for (int i = 0; i < RAW_IDLE_CLASSES; i++) {
		ns += t->ran_ns[i];
		if (cost)
			cost->row.work_ns[i] += t->ran_ns[i];
	}
	if (cost) {
		cost->row.samples += is_sample;
		cost->row.idle_ns += t->idle_ns;
		cost->ready_ns += t->ready_ns;
		for (int i = 0; i < ACCOUNT_WHYS; i++)
			cost->why_ns[i] += t->why_ns[i];
		t->work_ns += ns;
		t->samples += is_sample;
		t->unseen_ns += !is_sample ? ns : ns > a->period_ns + a->period_ns / 2 ? ns - a->period_ns : 0;
		t->last_node = node;
	}
	memset(t->ran_ns, 0, sizeof t->ran_ns);
	memset(t->why_ns, 0, sizeof t->why_ns);
	t->idle_ns = t->ready_ns = 0;
}

static void charge_wait(struct account_thread *t)
{
	struct raw_idle_wait *row = &cost_of(t, t->place)->waits[t->why];
	row->node = t->place;
	row->kind = t->why;
	row->waits++;
	row->wait_ns += t->waited_ns;
	row->quiet_ns += t->quiet_ns;
	t->waited_ns = t->quiet_ns = 0;
}

/* Waits of a runtime for parallel work are overhead, and not listed among waits. */
static bool is_listed(const struct account_thread *t)
{
	return t->why < RAW_WAIT_KINDS && raw_wait_nature((enum raw_wait)t->why) != RAW_NATURE_SPINS;
}

static void end_wait(struct account *a, struct account_thread *t, uint64_t time, bool is_over)
{
	uint64_t ns = time > t->since_ns ? time - t->since_ns : 0;
	if (t->why < RAW_WAIT_KINDS) {
		t->waits[t->why]++;
		t->wait_ns[t->why] += ns;
	}
	if (!is_listed(t))
		return;
	uint64_t quiet_from = a->quiet_since > t->since_ns ? a->quiet_since : t->since_ns;
	t->waited_ns += ns;
	t->quiet_ns += is_over && !working(a) && time > quiet_from ? time - quiet_from : 0;
	if (t->has_place && t->place && (t->waited_ns >= a->period_ns || !is_over))
		charge_wait(t);
}

/* ---- what happens ---- */

/* NULL: the thread has ended, and this came too late. */
static struct account_thread *find(struct account *a, uint32_t tid, uint64_t time)
{
	struct account_thread *t = map_find(&a->by_tid, tid);
	if (!t)
		return account_thread(a, tid, tid, ACCOUNT_WAITS, time);
	return t->state != ACCOUNT_GONE ? t : NULL;
}

struct account_thread *account_thread(struct account *a, uint32_t tid, uint32_t creator, enum account_state state, uint64_t time)
{
	struct account_thread *t = memory_zeroed(1, sizeof *t), *by = map_find(&a->by_tid, creator);
	t->number = (uint32_t)a->thread_count;
	t->tid = tid;
	t->creator = by ? by->number : t->number;
	t->start_ns = time;
	t->why = ACCOUNT_UNKNOWN;
	t->core = UINT32_MAX;
	MEMORY_GROW(a->threads, a->thread_count, a->thread_room);
	a->threads[a->thread_count++] = t;
	*map_at(&a->by_tid, tid) = t;
	a->alive++;
	a->most_alive = a->alive > a->most_alive ? a->alive : a->most_alive;
	change(a, t, state, time);
	return t;
}

/* The last record of the thread that had the core before may have been lost. */
static void take_core(struct account *a, struct account_thread *t, uint32_t core, uint64_t time)
{
	struct account_thread *before = map_find(&a->by_core, core);
	if (t->state == ACCOUNT_WAITS)
		end_wait(a, t, time, true);
	if (before && before != t) {
		before->why = ACCOUNT_UNKNOWN;
		change(a, before, ACCOUNT_WAITS, time);
	}
	t->has_place = false;
	change(a, t, ACCOUNT_RUNS, time);
	t->core = core;
	*map_at(&a->by_core, core) = t;
}

/* A wait that was not sampled is taken for one like the last. */
static void lose_core(struct account *a, struct account_thread *t, bool is_ready, uint64_t time)
{
	if (t->state == ACCOUNT_WAITS)
		return;
	change(a, t, is_ready ? ACCOUNT_IS_READY : ACCOUNT_WAITS, time);
}

static void finish_thread(struct account *a, struct account_thread *t, uint64_t time)
{
	if (t->state == ACCOUNT_WAITS)
		end_wait(a, t, time, false);
	charge_work(a, t, t->last_node, false);
	t->end_ns = time;
	change(a, t, ACCOUNT_GONE, time);
	a->alive--;
}

static void set_place(struct account *a, struct account_thread *t, const struct account_note *n)
{
	uint32_t why = n->other < ACCOUNT_WHYS ? n->other : ACCOUNT_UNKNOWN;
	if (t->state == ACCOUNT_WAITS) {
		a->waiting[t->why]--;
		a->waiting[why]++;
	}
	t->has_place = true;
	t->place = n->node;
	t->why = why;
}

static void take(struct account *a, const struct account_note *n)
{
	go_on(a, n->time);
	if (n->what == ACCOUNT_BEGIN) {
		struct account_thread *known = map_find(&a->by_tid, n->tid);
		if (!known || known->state == ACCOUNT_GONE)
			account_thread(a, n->tid, n->other, ACCOUNT_IS_READY, n->time);
		return;
	}
	if (n->what == ACCOUNT_END) {
		struct account_thread *known = map_find(&a->by_tid, n->tid);
		if (known && known->state != ACCOUNT_GONE)
			finish_thread(a, known, n->time);
		return;
	}
	struct account_thread *t = find(a, n->tid, n->time);
	if (!t)
		return;
	switch (n->what) {
	case ACCOUNT_SAMPLE:
		if (t->state != ACCOUNT_RUNS)
			take_core(a, t, n->core, n->time);
		charge_work(a, t, n->node, true);
		break;
	case ACCOUNT_PLACE: set_place(a, t, n); break;
	case ACCOUNT_ON: take_core(a, t, n->core, n->time); break;
	case ACCOUNT_OFF: lose_core(a, t, false, n->time); break;
	case ACCOUNT_READY: lose_core(a, t, true, n->time); break;
	case ACCOUNT_BEGIN:
	case ACCOUNT_END: break;
	}
}

static int by_time(const void *one, const void *other)
{
	const struct account_note *x = one, *y = other;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void account_note(struct account *a, const struct account_note *note)
{
	MEMORY_GROW(a->notes, a->note_count, a->note_room);
	a->notes[a->note_count] = *note;
	a->notes[a->note_count++].order = a->order++;
}

void account_until(struct account *a, uint64_t time)
{
	size_t i = 0;
	if (a->note_count)
		qsort(a->notes, a->note_count, sizeof *a->notes, by_time);
	for (; i < a->note_count && a->notes[i].time < time; i++)
		take(a, &a->notes[i]);
	a->note_count -= i;
	if (i)
		memmove(a->notes, a->notes + i, a->note_count * sizeof *a->notes);
}

void account_open(struct account *a, uint32_t cores, uint64_t period_ns, uint64_t start_ns)
{
	*a = (struct account){.cores = cores, .period_ns = period_ns, .start_ns = start_ns, .now_ns = start_ns, .quiet_since = start_ns};
}

void account_close(struct account *a, uint64_t end_ns)
{
	account_until(a, end_ns + 1);
	a->note_count = 0;
	go_on(a, end_ns);
	for (size_t i = 0; i < a->thread_count; i++)
		if (a->threads[i]->state != ACCOUNT_GONE) {
			finish_thread(a, a->threads[i], end_ns);
			a->threads[i]->end_ns = 0;
		}
}

void account_free(struct account *a)
{
	for (size_t i = 0; i < a->thread_count; i++) {
		struct map *costs = &a->threads[i]->costs;
		for (size_t k = 0; k < costs->room; k++)
			free(costs->at[k].value);
		map_free(costs);
		free(a->threads[i]);
	}
	free(a->threads);
	free(a->running);
	free(a->notes);
	map_free(&a->by_tid);
	map_free(&a->by_core);
	*a = (struct account){0};
}
