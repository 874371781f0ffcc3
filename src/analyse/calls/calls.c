/* SPDX-License-Identifier: MIT */
/* calls.c: sorts, adds up and looks up the rows of the calls lens. */
#include "analyse/calls/calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* A figure that was not measured stays unknown until a measured one is added to it. */
static void add(int64_t *sum, int64_t value)
{
	if (value == RUN_UNKNOWN)
		return;
	*sum = *sum == RUN_UNKNOWN ? value : (int64_t)((uint64_t)*sum + (uint64_t)value);
}

/* Errors that are independent of each other. */
static void add_error(int64_t *sum, int64_t value)
{
	if (value == RUN_UNKNOWN)
		return;
	*sum = *sum == RUN_UNKNOWN ? value : number_whole(hypot((double)*sum, (double)value));
}

#define COMPARE(x, y)                              \
	do {                                       \
		if ((x) != (y))                    \
			return (x) < (y) ? -1 : 1; \
	} while (0)

static int entry_order(const void *a, const void *b)
{
	const struct calls_entry *x = a, *y = b;
	COMPARE(x->routine, y->routine);
	COMPARE(x->worker, y->worker);
	COMPARE(x->entry, y->entry);
	return 0;
}

static void entry_add(void *to, const void *from)
{
	struct calls_entry *x = to;
	const struct calls_entry *y = from;
	add(&x->calls, y->calls);
	add(&x->elapsed_ns, y->elapsed_ns);
	add(&x->direct_ns, y->direct_ns);
	add(&x->callee_calls, y->callee_calls);
	add(&x->callee_ns, y->callee_ns);
	add(&x->displaced_ns, y->displaced_ns);
	add(&x->elsewhere_ns, y->elsewhere_ns);
	add(&x->wait_ns, y->wait_ns);
	add(&x->nested_ns, y->nested_ns);
	add(&x->same_calls, y->same_calls);
	add(&x->timed_calls, y->timed_calls);
	add_error(&x->error_ns, y->error_ns);
}

static int arc_order(const void *a, const void *b)
{
	const struct calls_arc_row *x = a, *y = b;
	COMPARE(x->caller, y->caller);
	COMPARE(x->callee, y->callee);
	COMPARE(x->entry, y->entry);
	COMPARE(x->callee_call, y->callee_call);
	COMPARE(x->arc, y->arc);
	return 0;
}

static void arc_add(void *to, const void *from)
{
	struct calls_arc_row *x = to;
	const struct calls_arc_row *y = from;
	add(&x->calls, y->calls);
	add(&x->elapsed_ns, y->elapsed_ns);
	add(&x->same_calls, y->same_calls);
	add(&x->timed_calls, y->timed_calls);
	add_error(&x->error_ns, y->error_ns);
	add(&x->outer_ns, y->outer_ns);
}

static int callee_order(const void *a, const void *b)
{
	const struct calls_callee_row *x = a, *y = b;
	COMPARE(x->caller, y->caller);
	COMPARE(x->worker, y->worker);
	COMPARE(x->entry, y->entry);
	COMPARE(x->callee_call, y->callee_call);
	return 0;
}

void calls_add_callee(struct calls_callee_row *sum, const struct calls_callee_row *row)
{
	add(&sum->calls, row->calls);
	add(&sum->elapsed_ns, row->elapsed_ns);
	add(&sum->outer_ns, row->outer_ns);
	add_error(&sum->error_ns, row->error_ns);
}

static void callee_add(void *to, const void *from)
{
	calls_add_callee(to, from);
}

static int wait_order(const void *a, const void *b)
{
	const struct calls_wait *x = a, *y = b;
	COMPARE(x->routine, y->routine);
	COMPARE(x->kind, y->kind);
	int object = strcmp(x->object, y->object), file = strcmp(x->file, y->file);
	COMPARE(object, 0);
	COMPARE(file, 0);
	COMPARE(x->line, y->line);
	COMPARE(x->worker, y->worker);
	return 0;
}

static void wait_add(void *to, const void *from)
{
	struct calls_wait *x = to;
	const struct calls_wait *y = from;
	x->waits += y->waits;
	x->ns += y->ns;
	if (y->longest_ns > x->longest_ns)
		x->longest_ns = y->longest_ns;
}

static int inside_order(const void *a, const void *b)
{
	const struct calls_inside *x = a, *y = b;
	COMPARE(x->routine, y->routine);
	return 0;
}

static void inside_add(void *to, const void *from)
{
	struct calls_inside *x = to;
	const struct calls_inside *y = from;
	x->snapshots += y->snapshots;
	x->union_ns += y->union_ns;
	x->same_ns += y->same_ns;
	x->running_ns += y->running_ns;
	x->off_cpu_ns += y->off_cpu_ns;
}

static int together_order(const void *a, const void *b)
{
	const struct calls_together *x = a, *y = b;
	COMPARE(x->a, y->a);
	COMPARE(x->b, y->b);
	return 0;
}

static void together_add(void *to, const void *from)
{
	struct calls_together *x = to;
	const struct calls_together *y = from;
	x->snapshots += y->snapshots;
	x->ns += y->ns;
}

static int level_order(const void *a, const void *b)
{
	const struct calls_level *x = a, *y = b;
	COMPARE(x->working, y->working);
	COMPARE(x->routine, y->routine);
	return 0;
}

static void level_add(void *to, const void *from)
{
	struct calls_level *x = to;
	const struct calls_level *y = from;
	x->snapshots += y->snapshots;
	x->ns += y->ns;
}

/* Sorts, and adds rows of equal keys to the first of them; returns how many rows are left. */
static size_t sort_and_add(void *rows, size_t count, size_t bytes, int (*order)(const void *, const void *),
                           void (*add_row)(void *, const void *))
{
	if (count == 0)
		return 0;
	char *row = rows;
	size_t kept = 0;
	qsort(rows, count, bytes, order);
	for (size_t i = 1; i < count; i++) {
		if (order(row + kept * bytes, row + i * bytes) == 0)
			add_row(row + kept * bytes, row + i * bytes);
		else if (++kept != i)
			memcpy(row + kept * bytes, row + i * bytes, bytes);
	}
	return kept + 1;
}

void calls_sort(struct calls *c)
{
	c->entry_count = sort_and_add(c->entries, c->entry_count, sizeof *c->entries, entry_order, entry_add);
	c->arc_count = sort_and_add(c->arcs, c->arc_count, sizeof *c->arcs, arc_order, arc_add);
	c->callee_count = sort_and_add(c->callees, c->callee_count, sizeof *c->callees, callee_order, callee_add);
	c->wait_count = sort_and_add(c->waits, c->wait_count, sizeof *c->waits, wait_order, wait_add);
	c->inside_count = sort_and_add(c->inside, c->inside_count, sizeof *c->inside, inside_order, inside_add);
	c->together_count = sort_and_add(c->together, c->together_count, sizeof *c->together, together_order, together_add);
	c->level_count = sort_and_add(c->levels, c->level_count, sizeof *c->levels, level_order, level_add);
	/* Processes overlap in time, and their union is not known; it never exceeds the run. */
	for (size_t i = 0; i < c->inside_count; i++)
		if (c->inside[i].union_ns > c->run->wall_ns)
			c->inside[i].union_ns = c->run->wall_ns;
}

void calls_free(struct calls *calls)
{
	free(calls->entries);
	free(calls->arcs);
	free(calls->callees);
	free(calls->waits);
	free(calls->inside);
	free(calls->together);
	free(calls->levels);
	memset(calls, 0, sizeof *calls);
}

static void sum_add(struct calls_sum *sum, const struct calls_entry *row)
{
	sum->any = true;
	add(&sum->calls, row->calls);
	add(&sum->elapsed_ns, row->elapsed_ns);
	add(&sum->direct_ns, row->direct_ns);
	add(&sum->callee_calls, row->callee_calls);
	add(&sum->callee_ns, row->callee_ns);
	add(&sum->wait_ns, row->wait_ns);
	add(&sum->nested_ns, row->nested_ns);
	add(&sum->same_calls, row->same_calls);
	add(&sum->timed_calls, row->timed_calls);
	add_error(&sum->error_ns, row->error_ns);
}

static struct calls_sum sum_start(const struct calls *calls)
{
	int64_t nothing = calls->has_times ? 0 : RUN_UNKNOWN;
	return (struct calls_sum){.calls = 0,
	                          .elapsed_ns = nothing,
	                          .direct_ns = nothing,
	                          .callee_calls = nothing,
	                          .callee_ns = nothing,
	                          .wait_ns = nothing,
	                          .nested_ns = nothing,
	                          .same_calls = nothing,
	                          .timed_calls = nothing,
	                          .error_ns = nothing};
}

/* The first row of a routine, or of a routine in a worker, by binary search. */
static size_t first_entry(const struct calls *calls, uint32_t routine, uint32_t worker)
{
	struct calls_entry key = {.routine = routine, .worker = worker == CALLS_ALL ? 0 : worker};
	size_t low = 0, high = calls->entry_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (entry_order(&calls->entries[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Time that is a callee's is not its caller's. The body of a parallel region calls in the states of the routine that it
 * is a part of, and may have no row for them. */
void calls_share_errors(struct calls *calls)
{
	for (size_t i = 0; i < calls->callee_count; i++) {
		const struct calls_callee_row *made = &calls->callees[i];
		size_t first = first_entry(calls, made->caller, made->worker), at = first;
		struct calls_entry *rows = calls->entries;
		while (at < calls->entry_count && rows[at].routine == made->caller && rows[at].worker == made->worker &&
		       rows[at].entry != made->entry)
			at++;
		if (at == calls->entry_count || rows[at].routine != made->caller || rows[at].worker != made->worker)
			at = first;
		if (at < calls->entry_count && rows[at].routine == made->caller && rows[at].worker == made->worker)
			add_error(&rows[at].error_ns, made->error_ns);
	}
}

struct calls_sum calls_sum(const struct calls *calls, uint32_t routine, uint32_t worker, uint32_t entry)
{
	struct calls_sum sum = sum_start(calls);
	for (size_t i = first_entry(calls, routine, worker); i < calls->entry_count; i++) {
		const struct calls_entry *row = &calls->entries[i];
		if (row->routine != routine || (worker != CALLS_ALL && row->worker != worker))
			break;
		if (entry == CALLS_ALL || row->entry == entry)
			sum_add(&sum, row);
	}
	if (!calls->has_times && entry == CALLS_ALL)
		add(&sum.callee_calls, 0); /* calls were counted, and the routine made none */
	return sum;
}

struct calls_sum calls_total(const struct calls *calls, uint32_t worker)
{
	struct calls_sum sum = sum_start(calls);
	for (size_t i = 0; i < calls->entry_count; i++)
		if (worker == CALLS_ALL || calls->entries[i].worker == worker)
			sum_add(&sum, &calls->entries[i]);
	return sum;
}

const struct calls_inside *calls_inside_of(const struct calls *calls, uint32_t routine)
{
	struct calls_inside key = {.routine = routine};
	return calls->inside_count ? bsearch(&key, calls->inside, calls->inside_count, sizeof key, inside_order) : NULL;
}

int64_t calls_cpu_ns(const struct calls *calls, uint32_t routine, int64_t direct_ns)
{
	const struct calls_inside *inside = calls_inside_of(calls, routine);
	if (direct_ns == RUN_UNKNOWN || !calls->has_snapshots)
		return RUN_UNKNOWN;
	if (!inside || inside->running_ns == 0 || inside->off_cpu_ns == 0)
		return direct_ns;
	double off = (double)inside->off_cpu_ns / (double)inside->running_ns;
	return number_whole((double)direct_ns * (off < 1 ? 1 - off : 0));
}

uint64_t calls_level_ns(const struct calls *calls, uint32_t from, uint32_t to)
{
	uint64_t ns = 0;
	for (size_t i = 0; i < calls->level_count; i++) {
		const struct calls_level *level = &calls->levels[i];
		if (level->routine == RUN_NOWHERE && level->working >= from && level->working <= to)
			ns += level->ns;
	}
	return ns;
}

double calls_error(uint64_t snapshots, uint64_t of)
{
	if (of == 0)
		return 1;
	double share = (double)snapshots / (double)of;
	share = share > 1 ? 1 : share;
	return 1.96 * sqrt(share * (1 - share) / (double)of);
}
