/* SPDX-License-Identifier: MIT */
/* region.c: parts of routines that the user marked with skein_begin and skein_end: routines without a function. */
#include "rt/calls/calls.h"

#include <string.h>
#include "threads/arena.h"

/* A list that only grows; a name is looked up by its address first, since it is nearly always a literal. */
struct region {
	struct region *next;
	const char *address;
	uint32_t routine, line;
	uint32_t name_bytes, text_bytes;
	char text[]; /* name, file */
};

static _Atomic(struct region *) regions;

RT_API void skein_region_begin(const char *name, const char *file, unsigned line);
RT_API void skein_region_end(void);

static void write_record(const struct region *r)
{
	struct raw_name *record = raw_add(RAW_PENDING, sizeof *record + r->text_bytes);
	if (!record)
		return;
	record->routine = r->routine;
	record->line = r->line;
	record->text_bytes = r->text_bytes;
	memcpy(record->text, r->text, r->text_bytes);
	raw_done(&record->record, RAW_NAME);
}

static struct region *find(const char *name)
{
	for (struct region *r = atomic_load(&regions); r; r = r->next)
		if (r->address == name && strcmp(r->text, name) == 0)
			return r;
	for (struct region *r = atomic_load(&regions); r; r = r->next)
		if (strcmp(r->text, name) == 0)
			return r;
	return NULL;
}

/* Two threads that add the same name at once give it two numbers; the reader adds routines of one name and place. */
static struct region *add(const char *name, const char *file, unsigned line)
{
	size_t name_bytes = strlen(name) + 1, file_bytes = strlen(file) + 1;
	struct region *r = arena_take(sizeof *r + name_bytes + file_bytes);
	uint32_t routine = r ? objects_new_routine() : 0;
	if (!routine)
		return NULL;
	r->address = name;
	r->routine = routine;
	r->line = line;
	r->name_bytes = (uint32_t)name_bytes;
	r->text_bytes = (uint32_t)(name_bytes + file_bytes);
	memcpy(r->text, name, name_bytes);
	memcpy(r->text + name_bytes, file, file_bytes);
	write_record(r);
	r->next = atomic_load(&regions);
	while (!atomic_compare_exchange_weak(&regions, &r->next, r))
		;
	return r;
}

void skein_region_begin(const char *name, const char *file, unsigned line)
{
	struct skein_self *self = threads_started() ? threads_meet() : &skein_self;
	struct worker *w = calls_mine(self);
	struct region *r = w && !self->vforked ? find(name) : NULL;
	if (!r && w && !self->vforked)
		r = add(name, file, line);
	if (!r || !calls_deepen(w)) {
		raw_lose(RAW_LOST_TOO_EARLY, 1);
		return;
	}
	uint64_t concurrent = atomic_load_explicit(&skein_n_working, memory_order_relaxed) > 1;
	uint64_t as_caller = raw_header()->flags & RAW_COUNTS ? self->from & ~(uint64_t)15 : w->lane.top->as_caller;
	struct calls_arc *arc = skein_rt_arc(&w->lane, calls_key(as_caller, r->routine, concurrent));
	if (raw_header()->flags & RAW_COUNTS)
		arc->calls++;
	else
		calls_push(&w->lane, arc, r->routine, concurrent, true)->start = calls_now(w);
}

static bool is_region(uint32_t routine)
{
	for (struct region *r = atomic_load(&regions); r; r = r->next)
		if (r->routine == routine)
			return true;
	return false;
}

/* An end without a beginning is left alone: the frame on top is then a routine's. */
void skein_region_end(void)
{
	struct worker *w = calls_mine(&skein_self);
	if (!w || w->lane.top == w->lane.base || w->lane.top->arc->flags & CALLS_ELSEWHERE)
		return;
	uint32_t routine = calls_routine_of(w->lane.top->as_caller);
	if (is_region(routine))
		calls_pop(&w->lane, w->lane.top, routine, calls_now(w));
}
