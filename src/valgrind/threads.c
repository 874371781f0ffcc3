/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "valgrind/threads.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"

#include "arch/arch.h"
#include "valgrind/record.h"
#include "valgrind/stack.h"

static struct {
	struct thread *all;
	struct tally *tallies;
	struct thread **by_tid; /* Valgrind's numbers, which are small */
	UInt tids;
	uint32_t lanes, count;
	uint64_t owners;
} threads;

const struct thread *threads_all(void)
{
	return threads.all;
}
const struct tally *threads_tallies(void)
{
	return threads.tallies;
}
uint32_t threads_count(void)
{
	return threads.count;
}

static uint64_t now(void)
{
	return arch_tick();
}

static struct thread *with(ThreadId tid)
{
	return tid < threads.tids ? threads.by_tid[tid] : NULL;
}

static void remember(ThreadId tid, struct thread *t)
{
	if (tid >= threads.tids) {
		UInt tids = 2 * tid + 16;
		threads.by_tid = VG_(realloc)("skein.threads", threads.by_tid, tids * sizeof *threads.by_tid);
		VG_(memset)(threads.by_tid + threads.tids, 0, (tids - threads.tids) * sizeof *threads.by_tid);
		threads.tids = tids;
	}
	threads.by_tid[tid] = t;
}

static void put_away(void)
{
	struct thread *t = tool.running;
	if (!t)
		return;
	t->cost = t->input.cost = tool.cost;
	t->current = tool.current;
	t->quiet = tool.quiet;
}

static void take_out(struct thread *t)
{
	tool.running = t;
	tool.cost = t->cost;
	tool.current = t->current;
	tool.quiet = t->quiet;
}

void threads_run(ThreadId tid)
{
	struct thread *t = with(tid);
	if (!t || t == tool.running)
		return;
	put_away();
	take_out(t);
	tool.switches++;
	input_serial_switch(&tool.serial, &t->input);
}

static struct thread *free_lane(void)
{
	for (struct thread *t = threads.all; t; t = t->next)
		if (!t->tally)
			return t;
	struct thread *t = VG_(calloc)("skein.thread", 1, sizeof *t);
	t->lane = threads.lanes++;
	t->input.routines.port = &memory_port;
	t->input.routines.sizes_max = options.sizes_max;
	t->next = threads.all;
	threads.all = t;
	return t;
}

static struct tally *tally_for(struct thread *t, const struct thread *creator)
{
	uint32_t number = threads.count++;
	if (number >= THREADS_APART && t->shared)
		return t->shared;
	struct tally *tally = VG_(calloc)("skein.tally", 1, sizeof *tally);
	tally->number = number;
	tally->lane = t->lane;
	tally->creator = creator ? creator->tally->number : number;
	tally->start_tsc = now();
	tally->is_shared = number >= THREADS_APART;
	if (tally->is_shared)
		t->shared = tally;
	tally->next = threads.tallies;
	threads.tallies = tally;
	return tally;
}

static void created(ThreadId creator, ThreadId tid)
{
	struct thread *t = free_lane();
	t->tally = tally_for(t, with(creator));
	t->tid = tid;
	t->cost = 0;
	t->current = &routines_none;
	t->quiet = False;
	remember(tid, t);
}

static void begins(ThreadId tid)
{
	struct thread *t = with(tid);
	if (!t)
		return;
	put_away();
	take_out(t);
	stack_drop(t);
	t->owner = ++threads.owners;
	t->tally->tid = t->tally->is_shared ? 0 : (uint32_t)VG_(gettid)();
	t->input.cost = 0;
	if (!input_serial_thread_start(&tool.serial, &t->input, t->tally->number + 1, input_routine_of(&t->input.routines, 0)))
		t->input.lost++;
}

/* Takes the points of a thread with its own tally out of the lane. */
static void retire(struct thread *t)
{
	struct tally *tally = t->tally;
	t->tally = NULL;
	tally->end_tsc = now();
	tally->lost += t->input.lost;
	tally->renumbered += t->input.renumbered;
	t->input.lost = t->input.renumbered = 0;
	if (tally->is_shared)
		return;
	tally->routines = t->input.routines;
	tally->sources = t->input.sources;
	t->input.routines = (struct input_routines){.port = &memory_port, .sizes_max = options.sizes_max};
	t->input.sources = (struct input_map){0};
}

static void ended(ThreadId tid)
{
	struct thread *t = with(tid);
	if (!t)
		return;
	threads_run(tid);
	put_away();
	input_serial_thread_end(&tool.serial, &t->input);
	retire(t);
	threads.by_tid[tid] = NULL;
	tool.running = NULL;
}

/* Ends the last thread here, at the end of the process: events can only be charged to a thread that exists. */
void threads_finish(void)
{
	put_away();
	for (struct thread *t = threads.all; t; t = t->next)
		if (t->tally) {
			input_serial_thread_end(&tool.serial, &t->input);
			retire(t);
		}
	tool.running = NULL;
}

static const struct thread *lane_of(const struct tally *tally)
{
	for (const struct thread *t = threads.all; t; t = t->next)
		if (t->tally == tally || t->shared == tally)
			return t;
	return NULL;
}

const struct input_routines *tally_routines(const struct tally *tally)
{
	const struct thread *t = lane_of(tally);
	return t ? &t->input.routines : &tally->routines;
}

const struct input_map *tally_sources(const struct tally *tally)
{
	const struct thread *t = lane_of(tally);
	return t ? &t->input.sources : &tally->sources;
}

/* Open activations are the parent's; from now on their cost and size count for the child. */
static void count_anew(struct input_thread *t)
{
	input_return_to(t, 1);
	const struct input_map *map = &t->routines.map;
	for (uint32_t i = 0; i < input_map_slots(map); i++) {
		struct input_routine *r = (struct input_routine *)(Addr)map->slots[i].value;
		if (map->slots[i].key && r)
			input_routine_clear(r, &memory_port);
	}
	input_map_clear(&t->sources);
	t->lost = t->renumbered = t->routines.lost = 0;
}

void threads_fork(void)
{
	struct thread *self = tool.running;
	for (struct thread *t = threads.all; t; t = t->next) {
		t->shared = NULL;
		if (t == self || !t->tally)
			continue;
		input_serial_thread_end(&tool.serial, &t->input);
		input_thread_clear(&t->input);
		t->tally = NULL;
		threads.by_tid[t->tid] = NULL;
	}
	while (threads.tallies) {
		struct tally *tally = threads.tallies;
		threads.tallies = tally->next;
		input_routines_free(&tally->routines);
		input_map_free(&tally->sources, &memory_port);
		VG_(free)(tally);
	}
	threads.count = 0;
	self->tally = tally_for(self, NULL);
	self->tally->tid = (uint32_t)VG_(gettid)();
	count_anew(&self->input);
	self->owner = ++threads.owners;
	stack_drop(self);
	tool.current = &routines_none;
	tool.quiet = False;
}

static void runs(ThreadId tid, ULong blocks)
{
	(void)blocks;
	threads_run(tid);
	record_now_and_then();
}

void threads_start(void)
{
	VG_(track_pre_thread_ll_create)(created);
	VG_(track_pre_thread_first_insn)(begins);
	VG_(track_pre_thread_ll_exit)(ended);
	VG_(track_start_client_code)(runs);
	VG_(track_pre_deliver_signal)(stack_signal);
	VG_(track_post_deliver_signal)(stack_signal_done);
}
