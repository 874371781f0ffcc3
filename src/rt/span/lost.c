/* SPDX-License-Identifier: MIT */
/* lost.c: rows and lanes for what cannot be recorded.
 *
 * Problem: inlined hooks count without asking whether there is something to count into. A thread may have no lane
 * (the runtime has no session, has not met the thread yet, or has no memory), a lane no rows for an object (the disk is
 * full), and the child of a vfork must leave its parent's alone.
 * Idea: every object brings rows that are never read. A table of those stands for the tables of a thread that has none,
 * so each object has a slot even where nothing is recorded. Rows of a lane that found no space lie in memory, and what
 * was counted in them is told at the end. Lanes of threads that have none are taken from a small array in turn: threads
 * share one only where there are very many, and what then goes wrong in a log stays within these logs.
 * Cost: none for what is recorded. */
#include "rt/span/span.h"

#include "rt/rt.h"
#include "threads/arena.h"

enum { LANES = 128, LOG_ENTRIES = 32, SPILL_ENTRIES = 1024 };

/* Rows of a lane that found no space in the recording. */
struct unwritten {
	struct unwritten *next;
	uint32_t sites;
	struct span_site rows[];
};

static struct {
	uint64_t *tables[SELF_TABLES_MAX]; /* of objects, by their slots */
	uint32_t late_sites;               /* of tables[0]: objects for which no slot was left share it */
	atomic_uint threads;               /* how many threads were given one of the lanes */
	_Atomic(struct unwritten *) unwritten;
	struct span_lane lanes[LANES];
	struct span_entry logs[LANES * LOG_ENTRIES + SPILL_ENTRIES];
} lost;

static bool no_room(struct span_lane *lane)
{
	(void)lane;
	return false;
}

/* ---- objects ---- */

static struct span_site *unwritten_rows(uint32_t sites)
{
	struct unwritten *u = arena_take(sizeof *u + sites * sizeof *u->rows);
	if (!u)
		return NULL;
	u->sites = sites;
	u->next = atomic_load(&lost.unwritten);
	while (!atomic_compare_exchange_weak(&lost.unwritten, &u->next, u))
		;
	return u->rows;
}

/* One table for all of them, as large as the largest needs; the old one may be in use, and stays. */
static void share_late_rows(const struct skein_object *object)
{
	if (lost.tables[0] && object->sites <= lost.late_sites)
		return;
	struct span_site *rows = unwritten_rows(object->sites);
	lost.tables[0] = rows ? (uint64_t *)rows : object->nowhere;
	lost.late_sites = object->sites;
	for (unsigned i = 0; i < lane_count(); i++)
		if (span_worker(lane_at(i)))
			span_worker(lane_at(i))->tables[0] = lost.tables[0];
}

void lost_opened(const struct skein_object *object)
{
	if (object->slot)
		lost.tables[object->slot] = object->nowhere;
	else
		share_late_rows(object);
}

/* What pointed to the rows of the object points to those of the next one in its slot, when it comes. */
void lost_closed(const struct skein_object *object)
{
	for (unsigned i = 0; i < lane_count(); i++) {
		struct span_worker *w = span_worker(lane_at(i));
		if (w && w->tables[object->slot] == object->nowhere)
			w->tables[object->slot] = NULL;
		if (w)
			under_closed(w, object);
	}
	if (object->slot && lost.tables[object->slot] == object->nowhere)
		lost.tables[object->slot] = NULL;
}

/* ---- threads ---- */

struct span_site *lost_rows(struct span_worker *w, const struct skein_object *object)
{
	struct span_site *rows = object->slot ? unwritten_rows(object->sites) : (struct span_site *)lost.tables[0];
	if (!rows)
		rows = (struct span_site *)object->nowhere;
	w->tables[object->slot] = (uint64_t *)rows;
	return rows;
}

void lost_thread(struct skein_self *self, bool for_good)
{
	self->tables = lost.tables;
	if (!for_good || self->span != &skein_no_span)
		return;
	unsigned number = atomic_fetch_add_explicit(&lost.threads, 1, memory_order_relaxed) % LANES;
	struct span_lane *lane = &lost.lanes[number];
	lane->log = &lost.logs[(size_t)number * LOG_ENTRIES];
	lane->room = LOG_ENTRIES * sizeof *lane->log;
	lane->need_room = no_room;
	self->span = lane;
}

/* ---- the end ---- */

void lost_tell(bool tell)
{
	uint64_t calls = 0;
	for (struct unwritten *u = atomic_load(&lost.unwritten); u; u = u->next)
		for (uint32_t i = 0; i < u->sites; i++) {
			calls += u->rows[i].on_work[SPAN_LOCAL].count;
			u->rows[i].on_work[SPAN_LOCAL].count = 0;
		}
	if (calls && tell)
		raw_lose(RAW_LOST_NO_SPACE, calls);
}
