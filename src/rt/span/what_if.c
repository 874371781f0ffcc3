/* SPDX-License-Identifier: MIT */
/* what_if.c: --what-if in a subject. core/span/what_if.h has the algorithm; this file says where its positions are
 * stored. Every invocation then runs in the general way (general.c), so that all events are seen. What has children
 * keeps their latest end: a scope, a loop, and as a point whatever threads and OpenMP tasks are waited for by.
 * Memory is taken from the arena when the first child begins and given back at the wait; without what-ifs there is
 * none. */
#include "rt/span/span.h"

#include "core/decimal.h"
#include "threads/arena.h"
#include "threads/session.h"

static struct {
	double factors[SPAN_WHAT_IFS];
	uint32_t count;
	_Atomic double work[SPAN_WHAT_IFS]; /* of threads that have ended */
} all;

/* Factors are decimal numbers divided by spaces: the command line has seen to it. */
void what_ifs_start(void)
{
	for (const char *at = session_value(SESSION_WHAT_IF); *at && all.count < SPAN_WHAT_IFS; at += *at == ' ') {
		double value = (double)decimal_read(&at), unit = 1;
		for (at += *at == '.'; decimal_is_digit(*at); at++, unit *= 10)
			value = value * 10 + (*at - '0');
		if (*at && *at != ' ')
			break;
		all.factors[all.count++] = value / unit;
	}
	span_rt.what_ifs = all.count > 0;
}

static struct span_what_if *mine(void)
{
	struct span_worker *w = span_rt.what_ifs ? span_worker(skein_self.lane) : NULL;
	return w ? w->what_if : NULL;
}

static struct span_ends *new_ends(void)
{
	struct span_ends *ends = arena_take(sizeof *ends);
	if (!ends)
		raw_lose(RAW_LOST_NO_MEMORY, 1);
	return ends;
}

/* Before an exec the program is summed up as at its end. If that fails it goes on, and needs them again. */
static void drop(struct span_ends **ends)
{
	if (!span_rt.execs)
		arena_give(*ends, sizeof **ends);
	*ends = NULL;
}

/* ---- calls, spawns, loops ---- */

void what_ifs_strand(uint64_t length)
{
	struct span_what_if *w = mine();
	if (w)
		what_if_strand(w, length);
}

void what_ifs_call(const struct rt_frame *f)
{
	struct span_what_if *w = mine();
	if (w)
		what_if_open(w, f->marks);
}

void what_ifs_return(const struct rt_frame *f)
{
	struct span_what_if *w = mine();
	if (w)
		what_if_close(w, f->marks);
}

void what_ifs_enter(const struct rt_frame *f)
{
	struct span_what_if *w = mine();
	if (w)
		what_if_open(w, f->entry_marks);
}

void what_ifs_leave(const struct rt_frame *f)
{
	struct span_what_if *w = mine();
	if (w)
		what_if_close(w, f->entry_marks);
}

void what_ifs_spawn(struct rt_frame *f)
{
	struct span_what_if *w = mine();
	if (w && (f->before || (f->before = new_ends())))
		what_if_note(w, f->before);
}

static void child_ended(struct span_what_if *w, struct rt_frame *f, struct span_ends **latest)
{
	if (*latest || (*latest = new_ends()))
		what_if_later(w, *latest);
	what_if_back(w, f->before);
	drop(&f->before);
}

void what_ifs_spawned(struct rt_frame *f, struct rt_scope *s)
{
	struct span_what_if *w = mine();
	if (w && f->before)
		child_ended(w, f, &s->latest);
}

void what_ifs_sync(struct rt_scope *s)
{
	struct span_what_if *w = mine();
	if (w && s->latest)
		what_if_wait(w, s->latest);
	if (s->latest)
		drop(&s->latest);
}

/* `before` is where the loop begins, and so does each iteration. */
void what_ifs_iteration(struct rt_frame *loop)
{
	struct span_what_if *w = mine();
	if (w && !loop->before)
		what_ifs_spawn(loop);
	else if (w)
		what_if_back(w, loop->before);
}

void what_ifs_iterated(struct rt_frame *loop)
{
	struct span_what_if *w = mine();
	if (w && (loop->latest || (loop->latest = new_ends())))
		what_if_later(w, loop->latest);
}

void what_ifs_looped(struct rt_frame *loop)
{
	struct span_what_if *w = mine();
	if (w && loop->latest)
		what_if_back(w, loop->latest);
	if (loop->latest)
		drop(&loop->latest);
	if (loop->before)
		drop(&loop->before);
}

/* ---- points: OpenMP tasks and threads ---- */

void what_ifs_offer(struct rt_point *best, const struct rt_point *from)
{
	struct span_what_if *w = from ? NULL : mine();
	if ((from ? !from->ends : !w) || (!best->ends && !(best->ends = new_ends())))
		return;
	if (from)
		what_if_latest(all.count, best->ends, from->ends);
	else
		what_if_later(w, best->ends);
}

void what_ifs_wait(struct span_worker *w, const struct rt_point *p)
{
	if (w && w->what_if && p->ends)
		what_if_wait(w->what_if, p->ends);
}

void what_ifs_forget(struct rt_point *p)
{
	if (p->ends)
		drop(&p->ends);
}

void what_ifs_task_ended(struct rt_frame *f)
{
	struct span_what_if *w = mine();
	if (w && f->before) {
		what_if_back(w, f->before);
		drop(&f->before);
	}
}

/* A thread begins where it was created, under the sites that were open there. */
uint32_t what_ifs_open(void)
{
	struct span_what_if *w = mine();
	return w ? what_if_marks(w) : 0;
}

void what_ifs_thread_begin(struct span_worker *w, const struct rt_point *created, uint32_t open)
{
	if (!span_rt.what_ifs || (!w->what_if && !(w->what_if = arena_take(sizeof *w->what_if))))
		return;
	what_if_begin(w->what_if, all.factors, all.count);
	what_if_open(w->what_if, open);
	if (created && created->ends)
		what_if_back(w->what_if, created->ends);
}

void what_ifs_thread_end(struct span_worker *w)
{
	for (uint32_t k = 0; w->what_if && k < all.count; k++) {
		double before = all.work[k];
		while (!atomic_compare_exchange_weak(&all.work[k], &before, before + w->what_if->work[k]))
			;
		w->what_if->work[k] = 0;
	}
}

/* With what threads that run on have done. */
static double work_of_all(uint32_t k)
{
	double work = all.work[k];
	for (unsigned i = 0; i < lane_count(); i++) {
		const struct span_worker *w = span_worker(lane_at(i));
		work += w && w->what_if ? w->what_if->work[k] : 0;
	}
	return work;
}

/* The program ends in this thread, or would if an exec succeeded. */
void what_ifs_finish(struct span_worker *w)
{
	if (!w->what_if)
		return;
	if (!w->what_if_rows) {
		struct raw_table *table = raw_add_table(RAW_SPAN_WHAT_IF, w->number, 0, all.count);
		if (!table)
			return;
		table->used = all.count;
		w->what_if_rows = raw_rows(table);
	}
	for (uint32_t k = 0; k < all.count; k++)
		w->what_if_rows[k] = (struct raw_span_what_if){work_of_all(k), w->what_if->here.at[k]};
}

/* In the child of a fork: what was before is its parent's. */
void what_ifs_restart(struct span_worker *w)
{
	for (uint32_t k = 0; w->what_if && k < all.count; k++) {
		all.work[k] = 0;
		w->what_if->work[k] = w->what_if->here.at[k] = 0;
	}
}

static void clear(struct span_ends *ends)
{
	if (ends)
		*ends = (struct span_ends){{0}};
}

void what_ifs_restart_frame(struct rt_frame *f)
{
	clear(f->before);
	clear(f->latest);
	for (struct rt_scope *s = f->scopes; s; s = s->next)
		clear(s->latest);
}
