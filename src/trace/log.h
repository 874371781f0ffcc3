/* SPDX-License-Identifier: MIT */
/* log.h: the log of a lane, which its thread alone writes; for the files of this folder.
 *
 *     struct log *log;
 *     if (!log_enter(self, &log)) …        the thread is in here already, and a signal handler came: what it does is lost
 *     log_put(self, log, &record);
 *     log_leave(self, log); */
#ifndef SKEIN_TRACE_LOG_H
#define SKEIN_TRACE_LOG_H

#include "core/flow/hot.h"
#include "threads/threads.h"
#include "trace/chunks.h"
#include "trace/paths.h"

enum { LOG_PLACES = 64 };

struct log_adopted {
	uint64_t token;
	uint64_t depth; /* of the frame that stands for its creator */
};

/* Of a thread at one time. */
struct log_clocks {
	uint64_t tick, ns, cpu_ns;
	uint64_t thread; /* number of the thread + 1 */
	uint64_t waited; /* ticks since then in which it waited */
};

struct log {
	struct flow_hot hot; /* first: skein_self.flow points here */
	struct chunks chunks;
	uint64_t clock;         /* see clock.h */
	uint32_t paused;        /* 1: the last record of the thread is a PAUSE */
	struct object *barrier; /* at which it waits, if it does */
	/* where the end of a wait for input was written, if nothing has come since but another such wait; and how much is written by then */
	bool polls, is_polled;
	struct flow_mark polled;
	uint64_t behind_polled;
	/* the release that was recorded last, if nothing was recorded since */
	const struct object *released;
	uintptr_t released_by; /* the call whose acquisition it ended */
	struct flow_mark before_release;
	uint64_t behind_release; /* bytes of the chunk then: hooks record without a word */
	/* likewise: the try that failed last */
	const struct object *refused;
	uintptr_t refused_by;
	uint64_t behind_refused;
	uint32_t generation; /* of places */
	struct {
		uintptr_t address;
		uint64_t place;
	} places[LOG_PLACES];
	struct paths paths;          /* of waits */
	struct log_adopted *adopted; /* routines.c: what the thread has adopted, innermost last */
	uint32_t adopted_count, adopted_room;
	/* lack.c: since when the thread has worked, or the last look; looked: the tick of the last operation */
	struct log_clocks clocks;
	uint64_t looked, paused_tick; /* paused_tick: when the wait began that goes on */
	bool was_paused;              /* when the operation began that is under way */
	bool owes_unwind;             /* a return found no space: the next record of a routine comes behind a FLOW_UNWIND */
};

bool log_enter(struct skein_self *self, struct log **log); /* false: counted as lost */
void log_leave(struct skein_self *self, struct log *log);
bool log_put(struct skein_self *self, struct log *log, const struct flow_record *record); /* false: no space, counted as lost */

#endif
