/* SPDX-License-Identifier: MIT */
/* runtime.h: the runtime of the lens calls, whose clock shows the ticks of a trace: each event of the trace happens to it as it happened to
 * the program. Nothing of it is written anew: these are its hooks, its workers and its forks (src/rt/calls), with the core.
 *
 *     struct replayed *all = replayed_new();
 *     replayed_event(all, &event, &about, routine);      each event, in order
 *     replayed_end(all, time);
 *     …replayed_rows(all, &count)…                       sorted
 *     replayed_free(all);
 *
 * What stands here for src/threads: which thread works, which waits, and in which lane. */
#include "arch/arch.h"

static uint64_t replayed_tick;
#define arch_tick() replayed_tick
#include "rt/calls/calls.c"
#include "rt/calls/forks.c"
#include "rt/calls/lens.c"
#include "rt/calls/pace.c"
#undef arch_tick

#include <stdlib.h>
#include <sys/mman.h>
#include "analyse/flow/events.h"
#include "base/memory.h"

/* ---- what a runtime stands on ---- */

_Thread_local struct skein_self skein_self __attribute__((tls_model("initial-exec")));
_Atomic uint64_t skein_n_working;
struct calls_lane self_nobody;
uint64_t *self_no_tables[SELF_TABLES_MAX];
struct helpers helpers;

struct replayed_process {
	struct lane *lanes[1024];
	unsigned lane_count;
	uint64_t working;
	uint64_t executes; /* tick at which it became another program */
};

static struct replayed_process *here;
static struct raw_file replayed_header;
static uint64_t replayed_lost;

/* What is taken is given back at the end. */
static void **taken;
static size_t taken_count, taken_room;

static struct raw_table **replayed_tables;
static uint32_t *replayed_table_process;
static size_t replayed_table_count, replayed_table_room, replayed_process_room;
static uint32_t here_number;

static void *replayed_take(size_t bytes)
{
	void *memory = NULL;
	assert_int_equal(posix_memalign(&memory, ARCH_APART_BYTES, bytes), 0);
	memset(memory, 0, bytes);
	MEMORY_GROW(taken, taken_count, taken_room);
	return taken[taken_count++] = memory;
}

void *arena_take(size_t bytes)
{
	return replayed_take(bytes);
}

void arena_give(void *block, size_t bytes)
{
	(void)block, (void)bytes;
}

static struct {
	void *memory;
	size_t bytes;
} *reserved;
static size_t reserved_count, reserved_room;

void *arena_reserve(size_t bytes, size_t *open_bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	*open_bytes = bytes;
	MEMORY_GROW(reserved, reserved_count, reserved_room);
	reserved[reserved_count].memory = memory;
	reserved[reserved_count++].bytes = bytes;
	return memory;
}

void arena_release(void *memory, size_t open_bytes)
{
	(void)memory, (void)open_bytes;
}

bool arena_open(void *memory, size_t bytes, size_t *open_bytes, size_t want_bytes)
{
	(void)memory, (void)open_bytes;
	return want_bytes <= bytes;
}

struct raw_table *raw_add_table(uint32_t kind, uint32_t lane, uint32_t object, uint32_t capacity)
{
	struct raw_table *table = replayed_take(sizeof *table + capacity * sizeof(struct calls_arc));
	assert_int_equal(kind, RAW_CALLS_ARCS);
	(void)object;
	table->lane = lane;
	table->capacity = capacity;
	MEMORY_GROW(replayed_tables, replayed_table_count, replayed_table_room);
	MEMORY_GROW(replayed_table_process, replayed_table_count, replayed_process_room);
	replayed_table_process[replayed_table_count] = here_number;
	return replayed_tables[replayed_table_count++] = table;
}

_Atomic(const struct filter *) filter_newest;
long filter_ask(long number, const long arguments[6])
{
	(void)number, (void)arguments;
	return 0;
}
unsigned lane_count(void)
{
	return here->lane_count;
}
struct lane *lane_at(unsigned number)
{
	return here->lanes[number];
}
uint32_t objects_routines(void)
{
	return CALLS_ROUTINES_MAX;
}
struct raw_file *raw_header(void)
{
	return &replayed_header;
}
void raw_lose(enum raw_lost cause, uint64_t events)
{
	(void)cause;
	replayed_lost += events;
}
struct skein_self *threads_meet(void)
{
	return &skein_self;
}
uint64_t threads_wait_split(struct lane *lane, uint64_t from)
{
	(void)lane, (void)from;
	return 0;
}
bool raw_is_open(void)
{
	return false;
}
void raw_finish(uint32_t flag)
{
	(void)flag;
}
void threads_refresh(void)
{
}
bool session_is(enum session_key key, const char *value)
{
	(void)key, (void)value;
	return false;
}
uint64_t session_number(enum session_key key, uint64_t otherwise)
{
	(void)key;
	return otherwise;
}
void modules_start(void)
{
}
struct calls_cost calibrate(void)
{
	return (struct calls_cost){0};
}
void snapshot_start(uint64_t period_ns)
{
	(void)period_ns;
}
void region_begin(const char *name, const char *file, unsigned line)
{
	(void)name, (void)file, (void)line;
}
void region_end(void)
{
}
void counters_lose_unwritten(bool tell)
{
	(void)tell;
}
void skein_rt_register(struct skein_object *object)
{
	(void)object;
}
void waits_begin(struct skein_self *self)
{
	(void)self;
}
void waits_end(struct worker *w, enum raw_wait kind, uint64_t ticks)
{
	(void)w, (void)kind, (void)ticks;
}
void waits_go_on(struct worker *w, uint64_t ticks)
{
	(void)w, (void)ticks;
}
void waits_restart(void)
{
}

/* ---- threads ---- */

struct replayed_strand {
	struct skein_self self;
	uint32_t process;
	bool has_begun, has_ended; /* ended: until it does something again */
	bool waits;
	uint64_t wait_from;
	uint32_t wait_kind;
	void *inherited;
	struct calls_frame *copies; /* of a forked process: the frames of its parent */
	size_t copy_count;
};

struct replayed {
	struct replayed_strand **strands;
	size_t strand_count, strand_room;
	struct replayed_process **processes;
	size_t process_count, process_room;
	struct map lent;
};

static const struct threads_client *const hooks = &rt_calls_lens.client;
static struct skein_object replayed_object = {.first_routine = 1};

static struct replayed *replayed_new(void)
{
	replayed_lost = 0;
	return memory_zeroed(1, sizeof(struct replayed));
}

static struct replayed_strand *replayed_strand(struct replayed *all, uint32_t number)
{
	while (number >= all->strand_count) {
		MEMORY_GROW(all->strands, all->strand_count, all->strand_room);
		all->strands[all->strand_count++] = memory_zeroed(1, sizeof(struct replayed_strand));
	}
	return all->strands[number];
}

static void replayed_go(struct replayed *all, uint32_t process)
{
	while (process >= all->process_count) {
		MEMORY_GROW(all->processes, all->process_count, all->process_room);
		all->processes[all->process_count++] = memory_zeroed(1, sizeof(struct replayed_process));
	}
	here = all->processes[process];
	here_number = process;
}

static struct lane *replayed_lane(uint32_t number)
{
	assert_true(number < sizeof here->lanes / sizeof *here->lanes);
	while (number >= here->lane_count) {
		struct lane *lane = replayed_take(sizeof *lane);
		lane->number = here->lane_count;
		lane->record = replayed_take(sizeof *lane->record);
		here->lanes[here->lane_count++] = lane;
	}
	return here->lanes[number];
}

static void replayed_work(int64_t more)
{
	here->working += (uint64_t)more;
	atomic_store(&skein_n_working, here->working);
}

/* Activations of the parent go on in the child, in rows of its own. */
static void replayed_copy(struct worker *w, struct replayed_strand *s)
{
	forks_disinherit(w, w->lane.base->fork);
	for (size_t i = 0; i < s->copy_count; i++) {
		struct calls_frame *f = &w->lane.base[i];
		*f = s->copies[i];
		f->arc = calls_arc_of(&w->lane, calls_key((uint64_t)f->arc->caller << 32, f->arc->callee, 0) | f->arc->flags);
		if (f->arc->flags & CALLS_ELSEWHERE) {
			forks_inherit(w, f->fork);
			continue;
		}
		w->lane.active[calls_routine_of(f->as_caller)]++;
		if (!f->fork)
			continue;
		struct fork *fork = replayed_take(sizeof *fork);
		*fork = *(struct fork *)f->fork;
		fork->frame = f;
		fork->next = w->forks;
		f->fork = w->forks = fork;
	}
	w->lane.top = w->lane.base + s->copy_count - 1;
	for (struct calls_frame *f = w->lane.base; f <= w->lane.top; f++)
		f->start = f->before = replayed_tick;
	w->lane.last = replayed_tick;
}

static void replayed_begin(struct replayed_strand *s, const struct flow_event_about *about)
{
	struct lane *lane = replayed_lane(about->lane);
	s->has_begun = true;
	s->process = about->process;
	skein_self = (struct skein_self){.calls = &self_nobody, .lane = lane, .inherited = s->inherited};
	atomic_store(&lane->alive, 1);
	replayed_work(1);
	hooks->thread_begin(&skein_self, s->inherited);
	if (s->copy_count)
		replayed_copy(calls_mine(&skein_self), s);
}

static void replayed_wait_end(struct replayed_strand *s)
{
	s->waits = false;
	replayed_work(1);
	atomic_store(&skein_self.lane->wait_from, 0);
	hooks->wait_end(&skein_self, (enum raw_wait)s->wait_kind, s->wait_from, replayed_tick);
}

static void replayed_pause(struct replayed_strand *s, uint32_t kind)
{
	s->waits = true;
	s->wait_from = replayed_tick;
	s->wait_kind = kind;
	hooks->wait_begin(&skein_self);
	replayed_work(-1);
	atomic_store(&skein_self.lane->wait_from, replayed_tick);
}

/* The threads of a process are cut off where it ends: what was open is counted until then. */
static void replayed_stop(struct replayed_strand *s)
{
	struct worker *w = calls_mine(&skein_self);
	if (s->waits)
		replayed_wait_end(s);
	calls_drop_to(w, w->lane.base, replayed_tick);
	replayed_work(-1);
	s->has_ended = true;
}

static void replayed_thread_end(struct replayed_strand *s)
{
	replayed_work(-1);
	hooks->thread_end(&skein_self);
	atomic_store(&skein_self.lane->alive, 0);
	hooks->release(s->inherited);
	s->has_ended = true;
}

static void replayed_create(struct replayed *all, const struct flow_event *e, const struct flow_event_about *about)
{
	struct replayed_strand *made = replayed_strand(all, e->object);
	const struct worker *w = calls_mine(&skein_self);
	if (made->has_begun || about->executes || about->spawns)
		return;
	if (!about->forks) {
		made->inherited = hooks->capture(&skein_self);
		return;
	}
	made->copy_count = (size_t)(w->lane.top - w->lane.base) + 1;
	made->copies = replayed_take(made->copy_count * sizeof *made->copies);
	memcpy(made->copies, w->lane.base, made->copy_count * sizeof *made->copies);
}

/* The trace does not tell when what was lent is done with, so that the lender does not count as having forked. */
static void *replayed_lend(void)
{
	struct calls_frame *f = calls_mine(&skein_self)->lane.top;
	uint64_t as_caller = f->as_caller;
	struct inherited *lent = hooks->capture(&skein_self);
	if (lent->fork)
		atomic_fetch_sub(&lent->fork->alive, 1);
	lent->fork = NULL;
	f->as_caller = as_caller;
	return lent;
}

static uint64_t replayed_key(const struct flow_event *e, const struct flow_event_about *about)
{
	return (uint64_t)about->process << 32 | e->count;
}

static void replayed_routine(struct replayed *all, const struct flow_event *e, const struct flow_event_about *about, uint32_t routine)
{
	struct worker *w = calls_mine(&skein_self);
	struct calls_frame *top = w->lane.top;
	if (e->kind == FLOW_ENTRY)
		hot_enter(&replayed_object, routine - 1, 0);
	else if (e->kind == FLOW_RETURN && top > w->lane.base)
		hot_leave(&replayed_object, top, calls_routine_of(top->as_caller) - 1);
	else if (e->kind == FLOW_UNWIND && top > w->lane.base + (e->object ? e->object - 1 : 0))
		calls_drop_to(w, w->lane.base + (e->object ? e->object - 1 : 0), replayed_tick);
	else if (e->kind == FLOW_LEND)
		*map_at(&all->lent, replayed_key(e, about)) = replayed_lend();
	else if (e->kind == FLOW_ADOPT) {
		void *lent = map_find(&all->lent, replayed_key(e, about));
		hooks->adopt(&skein_self, lent ? lent : e->object < all->strand_count ? all->strands[e->object]->inherited : NULL);
	}
}

static void replayed_other(struct replayed *all, struct replayed_strand *s, const struct flow_event *e,
                           const struct flow_event_about *about)
{
	if (e->kind == FLOW_OFF || e->kind == FLOW_ON)
		return;
	if (s->waits)
		replayed_wait_end(s);
	if (e->kind == FLOW_PAUSE && about->wait != FLOW_WAIT_KERNEL)
		replayed_pause(s, about->wait);
	else if (e->kind == FLOW_CREATE)
		replayed_create(all, e, about);
	else if (e->kind == FLOW_END && !about->ends)
		replayed_thread_end(s);
}

static void replayed_stop_all(struct replayed *all, uint32_t process)
{
	for (size_t i = 0; i < all->strand_count; i++) {
		struct replayed_strand *s = all->strands[i];
		if (!s->has_begun || s->has_ended || s->process != process)
			continue;
		skein_self = s->self;
		replayed_stop(s);
		s->self = skein_self;
	}
}

static void replayed_event(struct replayed *all, const struct flow_event *e, const struct flow_event_about *about, uint32_t routine)
{
	struct replayed_strand *s = replayed_strand(all, e->strand);
	replayed_tick = e->time;
	replayed_go(all, s->has_begun ? s->process : about->process);
	atomic_store(&skein_n_working, here->working);
	if (!s->has_begun) {
		replayed_begin(s, about);
	} else {
		skein_self = s->self;
		if (s->has_ended)
			replayed_work(1);
	}
	s->has_ended = false;
	if (e->kind != FLOW_OFF && e->kind != FLOW_ON && about->wait != FLOW_WAIT_KERNEL)
		here->executes = about->executes ? e->time : 0;
	if (e->kind >= FLOW_ENTRY)
		replayed_routine(all, e, about, routine);
	else
		replayed_other(all, s, e, about);
	s->self = skein_self;
	if (about->ends)
		replayed_stop_all(all, s->process);
}

static void replayed_end(struct replayed *all, uint64_t time)
{
	for (uint32_t p = 0; p < all->process_count; p++) {
		replayed_go(all, p);
		replayed_tick = here->executes ? here->executes : time;
		replayed_stop_all(all, p);
	}
	assert_int_equal(replayed_lost, 0);
}

/* ---- rows ---- */

struct replayed_row {
	uint32_t process, lane;
	struct calls_arc arc;
};

static struct replayed_row *replayed_rows(size_t *count)
{
	struct replayed_row *rows = NULL;
	size_t room = 0;
	*count = 0;
	for (size_t i = 0; i < replayed_table_count; i++)
		for (uint32_t k = 0; k < replayed_tables[i]->used; k++) {
			const struct calls_arc *arc = (const struct calls_arc *)raw_rows(replayed_tables[i]) + k;
			MEMORY_GROW(rows, *count, room);
			rows[(*count)++] = (struct replayed_row){replayed_table_process[i], replayed_tables[i]->lane, *arc};
		}
	return rows;
}

static void replayed_free(struct replayed *all)
{
	for (size_t i = 0; i < all->strand_count; i++)
		free(all->strands[i]);
	for (size_t i = 0; i < all->process_count; i++)
		free(all->processes[i]);
	while (taken_count)
		free(taken[--taken_count]);
	while (reserved_count--)
		munmap(reserved[reserved_count].memory, reserved[reserved_count].bytes);
	free(taken);
	free(reserved);
	free(replayed_tables);
	free(replayed_table_process);
	taken = NULL;
	reserved = NULL;
	replayed_tables = NULL;
	replayed_table_process = NULL;
	taken_room = reserved_count = reserved_room = replayed_table_count = replayed_table_room = replayed_process_room = 0;
	free(all->strands);
	free(all->processes);
	map_free(&all->lent);
	free(all);
}
