/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "valgrind/stack.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"

#include "core/input/choice.h"
#include "core/input/stack.h"
#include "valgrind/contexts.h"
#include "valgrind/heap.h"
#include "valgrind/kernel.h"

enum { CHAIN_MAX = 64, FIRST_ROOM = 64, LIBRARY_MAX = 32 };

static struct frame *top(const struct thread *t)
{
	return &t->frames[t->depth - 1];
}

static Bool has_room(struct thread *t)
{
	if (t->depth < t->room)
		return True;
	uint32_t room = t->room ? 2 * t->room : FIRST_ROOM;
	struct frame *frames = room > t->room ? memory_port.take(NULL, room * sizeof *frames) : NULL;
	if (!frames)
		return False;
	if (t->frames) {
		VG_(memcpy)(frames, t->frames, t->depth * sizeof *frames);
		memory_port.give(NULL, t->frames, t->room * sizeof *frames);
	}
	t->frames = frames;
	t->room = room;
	return True;
}

static void back_to_top(struct thread *t)
{
	tool.current = t->depth ? top(t)->routine : &routines_none;
	tool.quiet = t->depth && top(t)->quiet;
}

#define NOWHERE (~(Addr)0)

static void forget_below(struct thread *t, Addr sp)
{
	Addr end = t->outside_end < sp ? t->outside_end : sp;
	if (sp > t->home)
		return;
	kernel_forget(t->outside, end - t->outside);
	t->outside = end < t->outside_end ? end : NOWHERE;
}

static inline void pop(struct thread *t)
{
	if (INPUT_RARELY(top(t)->waits))
		tool.cost = t->wait_cost;
	t->input.cost = tool.cost;
	input_pop(&t->input);
	t->depth--;
	if (INPUT_RARELY(t->depth && top(t)->waits)) /* a routine that waits may have called the program, whose cost counts */
		t->wait_cost = tool.cost;
	if (INPUT_RARELY(t->frames[t->depth].sp > t->outside))
		forget_below(t, t->frames[t->depth].sp);
	if (t->heaps && t->heap[t->heaps - 1].depth > t->depth)
		heap_left(t);
}

/* A callee of a routine that waits, wakes or allocates belongs to that routine, as long as it is in the same
 * libraries. */
static inline struct frame frame_of(const struct thread *t, struct routine *r, Addr sp)
{
	struct frame f = {.sp = sp, .routine = r, .quiet = r->is_quiet, .waits = r->waits};
	if (t->depth && INPUT_RARELY(top(t)->quiet) && (r->module->is_library || r->module->is_static)) {
		f.quiet = True;
		f.waits = f.waits || top(t)->waits;
	}
	return f;
}

/* The routine is about to begin, called through a pointer by the top one. If that one belongs to the C library (qsort), the
 * function was given to its callers, up to the first of the program. */
static void choose(struct thread *t, const struct routine *r)
{
	struct input_thread *in = &t->input;
	tool.through = 0;
	if (in->too_deep || in->depth != t->depth + 1)
		return;
	for (uint32_t i = 0; i < t->depth && i <= LIBRARY_MAX; i++) {
		const struct module *m = t->frames[t->depth - 1 - i].routine->module;
		input_choose(&in->routines, &in->frames[in->depth - 1 - i], r->key);
		if (!m->is_library)
			break;
	}
}

/* A routine without room for its frame belongs to its caller. */
static inline void push(struct thread *t, struct routine *r, Addr sp)
{
	uint16_t chain = t->depth && top(t)->sp == sp ? (uint16_t)(top(t)->chain + 1) : 0;
	if (chain > CHAIN_MAX) { /* a state machine whose states jump to each other would never end */
		chain--;
		pop(t);
	}
	if (!has_room(t)) {
		t->input.lost++;
		return;
	}
	struct frame f = frame_of(t, r, sp);
	f.chain = chain;
	if (INPUT_RARELY(t->depth && top(t)->waits))
		tool.cost = t->wait_cost;
	t->wait_cost = tool.cost;
	if (tool.through == r->start)
		choose(t, r);
	struct input_routine *points = r->points;
	if (INPUT_RARELY(r->owner != t->owner || options.contexts)) {
		f.context = contexts_below(t->depth ? top(t)->context : 0, r);
		points = contexts_points(t, r, f.context);
	}
	t->frames[t->depth++] = f;
	t->input.cost = tool.cost;
	input_push(&t->input, points);
	tool.quiet = f.quiet;
	if (r->heap)
		heap_entered(t, r->heap);
}

/* Whether the frame cannot be active any more when the stack pointer is sp. Frames of another stack above the thread's
 * own lie where none of its own can be; other stacks are taken for parts of it that are far down. */
static Bool is_over(const struct thread *t, const struct frame *f, Addr sp)
{
	Bool away = sp > t->home, was_away = f->sp > t->home;
	return away == was_away ? f->sp < sp : was_away;
}

static void leave(struct thread *t, Addr sp)
{
	while (t->depth && is_over(t, top(t), sp)) {
		pop(t);
		tool.cut++;
	}
}

/* A jump that is neither a call nor a return. */
static void jump(struct thread *t, struct routine *r, Addr sp, Bool at_start)
{
	leave(t, sp);
	back_to_top(t);
	if (at_start && !r->is_part && tool.current != r && (!t->depth || top(t)->sp == sp || sp > t->home))
		push(t, r, sp);
	tool.current = r;
}

static inline void enter(struct routine *r, Addr sp, Bool at_start)
{
	struct thread *t = tool.running;
	if (t->hidden_sp) {
		tool.current = r;
	} else if (tool.current) {
		jump(t, r, sp, at_start);
	} else {
		if (t->depth && INPUT_RARELY(is_over(t, top(t), sp)))
			leave(t, sp);
		push(t, r, sp);
		tool.current = r;
	}
}

void stack_enter_start(struct routine *r, Addr sp)
{
	enter(r, sp, True);
}

void stack_enter_middle(struct routine *r, Addr sp)
{
	enter(r, sp, False);
}

void stack_enter_from(Addr address, Addr sp)
{
	enter(routines_from(address), sp, True);
}

static void unhide(struct thread *t)
{
	t->hidden_sp = 0;
	tool.cost = t->hidden_cost;
	tool.quiet = t->hidden_quiet;
	tool.current = NULL;
}

void stack_return(Addr sp)
{
	struct thread *t = tool.running;
	if (t->hidden_sp) {
		if (sp > t->hidden_sp)
			unhide(t);
		return;
	}
	if (!t->depth || !is_over(t, top(t), sp))
		return; /* not a return, but a jump by a return instruction */
	do
		pop(t);
	while (t->depth && is_over(t, top(t), sp));
	back_to_top(t);
}

void stack_hide(Addr sp)
{
	struct thread *t = tool.running;
	if (t->hidden_sp)
		return;
	t->hidden_sp = sp;
	t->hidden_cost = tool.cost;
	t->hidden_quiet = tool.quiet;
	tool.quiet = True;
}

void stack_signal(ThreadId tid, Int number, Bool on_other_stack)
{
	(void)number, (void)on_other_stack;
	threads_run(tid);
	struct thread *t = tool.running;
	if (t->signals == SIGNALS) /* handlers that never came back: the oldest is forgotten */
		VG_(memmove)(&t->interrupted[0], &t->interrupted[1], --t->signals * sizeof t->interrupted[0]);
	t->interrupted[t->signals].depth = t->depth;
	t->interrupted[t->signals++].current = tool.current;
	tool.current = NULL;
}

void stack_signal_done(ThreadId tid, Int number)
{
	(void)number;
	threads_run(tid);
	struct thread *t = tool.running;
	if (!t->signals)
		return;
	t->signals--;
	while (t->depth > t->interrupted[t->signals].depth)
		pop(t);
	back_to_top(t);
	tool.current = t->interrupted[t->signals].current;
}

void stack_written(struct thread *t, Addr start, SizeT bytes)
{
	if (options.keep_freed || start < VG_(get_SP)(t->tid) || start + bytes > t->home)
		return;
	t->outside_end = t->outside == NOWHERE || t->outside_end < start + bytes ? start + bytes : t->outside_end;
	t->outside = start < t->outside ? start : t->outside;
}

void stack_drop(struct thread *t)
{
	Addr highest = VG_(thread_get_stack_max)(t->tid);
	t->home = highest ? highest : ~(Addr)0;
	t->outside = NOWHERE;
	t->depth = 0;
	t->signals = 0;
	t->heaps = 0;
	t->hidden_sp = 0;
}
