/* SPDX-License-Identifier: MIT */
/* routines.c: entries and returns of routines that the hooks of a re-linked program (src/rt/flow/hooks.c) do not record themselves:
 * in a thread that is new, behind the end of a chunk, after a long time, where a jump has left frames; and what a thread adopts.
 *
 * Frames are counted, not held: each activation knows its depth (core/flow/hot.h). */
#include "rt/flow/routines.h"

#include <errno.h>
#include "raw/writer.h"
#include "threads/arena.h"
#include "trace/clock.h"
#include "trace/trace.h"

enum { FIRST_ADOPTED = 8 };

static struct flow_record record_of(const struct log *log, enum flow_kind kind, uint64_t field)
{
	return (struct flow_record){.time = clock_now(log), .kind = kind, .field = {field}};
}

static bool put(struct skein_self *self, struct log *log, enum flow_kind kind, uint64_t field)
{
	struct flow_record unwind = record_of(log, FLOW_UNWIND, log->hot.depth), record = record_of(log, kind, field);
	if (log->owes_unwind && log_put(self, log, &unwind))
		log->owes_unwind = false;
	return !log->owes_unwind && log_put(self, log, &record);
}

/* Frames from `depth` on are gone, whether there is space to say so or not. */
static void unwind(struct skein_self *self, struct log *log, uint64_t depth)
{
	log->hot.depth = depth;
	if (!put(self, log, FLOW_UNWIND, depth))
		log->owes_unwind = true;
}

static uint64_t enter(struct skein_self *self, uint32_t routine)
{
	struct log *log;
	uint64_t mine = 0;
	if (!log_enter(self, &log))
		return 0;
	if (put(self, log, FLOW_ENTRY, routine))
		mine = ++log->hot.depth;
	log_leave(self, log);
	return mine;
}

uint64_t skein_trace_enter(struct skein_object *object, uint32_t index)
{
	struct skein_self *self = &skein_self;
	int error = errno;
	if (self->vforked) {
		raw_lose(RAW_LOST_VFORK, 1);
		return 0;
	}
	if (!object->first_routine)
		skein_rt_register(object);
	self = threads_meet();
	uint64_t mine = 0;
	if (self->lane && object->first_routine)
		mine = enter(self, object->first_routine + index);
	else
		raw_lose(RAW_LOST_TOO_EARLY, 1);
	errno = error;
	return mine;
}

/* The log of the thread that runs an activation; false: the activation is not recorded, or is another thread's by now. */
static bool find(uint64_t mine, struct log **log)
{
	struct skein_self *self = &skein_self;
	return mine && self->lane && mine <= self->flow->depth && log_enter(self, log);
}

void skein_trace_leave(uint64_t mine)
{
	int error = errno;
	struct log *log;
	if (!find(mine, &log))
		return;
	if (log->hot.depth != mine)
		unwind(&skein_self, log, mine);
	if (!put(&skein_self, log, FLOW_RETURN, 0))
		log->owes_unwind = true;
	log->hot.depth = mine - 1;
	log_leave(&skein_self, log);
	errno = error;
}

void skein_trace_catch(uint64_t mine)
{
	int error = errno;
	struct log *log;
	if (!find(mine, &log))
		return;
	if (log->hot.depth != mine)
		unwind(&skein_self, log, mine);
	log_leave(&skein_self, log);
	errno = error;
}

/* ---- what begins elsewhere ---- */

void trace_routines(struct skein_self *self)
{
	struct log *log = self->lane->lens;
	if (log)
		self->flow = &log->hot;
}

void trace_no_routines(struct skein_self *self)
{
	self->flow = &skein_no_flow;
}

void *trace_lend(struct skein_self *self)
{
	struct log *log;
	if (!log_enter(self, &log))
		return NULL;
	uint64_t token = trace_token();
	bool is_told = put(self, log, FLOW_LEND, token);
	log_leave(self, log);
	return is_told ? (void *)(uintptr_t)token : NULL;
}

static bool has_room(struct log *log)
{
	uint32_t room = log->adopted_room ? 2 * log->adopted_room : FIRST_ADOPTED;
	if (log->adopted_count < log->adopted_room)
		return true;
	struct log_adopted *larger = arena_take(room * sizeof *larger);
	if (!larger)
		return false;
	for (uint32_t i = 0; i < log->adopted_count; i++)
		larger[i] = log->adopted[i];
	arena_give(log->adopted, log->adopted_room * sizeof *larger);
	log->adopted = larger;
	log->adopted_room = room;
	return true;
}

/* A jump may have left some. */
static void forget_gone(struct log *log)
{
	while (log->adopted_count && log->adopted[log->adopted_count - 1].depth > log->hot.depth)
		log->adopted_count--;
}

void trace_adopt(struct skein_self *self, void *inherited)
{
	struct log *log;
	uint64_t token = (uint64_t)(uintptr_t)inherited;
	if (!log_enter(self, &log))
		return;
	forget_gone(log);
	if (!has_room(log))
		raw_lose(RAW_LOST_NO_MEMORY, 1);
	else if (put(self, log, FLOW_ADOPT, token))
		log->adopted[log->adopted_count++] = (struct log_adopted){token, ++log->hot.depth};
	log_leave(self, log);
}

/* Whatever the task left open above its frame ends with it. */
void trace_disown(struct skein_self *self, void *inherited)
{
	struct log *log;
	uint64_t token = (uint64_t)(uintptr_t)inherited;
	if (!log_enter(self, &log))
		return;
	forget_gone(log);
	uint32_t i = log->adopted_count;
	while (i && log->adopted[i - 1].token != token)
		i--;
	if (i) {
		log->adopted_count = i - 1;
		unwind(self, log, log->adopted[i - 1].depth - 1);
	}
	log_leave(self, log);
}
