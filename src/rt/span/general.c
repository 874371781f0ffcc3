/* SPDX-License-Identifier: MIT */
/* general.c: invocations that may be left by a jump, that wait for threads or tasks, or that read a clock.
 *
 * Their frames are linked. Where control comes back, by a return or a jump (landing pads, setjmp), the frames above are ended
 * then and there; so are all when the thread or the program ends. In a thread that is not met, in the child of a vfork
 * and after a thread's end nothing here does anything. */
#include "rt/span/span.h"

#include "arch/arch.h"

static bool is_nowhere(const struct rt_frame *f)
{
	return f == &span_nowhere || span_is_lost(skein_self.span);
}

void span_strand_ends(struct rt_frame *f, uint64_t n)
{
	uint64_t before = f->n;
	if (span_rt.now) {
		uint64_t took = span_rt.now() - f->last;
		n = before + (took > span_rt.gap ? took - span_rt.gap : 0);
	}
	f->n = n;
	if (span_rt.what_ifs)
		what_ifs_strand(n - before);
}

void span_strand_begins(struct rt_frame *f)
{
	if (span_rt.now)
		f->last = span_rt.now();
}

static bool is_open(const struct rt_frame *f)
{
	const struct rt_frame *g = skein_self.frames;
	while (g && g != f)
		g = g->up;
	return g || !f;
}

/* Word by word: compilers make `rep stos` of so much at once, which takes as long as the rest of an invocation. */
static void clear(struct rt_frame *f)
{
	span_enter(&f->f);
	f->n = 0;
	f->scopes = f->spawning = NULL;
	f->object = NULL;
	f->task = NULL;
	f->before = f->latest = NULL;
	f->task_flags = f->regions = f->entry_marks = f->marks = 0;
	f->is_loop = f->iterating = f->is_chunk = f->opened = f->entered = false;
}

struct rt_frame *skein_rt_span_enter(void)
{
	struct skein_self *self = &skein_self;
	struct rt_frame *f = span_take_frame(span_mine());
	if (f == &span_nowhere)
		return f;
	clear(f);
	f->up = self->frames;
	f->outer = self->span->left;
	f->serial = ++self->frame_serial;
	self->frames = f;
	span_strand_begins(f);
	return f;
}

void skein_rt_span_entered(struct rt_frame *f, uint32_t marks, uint32_t under)
{
	if (is_nowhere(f))
		return;
	f->entry_marks = marks;
	what_ifs_enter(f);
	if (under)
		tasks_settle();
	f->entered = under && under_enter(f);
}

static void end_call(struct rt_frame *f);
static void end_chunk(struct rt_frame *f);

static void end_iteration(struct rt_frame *f)
{
	if (f->iterating) {
		tasks_iterated(f);
		span_iteration_end(skein_self.span, &f->loop);
		what_ifs_iterated(f);
	}
	f->iterating = false;
}

static void end_frame(struct rt_frame *f)
{
	struct span_lane *lane = skein_self.span;
	if (f->is_loop) {
		end_iteration(f);
		if (f->up && f->up->object)
			f->up->rows[f->up->site].ticks += f->loop.iterations;
		span_loop_end(lane, &f->loop);
		what_ifs_looped(f);
	} else {
		for (struct rt_scope *s = f->scopes; s; s = s->next) {
			span_sync(lane, &f->f, &s->scope, f->n);
			what_ifs_sync(s);
		}
		if (f->regions) {
			regions_leave(f);
			lane = skein_self.span; /* the invocation may have been under one */
		}
		struct span_figures o = f->outer;
		span_leave(lane, &f->f, f->n);
		lane->left.work += o.work;
		lane->left.span += o.span;
		lane->left.burdened_span += o.burdened_span;
		lane->left.local_work += o.local_work;
		lane->left.local_span += o.local_span;
	}
	skein_self.frames = f->up;
	what_ifs_leave(f);
	if (f->entered)
		under_leave();
	struct rt_frame *up = f->up;
	bool is_chunk = f->is_chunk;
	span_give_frame(span_worker(skein_self.lane), f);
	if (is_chunk)
		end_chunk(up);
}

void span_unwind(struct rt_frame *keep)
{
	struct rt_frame *f;
	if (!is_open(keep))
		return;
	while ((f = skein_self.frames) && f != keep) {
		end_call(f);
		end_frame(f);
	}
}

void skein_rt_span_leave(struct rt_frame *f, uint64_t n)
{
	if (is_nowhere(f))
		return;
	span_strand_ends(f, n);
	span_unwind(f);
	if (skein_self.frames == f)
		end_frame(f);
}

static uint64_t key_of(const struct rt_frame *f)
{
	return f->object->first_key + (uint64_t)f->site * SPAN_MEASURES;
}

static uint32_t begin_measure(struct rt_frame *f)
{
	return f->kind & RT_ONCE ? 0 : span_call_begin(&f->rows[f->site], &f->rows[f->first], f->count, key_of(f));
}

static void measure(struct rt_frame *f)
{
	struct span_site *row = &f->rows[f->site];
	if (f->kind & RT_ONCE)
		span_once_end(skein_self.span, row, key_of(f));
	else
		span_call_end(skein_self.span, f->top, row, &f->rows[f->first], f->count, key_of(f));
}

/* The next part of an untied task belongs to the call that the part before belongs to. */
static void begin_part(struct rt_frame *f, struct skein_object *object, uint32_t site)
{
	const struct rt_frame *caller = f->up && f->up->object ? f->up : NULL;
	f->object = caller ? caller->object : object;
	f->rows = skein_rt_span_rows(f->object);
	f->site = caller ? caller->site : site;
	f->kind = RT_PART;
	f->top = f->marks = 0;
	f->ticks = 0;
	f->opened = false;
	skein_self.span->left = (struct span_figures){0};
	span_strand_begins(f);
}

static void end_part(struct rt_frame *f)
{
	struct span_lane *lane = skein_self.span;
	uint64_t work = lane->left.local_work, span = lane->left.local_span;
	span_add(&f->rows[f->site].on_work[SPAN_LOCAL], 0, work, span);
	span_append_entries(lane, &(struct span_entry){key_of(f) + SPAN_LOCAL, {0, work, span}}, 1);
	f->object = NULL;
	span_take(lane, &f->f);
}

/* `target` is NULL for a call by name, and then costs nothing. It is counted between two strands, where no clock runs. */
static inline __attribute__((always_inline)) void begin_call(struct rt_frame *f, uint64_t n, struct skein_object *object, uint32_t site,
                                                             uint64_t sites, uint32_t kind, uint64_t cost, uint32_t marks,
                                                             const void *target)
{
	bool is_somewhere = !is_nowhere(f);
	if (is_somewhere)
		span_strand_ends(f, n);                      /* first: what follows is Skein's own */
	struct span_site *rows = skein_rt_span_rows(object); /* counts what is lost */
	if (!is_somewhere)
		return;
	if (kind & RT_TASK && tasks_goes_on()) {
		begin_part(f, object, site);
		return;
	}
	if (kind & RT_TASK)
		tasks_begin(f);
	else if (kind & RT_TASKLOOP)
		tasks_loop(f);
	if (f->spawning)
		what_ifs_spawn(f);
	if (kind & RT_UNDER)
		tasks_settle();
	f->opened = kind & RT_UNDER && under_call();
	if (f->opened)
		rows = skein_rt_span_rows(object);
	if (target)
		targets_count(object, site, target);
	f->object = object;
	f->rows = rows;
	f->site = site;
	f->first = (uint32_t)sites;
	f->count = (uint32_t)(sites >> 32);
	f->kind = kind;
	f->cost = cost;
	f->marks = marks;
	f->top = kind & RT_TASKLOOP ? 0 : begin_measure(f);
	skein_self.span->left = (struct span_figures){0};
	what_ifs_call(f);
	bool timed = kind & (RT_FOREIGN | RT_UNKNOWN) && f->rows[site].on_work[SPAN_LOCAL].count % SPAN_TIMED_EACH == 0;
	f->ticks = timed ? arch_tick() : 0;
	f->waited = span_worker(skein_self.lane)->waited;
	span_strand_begins(f);
}

void skein_rt_span_call(struct rt_frame *f, uint64_t n, struct skein_object *object, uint32_t site, uint64_t sites, uint64_t what)
{
	begin_call(f, n, object, site, sites, what & 0xff, what >> 24, what >> 8 & 0xffff, NULL);
}

void skein_rt_span_call_pointer(struct rt_frame *f, uint64_t n, struct skein_object *object, uint32_t site, uint64_t sites, uint64_t what,
                                const void *target)
{
	begin_call(f, n, object, site, sites, what & 0xff, what >> 24, what >> 8 & 0xffff, target);
}

/* What a foreign callee took: by the model, or the clock's time without what it called back. */
static uint64_t foreign_cost(const struct rt_frame *f, const struct span_lane *lane)
{
	if (!span_rt.now)
		return f->cost;
	uint64_t took = span_rt.now() - f->last, other = span_rt.gap + lane->left.work + span_worker(skein_self.lane)->waited - f->waited;
	return took > other ? took - other : 0;
}

/* The function of a taskloop's task is entered: a call of the taskloop's site. */
void skein_rt_span_chunk(struct rt_frame *f)
{
	struct rt_frame *caller = f->up;
	if (!caller || !caller->object || !(caller->kind & RT_TASKLOOP))
		return;
	f->is_chunk = true;
	if (f->outer.work) { /* copies of variables for it were made by the taskloop itself */
		measure(caller);
		span_take(skein_self.span, &caller->f);
		f->outer = skein_self.span->left = (struct span_figures){0};
	}
	caller->top = begin_measure(caller);
	skein_self.frames = caller;
	tasks_begin_chunk(caller);
	skein_self.frames = f;
}

static void end_chunk(struct rt_frame *f)
{
	measure(f);
	tasks_end(f);
	f->top = 0;
	skein_self.span->left = (struct span_figures){0};
}

static void end_call(struct rt_frame *f)
{
	struct span_lane *lane = skein_self.span;
	if (!f->object)
		return;
	if (f->kind & RT_PART) {
		end_part(f);
		return;
	}
	struct span_site *row = &f->rows[f->site];
	if (f->ticks && (f->kind & RT_FOREIGN || !lane->left.work))
		row->ticks += arch_tick() - f->ticks;
	if (f->kind & RT_FOREIGN || (f->kind & RT_UNKNOWN && !lane->left.work)) {
		uint64_t cost = foreign_cost(f, lane);
		what_ifs_strand(cost);
		lane->left = (struct span_figures){lane->left.work + cost, lane->left.span + cost, lane->left.burdened_span + cost,
		                                   lane->left.local_work + cost, lane->left.local_span + cost};
	}
	if (!(f->kind & RT_TASKLOOP) || lane->left.work)
		measure(f);
	f->object = NULL;
	what_ifs_return(f);
	if (f->opened) {
		under_return();
		lane = skein_self.span;
	}
	if (f->kind & RT_TASK)
		tasks_end(f);
	else if (!(f->kind & RT_SPAWN))
		span_take(lane, &f->f);
	if (f->spawning) {
		span_spawn_end(lane, &f->f, &f->spawning->scope, f->spawning->start, f->n);
		what_ifs_spawned(f, f->spawning);
		f->spawning = NULL;
	}
}

void skein_rt_span_return(struct rt_frame *f)
{
	if (is_nowhere(f))
		return;
	span_unwind(f);
	end_call(f);
	span_strand_begins(f);
}

void skein_rt_span_mark(struct rt_frame *f, uint64_t n)
{
	if (is_nowhere(f))
		return;
	span_strand_ends(f, n);
	span_unwind(f);
}

void skein_rt_span_marked(struct rt_frame *f)
{
	if (!is_nowhere(f))
		span_strand_begins(f);
}

/* After a jump. Returns the invocation's own work: the variable that held it may have gone back to what it was at the setjmp. */
uint64_t skein_rt_span_catch(struct rt_frame *f)
{
	skein_rt_span_return(f);
	return f->n;
}

struct rt_scope *skein_rt_span_scope(struct rt_frame *f, uint32_t number)
{
	struct rt_scope *s = span_take_scope(span_worker(skein_self.lane), f, number);
	span_scope_begin(&s->scope);
	return s;
}

/* The spawned call follows; its end is the spawn's. */
void skein_rt_span_spawn(struct rt_frame *f, uint64_t n, struct rt_scope *s)
{
	if (is_nowhere(f))
		return;
	span_strand_ends(f, n);
	s->start = span_spawn_begin(skein_self.span, &s->scope);
	f->spawning = s;
	span_strand_begins(f);
}

void skein_rt_span_sync(struct rt_frame *f, uint64_t n, struct rt_scope *s)
{
	if (is_nowhere(f))
		return;
	span_strand_ends(f, n);
	span_sync(skein_self.span, &f->f, &s->scope, f->n);
	what_ifs_sync(s);
	span_strand_begins(f);
}

/* A parallel loop is entered like a callee: after skein_rt_span_call of its site. */
struct rt_frame *skein_rt_span_loop(void)
{
	struct rt_frame *f = skein_rt_span_enter();
	f->is_loop = true;
	span_loop_begin(&f->loop);
	return f;
}

struct rt_frame *skein_rt_span_iteration(struct rt_frame *loop)
{
	if (is_nowhere(loop))
		return &span_nowhere;
	span_iteration_begin(skein_self.span, &loop->loop);
	what_ifs_iteration(loop);
	loop->iterating = true;
	skein_self.span->left = (struct span_figures){0};
	return skein_rt_span_enter();
}

void skein_rt_span_iterated(struct rt_frame *loop, struct rt_frame *f, uint64_t n)
{
	skein_rt_span_leave(f, n);
	if (!is_nowhere(loop))
		end_iteration(loop);
}

void skein_rt_span_looped(struct rt_frame *loop)
{
	if (is_nowhere(loop))
		return;
	span_unwind(loop);
	if (skein_self.frames == loop)
		end_frame(loop);
}
