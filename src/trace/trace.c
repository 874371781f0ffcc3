/* SPDX-License-Identifier: MIT */
/* trace.c: from what src/threads tells to records in logs.
 *
 * A lock that one thread takes again and again orders nothing. So a lock that only one thread has had is not in its log, and of the
 * releases that one thread did in a row the last one counts: where nothing else came between, the record of the one before is taken
 * back (flow_log_return). A tick is read for each release and for one acquisition of eight: it takes longer than all the rest. */
#include "trace/trace.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include "raw/kernel.h"
#include "raw/writer.h"
#include "threads/arena.h"
#include "trace/clock.h"
#include "trace/lack.h"
#include "trace/objects.h"
#include "trace/pipes.h"
#include "unwind/modules.h"

enum { TIMED = 8, SLOW_TICKS = 50000 };

static _Atomic uint64_t last_token;
static bool orders;         /* records have no times */
static uint64_t fork_token; /* of the fork that is under way; the child has a copy */

/* The next record begins one. */
static void have_no_chunk(struct log *log)
{
	static struct flow_head none;
	log->hot.chunk = (struct flow_chunk){.head = &none};
	log->hot.orders = orders;
}

void trace_order(void)
{
	orders = true;
}

static struct log *log_of(struct skein_self *self)
{
	struct lane *lane = self->lane;
	if (!lane->lens && (lane->lens = arena_take(sizeof(struct log))))
		have_no_chunk(lane->lens);
	return lane->lens;
}

/* Whether the code that was at work in the log was left by a jump out of a signal handler: its stack is gone. Addresses tell if both
 * are on the thread's own stack: what the kernel puts there for a handler is larger than a frame of ours. */
static bool was_left(const struct log *log, uintptr_t here)
{
	stack_t now = {0};
	return log->hot.busy < here && kernel_call(SYS_sigaltstack, NULL, &now) == 0 && !(now.ss_flags & SS_ONSTACK);
}

bool log_enter(struct skein_self *self, struct log **log)
{
	uintptr_t here = (uintptr_t)&here;
	*log = log_of(self);
	if (*log && (*log)->hot.busy && was_left(*log, here))
		have_no_chunk(*log);
	else if (!*log || (*log)->hot.busy) {
		raw_lose(*log ? RAW_LOST_IN_SIGNAL : RAW_LOST_NO_MEMORY, 1);
		return false;
	}
	(*log)->hot.busy = here;
	atomic_signal_fence(memory_order_seq_cst);
	lack_look(self, *log);
	return true;
}

void log_leave(struct skein_self *self, struct log *log)
{
	lack_begin(self, log);
	atomic_signal_fence(memory_order_seq_cst);
	log->hot.busy = 0;
}

/* Where older chunks may go, each one says whose it is. */
static bool begin_chunk(struct skein_self *self, struct log *log, const struct flow_record *first)
{
	bool goes_on = chunks_are_ring() && log->chunks.count && first->kind != FLOW_BEGIN;
	struct raw_table *table = chunks_next(&log->chunks, self->lane->number);
	if (!table)
		return false;
	flow_chunk_start(&log->hot.chunk, raw_rows(table), table->capacity * sizeof(uint64_t), first->time);
	if (goes_on)
		flow_log_put(&log->hot.chunk,
		             &(struct flow_record){.time = first->time,
		                                   .kind = FLOW_BEGIN,
		                                   .field = {FLOW_GOES_ON, self->number, kernel_tid()}});
	return true;
}

bool log_put(struct skein_self *self, struct log *log, const struct flow_record *record)
{
	bool goes_on = log->is_polled && record->kind == FLOW_PAUSE && record->field[0] == RAW_WAIT_IO &&
		log->hot.chunk.head->used == log->behind_polled;
	log->released = NULL;
	log->is_polled = false;
	if (flow_log_put(&log->hot.chunk, record)) {
		log->is_polled = goes_on;
		log->behind_polled = log->hot.chunk.head->used;
		return true;
	}
	if (begin_chunk(self, log, record))
		return flow_log_put(&log->hot.chunk, record);
	raw_lose(RAW_LOST_NO_SPACE, 1);
	return false;
}

static uint64_t place_of(struct log *log, uintptr_t address)
{
	size_t i = (address >> 2 ^ address >> 9) % LOG_PLACES;
	uint32_t generation = modules_generation();
	if (log->places[i].address != address || log->generation != generation) {
		if (log->generation != generation)
			memset(log->places, 0, sizeof log->places);
		log->generation = generation;
		log->places[i].place = modules_place(address);
		log->places[i].address = address;
	}
	return log->places[i].place;
}

/* ---- threads ---- */

uint64_t trace_token(void)
{
	return atomic_fetch_add(&last_token, 1) + 1;
}

/* What is captured is a number, which both threads name. */
static uint64_t capture(struct skein_self *self, bool forks)
{
	struct log *log;
	if (!log_enter(self, &log))
		return 0;
	uint64_t token = trace_token();
	uint32_t path = self->wait_place ? paths_here(&log->paths, self->lane->number, self->wait_place) : 0;
	log_put(self, log, &(struct flow_record){.time = clock_anywhere(log), .kind = FLOW_CREATE, .field = {token, path, forks}});
	log_leave(self, log);
	return token;
}

void *trace_capture(struct skein_self *self)
{
	return (void *)(uintptr_t)capture(self, false);
}

void trace_before_fork(struct skein_self *self)
{
	fork_token = self->lane ? capture(self, true) : 0;
}

static void put_begin(struct skein_self *self, struct log *log, const void *inherited)
{
	log_put(self, log,
	        &(struct flow_record){.time = clock_anywhere(log),
	                              .kind = FLOW_BEGIN,
	                              .field = {(uint64_t)(uintptr_t)inherited, self->number, kernel_tid()}});
}

void trace_thread_begin(struct skein_self *self, void *inherited)
{
	struct log *log;
	if (!log_enter(self, &log))
		return;
	log->paused = 0;
	log->hot.depth = 1;
	paths_begin(&log->paths);
	put_begin(self, log, inherited);
	log_leave(self, log);
}

void trace_thread_end(struct skein_self *self)
{
	struct log *log;
	if (!log_enter(self, &log))
		return;
	log_put(self, log, &(struct flow_record){.time = clock_anywhere(log), .kind = FLOW_END, .field = {(uint64_t)self->lane->handle}});
	log_leave(self, log);
	self->flow = &skein_no_flow;
}

void trace_exit(struct skein_self *self, bool execs)
{
	struct log *log;
	if (!log_enter(self, &log))
		return;
	log_put(self, log, &(struct flow_record){.time = clock_anywhere(log), .kind = FLOW_EXIT, .field = {execs}});
	log_leave(self, log);
}

/* ---- waits ---- */

static enum raw_flow_what what_waits(enum raw_wait kind)
{
	switch (kind) {
	case RAW_WAIT_CONDITION: return RAW_FLOW_CONDITION;
	case RAW_WAIT_SEMAPHORE: return RAW_FLOW_SEMAPHORE;
	case RAW_WAIT_BARRIER: return RAW_FLOW_BARRIER;
	default: return RAW_FLOW_LOCK;
	}
}

/* How the program came to the object's first event tells it from others that the same function takes. Two threads may say so at once. */
static struct object *find(struct skein_self *self, struct log *log, const void *address, enum raw_flow_what what, const void *caller)
{
	struct object *o = object_find(address, what, (uintptr_t)caller);
	if (!o)
		raw_lose(RAW_LOST_NO_MEMORY, 1);
	else if (__builtin_expect(!o->row->lane, 0)) {
		o->row->lane = self->lane->number + 1;
		o->row->path = caller ? paths_here(&log->paths, self->lane->number, caller) : 0;
	}
	return o;
}

void trace_wait_begin(struct skein_self *self)
{
	struct log *log;
	enum raw_wait kind = (enum raw_wait)self->wait_kind;
	if (!log_enter(self, &log))
		return;
	/* The rest is no work of the program's; and the wait may have turned into one of this kind earlier. */
	uint64_t now = self->wait_start && !clock_orders(log) ? self->wait_start : clock_now(log);
	struct object *o = (uintptr_t)self->wait_object > RAW_CHILD_PROCESS && !raw_wait_is_for_ranks(kind)
		? find(self, log, self->wait_object, what_waits(kind), self->wait_place)
		: NULL;
	uint32_t path = self->wait_place ? paths_here(&log->paths, self->lane->number, self->wait_place) : 0;
	log_put(self, log, &(struct flow_record){.time = now, .kind = FLOW_PAUSE, .field = {kind, o ? o->number : 0, path}});
	log->paused = 1;
	log->barrier = kind == RAW_WAIT_BARRIER ? o : NULL;
	log_leave(self, log);
}

/* Nothing in the run is known that ended the wait. */
static void end_alone(struct skein_self *self, struct log *log, uint64_t end)
{
	struct flow_mark before = flow_log_mark(&log->hot.chunk);
	const struct flow_head *chunk = log->hot.chunk.head;
	bool polls = log->polls;
	log->polls = false;
	log_put(self, log, &(struct flow_record){.time = clock_orders(log) ? log->clock : end, .kind = FLOW_GO});
	if (!polls || chunk != log->hot.chunk.head)
		return;
	log->is_polled = true;
	log->polled = before;
}

static void pass(struct skein_self *self, struct log *log, uint64_t end)
{
	clock_pull(log, log->barrier);
	log_put(self, log,
	        &(struct flow_record){.time = clock_orders(log) ? log->clock : end, .kind = FLOW_PASS, .field = {log->barrier->number, 0}});
	clock_raise(log, log->barrier);
}

void trace_wait_end(struct skein_self *self, enum raw_wait kind, uint64_t start, uint64_t end)
{
	struct log *log;
	(void)kind;
	(void)start;
	if (!log_enter(self, &log))
		return;
	if (log->paused && log->barrier)
		pass(self, log, end);
	else if (log->paused)
		end_alone(self, log, end);
	log->paused = 0;
	log_leave(self, log);
}

/* ---- objects ---- */

static void record(struct skein_self *self, struct log *log, enum flow_kind kind, struct object *o, const void *caller)
{
	clock_pull(log, o);
	uint64_t time = raw_flow_is_shared(o->row->what) ? clock_anywhere(log) : clock_now(log);
	log_put(self, log, &(struct flow_record){.time = time, .kind = kind, .field = {o->number, place_of(log, (uintptr_t)caller)}});
	clock_raise(log, o);
	log->paused = 0;
}

/* The thread has the lock, so no other thread is in here. */
static void acquire(struct skein_self *self, struct log *log, struct object *o, const void *caller)
{
	uint32_t me = self->number + 1;
	bool again = o->owner == me;
	o->row->acquired++;
	if (again && o->depth) {
		o->depth++;
		return;
	}
	if (!o->owner)
		o->row->first_thread = self->number;
	else if (!again)
		o->row->shared = 1;
	o->owner = me;
	o->depth = 1;
	o->taken = 0;
	o->taken_by = (uintptr_t)caller;
	o->weight = 1;
	if (log->paused || (o->row->shared && !again)) {
		record(self, log, FLOW_ACQUIRE, o, caller);
		o->taken = clock_orders(log) ? 0 : log->hot.chunk.time;
	} else if (o->row->acquired % TIMED == 0 && !clock_orders(log)) {
		o->taken = arch_tick();
		o->weight = TIMED;
	}
}

/* Where the acquisition was not recorded either, and the release before it is the last record, that one says nothing any more. Whom the lock
 * kept waiting wants to know where it was taken: where it was given back says little. */
static void release(struct skein_self *self, struct log *log, struct object *o)
{
	uint32_t me = self->number + 1;
	if (o->owner == me && o->depth > 1) {
		o->depth--;
		return;
	}
	clock_pull(log, o);
	uint64_t now = clock_now(log);
	if (o->taken)
		o->row->held_ticks += (now - o->taken) * o->weight;
	o->depth = 0;
	clock_raise(log, o);
	if (!o->row->shared && o->owner == me) {
		o->row->released = now;
		return;
	}
	if (log->released == o && log->released_by == o->taken_by && flow_log_mark(&log->hot.chunk).used == log->behind_release)
		flow_log_return(&log->hot.chunk, &log->before_release);
	struct flow_mark before = flow_log_mark(&log->hot.chunk);
	const struct flow_head *chunk = log->hot.chunk.head;
	log_put(self, log, &(struct flow_record){.time = now, .kind = FLOW_RELEASE, .field = {o->number, place_of(log, o->taken_by)}});
	if (chunk == log->hot.chunk.head) {
		log->released = o;
		log->released_by = o->taken_by;
		log->before_release = before;
		log->behind_release = flow_log_mark(&log->hot.chunk).used;
	}
}

/* What is noted of a number: a thread's handle, a process, or an offer. */
static void follow(struct skein_self *self, struct log *log, enum flow_kind kind, const void *number, const void *caller)
{
	log_put(self, log,
	        &(struct flow_record){.time = clock_anywhere(log),
	                              .kind = kind,
	                              .field = {(uint64_t)(uintptr_t)number, caller ? place_of(log, (uintptr_t)caller) : 0}});
	log->paused = 0;
}

static bool is_shared_name(const void *object)
{
	return ((uint64_t)(uintptr_t)object & RAW_FLOW_SHARED_NAME) == RAW_FLOW_SHARED_NAME;
}

/* A region of OpenMP has no address in memory (threads/ompt.c), and a pipe has none either (pipes.h). */
static enum raw_flow_what what_is_noted(enum flow_kind kind, const void *object)
{
	if ((uint64_t)(uintptr_t)object >> 62 == THREADS_DEPENDENCE >> 62)
		return RAW_FLOW_DEPENDENCE;
	switch (kind) {
	case FLOW_OPEN:
	case FLOW_ENTER: return is_shared_name(object) ? RAW_FLOW_PIPE : (intptr_t)object < 0 ? RAW_FLOW_BARRIER : RAW_FLOW_ATOMIC;
	case FLOW_SHARE:
	case FLOW_UNSHARE: return RAW_FLOW_SHARED_LOCK;
	case FLOW_FILL:
	case FLOW_POST:
	case FLOW_TAKE: return RAW_FLOW_SEMAPHORE;
	case FLOW_LISTEN:
	case FLOW_SIGNAL:
	case FLOW_BROADCAST:
	case FLOW_HEAR:
	case FLOW_IGNORE: return RAW_FLOW_CONDITION;
	case FLOW_ARRIVE:
	case FLOW_PASS: return RAW_FLOW_BARRIER;
	default: return RAW_FLOW_LOCK;
	}
}

/* A thread that tries again and again has one record of that. */
static void refuse(struct skein_self *self, struct log *log, struct object *o, const void *caller)
{
	bool again = log->refused == o && log->refused_by == (uintptr_t)caller && log->hot.chunk.head->used == log->behind_refused;
	__atomic_fetch_add(&o->row->refused, 1, __ATOMIC_RELAXED);
	if (again)
		return;
	record(self, log, FLOW_REFUSE, o, caller);
	log->refused = o;
	log->refused_by = (uintptr_t)caller;
	log->behind_refused = log->hot.chunk.head->used;
}

/* FLOW_UNSHARE is told of each unlock of a read-write lock: whether it was held for writing is known here. One whose first event is to be
 * taken for writing is a lock like others until then. */
static void apply(struct skein_self *self, struct log *log, enum flow_kind kind, struct object *o, const void *caller)
{
	if (kind == FLOW_ACQUIRE && o->row->what == RAW_FLOW_LOCK) {
		acquire(self, log, o, caller);
		return;
	}
	bool is_first = kind == FLOW_UNSHARE && o->row->what == RAW_FLOW_LOCK;
	if (kind == FLOW_RELEASE || is_first) {
		o->row->what = is_first ? RAW_FLOW_SHARED_LOCK : o->row->what;
		release(self, log, o);
		return;
	}
	if (kind == FLOW_REFUSE) {
		refuse(self, log, o, caller);
		return;
	}
	if ((kind == FLOW_OPEN || kind == FLOW_ENTER) && o->row->what == RAW_FLOW_CONDITION)
		o->row->what = RAW_FLOW_ATOMIC; /* the first wait for it did not tell */
	if (kind == FLOW_UNSHARE && o->alone) {
		o->alone = false;
		kind = FLOW_RELEASE;
		caller = (const void *)o->taken_by;
	}
	if (kind == FLOW_ACQUIRE) {
		o->alone = true;
		o->taken_by = (uintptr_t)caller;
	}
	if (kind == FLOW_ACQUIRE || kind == FLOW_SHARE || kind == FLOW_TAKE || (kind == FLOW_ENTER && o->row->what != RAW_FLOW_BARRIER))
		__atomic_fetch_add(&o->row->acquired, 1, __ATOMIC_RELAXED);
	record(self, log, kind, o, caller);
}

void trace_note(struct skein_self *self, enum flow_kind kind, const void *object, const void *caller)
{
	struct log *log;
	if (!log_enter(self, &log))
		return;
	bool has_object = kind != FLOW_JOIN && kind != FLOW_DETACH && kind != FLOW_OFFER && kind != FLOW_FOLLOW;
	struct object *o = has_object ? find(self, log, object, what_is_noted(kind, object), caller) : NULL;
	if (!has_object)
		follow(self, log, kind, object, caller);
	else if (o)
		apply(self, log, kind, o, caller);
	log_leave(self, log);
}

static void pipe_event(struct skein_self *self, struct log *log, enum flow_kind kind, enum raw_flow_what what, const void *name,
                       const void *caller)
{
	what = pipes_is_event(name) ? RAW_FLOW_EVENTFD : what;
	struct object *o = find(self, log, name, what, caller);
	if (o)
		apply(self, log, kind, o, caller);
}

/* A thread that wrote for long had to wait until a reader made room. */
static bool has_waited(const struct log *log)
{
	return log && log->paused && !clock_orders(log) && arch_tick() - log->hot.chunk.time > SLOW_TICKS;
}

/* A thread that looked for something to read, and then reads it, has waited for what it reads. */
static void move_bytes(struct skein_self *self, struct log *log, enum threads_moved what, const void *name, const void *caller)
{
	if (what == THREADS_READ && log->is_polled && log->hot.chunk.head->used == log->behind_polled)
		flow_log_return(&log->hot.chunk, &log->polled);
	if (what != THREADS_WROTE)
		pipe_event(self, log, what == THREADS_READ ? FLOW_ENTER : FLOW_OPEN, RAW_FLOW_PIPE, name, caller);
	if (pipes_is_event(name))
		return; /* an eventfd is never full for long */
	if (what == THREADS_WROTE)
		pipe_event(self, log, FLOW_ENTER, RAW_FLOW_ROOM, pipes_room(name), caller);
	if (what == THREADS_READ)
		pipe_event(self, log, FLOW_OPEN, RAW_FLOW_ROOM, pipes_room(name), caller);
}

/* A name takes a system call: most writes need it once. */
void trace_moved(struct skein_self *self, enum threads_moved what, int fd, const void *caller)
{
	struct log *log;
	if (what == THREADS_WROTE && !has_waited(self->lane->lens))
		return;
	const void *name = what == THREADS_POLLED ? NULL : pipes_name(fd, what != THREADS_READ);
	if ((what != THREADS_POLLED && !name) || !log_enter(self, &log))
		return;
	if (name)
		move_bytes(self, log, what, name, caller);
	else
		log->polls = true;
	log_leave(self, log);
}

void trace_runs(struct skein_self *self, uint64_t number, const void *code, unsigned how)
{
	struct log *log;
	if (!log_enter(self, &log))
		return;
	log_put(self, log,
	        &(struct flow_record){.time = clock_now(log),
	                              .kind = FLOW_RUN,
	                              .field = {number, code ? place_of(log, (uintptr_t)code) : 0, how}});
	log_leave(self, log);
}

void trace_mark(enum flow_said what, uint64_t name, int64_t value)
{
	struct skein_self *self = threads_meet();
	struct log *log;
	if (!self->lane || self->inside || self->vforked || !log_enter(self, &log))
		return;
	log_put(self, log, &(struct flow_record){.time = clock_now(log), .kind = FLOW_MARK, .field = {what, name, (uint64_t)value}});
	log_leave(self, log);
}

void trace_fill(const void *object, uint32_t count, const void *caller)
{
	struct skein_self *self = threads_meet();
	struct log *log;
	if (!self->lane || self->inside || self->vforked || !log_enter(self, &log))
		return;
	struct object *o = find(self, log, object, RAW_FLOW_SEMAPHORE, caller);
	if (o) {
		clock_pull(log, o);
		log_put(self, log, &(struct flow_record){.time = clock_now(log), .kind = FLOW_FILL, .field = {o->number, count}});
		clock_raise(log, o);
	}
	log_leave(self, log);
}

void trace_once(const void *object, const void *caller)
{
	struct skein_self *self = threads_meet();
	struct log *log;
	if (!self->lane || self->inside || self->vforked || !log_enter(self, &log))
		return;
	find(self, log, object, RAW_FLOW_ONCE, caller);
	log_leave(self, log);
}

void trace_forget(void)
{
	object_restart();
	chunks_restart();
	for (unsigned i = 0; i < lane_count(); i++) {
		struct log *log = lane_at(i)->lens;
		if (!log)
			continue;
		paths_restart(&log->paths);
		*log = (struct log){.paths = log->paths, .hot.depth = log->hot.depth, .clock = log->clock};
		have_no_chunk(log);
	}
}

void trace_restart(struct skein_self *self)
{
	struct log *log;
	if (!self->lane || !log_enter(self, &log))
		return;
	put_begin(self, log, (const void *)(uintptr_t)fork_token);
	log_leave(self, log);
}
