/* SPDX-License-Identifier: MIT */
/* walk.c: turns a stack into a logical path: chooses the agent of each frame, and has the agents of threads and of
 * OpenMP.
 *
 * Frames of the OpenMP runtime and of Skein itself are not calls of the user: M-0. The frame that a thread's or
 * task's stack begins with stands for the whole path in which it was created: 1-M, and what lies beyond it (the
 * start of the thread, or whatever the thread was doing when it picked up the task) is only physical. That frame is
 * recognised by its code in a thread (threads_is_start), and by the exit frame that libomp keeps in a task. */
#include "arch/subject.h"
#include "core/idle/logical.h"
#include "sample/agents.h"
#include "sample/sampled.h"

struct walk {
	struct unwind unwind;
	enum unwind_step last;
	bool in_task;
	uintptr_t exit_frame;      /* beyond it the stack is not the task's; 0: nothing from the first frame of a runtime on */
	struct context *context;   /* the context in which the thread or task was created */
	struct context *inherited; /* by the thread */
	struct trail *trail;       /* to be left, or NULL */
	bool is_over;              /* a deep task: what lies beyond its creation is not looked at */
	uint32_t own_module;
};

static bool is_runtime(const struct walk *w)
{
	uint32_t module = (uint32_t)(w->unwind.place >> RAW_PLACE_SHIFT);
	return module == w->own_module || module_is_runtime(module);
}

/* ---- the two agents ---- */

static enum skein_association runtime_begin(struct skein_unwind *u, void *state)
{
	(void)u, (void)state;
	return SKEIN_M_0;
}

static bool is_creation(const struct walk *w)
{
	if (w->in_task)
		return w->exit_frame ? w->unwind.frame.cfa > w->exit_frame : is_runtime(w);
	return w->inherited && threads_is_start(w->unwind.frame.ip);
}

static int runtime_pnote(struct skein_unwind *u, void *state)
{
	const struct walk *w = u->machine;
	(void)state;
	return is_runtime(w) && !is_creation(w);
}

struct creation_state {
	const struct context *context;
	uint32_t next;
};

static bool is_deep(const struct context *c)
{
	return c && c->depth > CONTEXTS_DEEP;
}

static enum skein_association creation_begin(struct skein_unwind *u, void *state)
{
	struct walk *w = u->machine;
	w->is_over = is_deep(w->context);
	((struct creation_state *)state)->context = w->context;
	return w->is_over ? SKEIN_1_0 : SKEIN_1_M;
}

static int creation_lnote(struct skein_unwind *u, void *state, uint64_t *lip)
{
	struct creation_state *at = state;
	while (at->context && at->next == at->context->count)
		*at = (struct creation_state){at->context->parent, 0};
	if (at->context) {
		*lip = at->context->places[at->next++];
		return 1;
	}
	u->rooted = true;
	return 0;
}

static const struct skein_agent runtime_agent = {SKEIN_AGENT_VERSION, "runtime", runtime_begin, runtime_pnote, NULL};
static const struct skein_agent creation_agent = {SKEIN_AGENT_VERSION, "creation", creation_begin, NULL, creation_lnote};

/* ---- what the walk is made of ---- */

/* Remembers the word on the stack that led to the caller, if it was where it nearly always is. */
static void leave_trail(struct trail *trail, uintptr_t cfa, uintptr_t ip)
{
	const uintptr_t *at = (const uintptr_t *)cfa - 1;
	if (trail->count == TRAIL_ROOM)
		return;
	if (!cfa || *at != ip)
		trail->count = TRAIL_ROOM;
	else {
		trail->returns[trail->count].at = (uintptr_t)at;
		trail->returns[trail->count++].value = ip;
	}
}

static bool step(void *machine)
{
	struct walk *w = machine;
	uintptr_t cfa = w->unwind.frame.cfa;
	if (w->is_over) {
		w->last = UNWIND_END;
		return false;
	}
	w->last = unwind_step(&w->unwind);
	if (w->trail && w->last == UNWIND_FRAME)
		leave_trail(w->trail, cfa, w->unwind.frame.ip);
	return w->last == UNWIND_FRAME;
}

static const struct skein_frame *frame(const void *machine)
{
	return &((const struct walk *)machine)->unwind.frame;
}

static uint64_t place(const void *machine)
{
	return ((const struct walk *)machine)->unwind.place;
}

static const struct skein_agent *agent(void *machine)
{
	const struct walk *w = machine;
	if (is_creation(w))
		return &creation_agent;
	return is_runtime(w) ? &runtime_agent : agents_find(w->unwind.frame.ip);
}

/* No address has anything in the upper 16 bits. */
static uint64_t place_of(void *machine, uint64_t lip)
{
	(void)machine;
	return lip >> RAW_PLACE_SHIFT ? lip : agents_place_of(lip);
}

static bool read_memory(void *machine, uintptr_t address, void *to, size_t bytes)
{
	return unwind_read(&((struct walk *)machine)->unwind, address, to, bytes);
}

static const struct logical_port port = {step, frame, place, agent, place_of, read_memory};

static void prepare(struct walk *w, const struct skein_self *self)
{
	static uint32_t own_module;
	struct threads_task task;
	if (!own_module)
		own_module = (uint32_t)(module_place(module_at((uintptr_t)prepare), (uintptr_t)prepare) >> RAW_PLACE_SHIFT);
	w->own_module = own_module;
	w->last = UNWIND_FRAME;
	w->trail = NULL;
	w->is_over = false;
	w->inherited = self->inherited;
	w->context = self->inherited;
	w->exit_frame = 0;
	w->in_task = threads_current_task(self, &task);
	if (w->in_task) {
		w->exit_frame = task.exit_frame;
		w->context = task.inherited;
	}
}

struct walk_end walk_from(struct sampled *s, const struct skein_self *self, const ucontext_t *context)
{
	struct walk w;
	struct skein_unwind u;
	struct walk_end end;
	bool fits;
	stack_reach(&s->stack, context ? arch_context_sp(context) : (uintptr_t)__builtin_frame_address(0));
	prepare(&w, self);
	if (context)
		unwind_begin(&w.unwind, s->cache, s->stack.low, s->stack.high, context);
	else
		unwind_here(&w.unwind, s->cache, s->stack.low, s->stack.high);
	logical_begin(&u, &port, &w, s->scratch, sizeof s->scratch);
	end.count = logical_backtrace(&u, s->path, PATH_ROOM, &fits);
	end.whole = fits && w.last == UNWIND_END;
	end.below = w.is_over ? w.context : NULL;
	return end;
}

/* A loop that creates task after task calls this from the same frame, with the same return addresses above it: then
 * the walk ends where it ended before. Tasks that thread through a user's agent are walked to each time. */
bool walk_is_as_before(const struct sampled *s, const struct skein_self *self)
{
	const struct trail *trail = &s->trail;
	struct threads_task task;
	if (!self->entered || trail->entered != self->entered || trail->count >= TRAIL_ROOM)
		return false;
	if (!threads_current_task(self, &task) || task.exit_frame != trail->exit_frame || task.inherited != trail->context)
		return false;
	for (uint32_t i = 0; i < trail->count; i++)
		if (*(const uintptr_t *)trail->returns[i].at != trail->returns[i].value)
			return false;
	return true;
}

static void begin_trail(struct trail *trail, struct walk *w, uintptr_t entered)
{
	const uintptr_t *saved = (const uintptr_t *)entered;
	*trail = (struct trail){.entered = entered, .exit_frame = w->exit_frame, .context = w->context, .count = 1};
	trail->returns[0].at = (uintptr_t)&saved[1];
	trail->returns[0].value = saved[1];
	w->trail = trail;
}

/* Handles frames that are calls, or do not count, without an agent: Algorithm 1 begins at the first frame with an
 * agent of the user. True: there is no such frame up to the creation. */
static bool walk_plainly(struct walk *w, struct sampled *s, size_t *count, struct context **parent)
{
	do {
		const struct skein_agent *whose = agent(w);
		if (whose == &creation_agent)
			*parent = w->context;
		if (whose && whose != &runtime_agent)
			return whose == &creation_agent;
		if (!whose)
			s->captured[(*count)++] = w->unwind.place;
	} while (*count < CAPTURE_ROOM && step(w));
	return true;
}

size_t walk_to_creation(struct sampled *s, const struct skein_self *self, struct context **parent)
{
	struct walk w;
	struct skein_unwind u;
	size_t count = 0;
	uint64_t at;
	stack_reach(&s->stack, (uintptr_t)__builtin_frame_address(0));
	prepare(&w, self);
	s->trail.entered = 0;
	*parent = NULL;
	if (self->entered) {
		unwind_above(&w.unwind, s->cache, s->stack.low, s->stack.high, self->entered);
		if (w.exit_frame)
			begin_trail(&s->trail, &w, self->entered);
	} else {
		unwind_here(&w.unwind, s->cache, s->stack.low, s->stack.high);
	}
	if (walk_plainly(&w, s, &count, parent))
		return count;
	s->trail.entered = 0;
	logical_begin(&u, &port, &w, s->scratch, sizeof s->scratch);
	while (count < CAPTURE_ROOM && logical_step_bichord(&u)) {
		if (u.agent == &creation_agent) {
			*parent = w.context;
			break;
		}
		while (logical_step_pnote(&u, &at))
			;
		while (count < CAPTURE_ROOM && logical_step_lnote(&u, &at))
			s->captured[count++] = at;
	}
	return count;
}
