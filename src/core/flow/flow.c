/* SPDX-License-Identifier: MIT */
#include "core/flow/flow.h"

#include "core/flow/way.h"

static const uint64_t never = UINT64_MAX;

void flow_start(struct flow *f, const struct flow_memory *memory, const struct flow_question *questions, uint32_t count)
{
	*f = (struct flow){.memory = *memory, .questions = count < FLOW_QUESTIONS ? count : FLOW_QUESTIONS};
	for (uint32_t k = 0; k < f->questions; k++) {
		f->question[k] = questions[k];
		if (f->question[k].cores > FLOW_CORES)
			f->question[k].cores = FLOW_CORES;
	}
}

/* ---- points ---- */

static struct flow_point *new_point(struct flow *f)
{
	struct flow_point *p = f->memory.take(f->memory.context, sizeof *p);
	if (p)
		p->way = NULL;
	else
		f->failed = true;
	return p;
}

static void give_point(struct flow *f, struct flow_point **p)
{
	if (*p) {
		flow_way_hold(f, &(*p)->way, NULL);
		f->memory.give(f->memory.context, *p, sizeof **p);
	}
	*p = NULL;
}

/* The point here and now; the place of an old one is used again. */
static void set_point(struct flow *f, struct flow_point **p, const struct flow_strand *s, const struct flow_event *e)
{
	if (!*p && !(*p = new_point(f)))
		return;
	for (uint32_t k = 0; k < f->questions; k++)
		(*p)->at[k] = s->at[k];
	(*p)->time = e->time;
	(*p)->mark = (*p)->last_mark = e->mark;
	(*p)->last_strand = e->strand;
	(*p)->outside = s->outside;
	(*p)->event = (*p)->node = f->link.to = f->events;
	(*p)->strand = e->strand;
	(*p)->next = NULL;
	flow_way_hold(f, &(*p)->way, s->way);
}

/* The later one of the point and of here and now, in each question's run: who comes after all of them waits for that. */
static void raise_point(struct flow *f, struct flow_point **p, const struct flow_strand *s, const struct flow_event *e)
{
	if (!*p) {
		set_point(f, p, s, e);
		return;
	}
	if (s->at[0] > (*p)->at[0]) {
		(*p)->mark = e->mark;
		(*p)->outside = s->outside;
		(*p)->event = f->events;
		(*p)->strand = e->strand;
		flow_way_hold(f, &(*p)->way, s->way);
	}
	f->link.to = (*p)->node;
	for (uint32_t k = 0; k < f->questions; k++)
		if (s->at[k] > (*p)->at[k])
			(*p)->at[k] = s->at[k];
	(*p)->time = e->time;
	(*p)->last_mark = e->mark;
	(*p)->last_strand = e->strand;
}

/* ---- strands ---- */

/* The core that was left last of those that are free at the strand's position, so that none is used up by a strand that is ahead; else the
 * one that is free first. */
static uint64_t *core_for(uint64_t *is_free, uint32_t cores, uint64_t at)
{
	uint64_t *best = &is_free[0];
	for (uint32_t c = 1; c < cores; c++)
		if (*best <= at ? is_free[c] <= at && is_free[c] > *best : is_free[c] < *best)
			best = &is_free[c];
	return best;
}

/* What a stretch of so much work takes in a question's run. */
static uint64_t shortened(const struct flow_event *e, uint32_t question, uint64_t cpu)
{
	uint64_t less = e->less ? e->less[question] : 0;
	return less < cpu ? cpu - less : 0;
}

static void work(struct flow *f, struct flow_strand *s, const struct flow_event *e, uint64_t cpu, uint64_t load)
{
	for (uint32_t k = 0; k < f->questions; k++) {
		uint64_t took = shortened(e, k, cpu) + (f->question[k].keeps_load ? load : 0);
		if (f->question[k].cores && took) {
			uint64_t *core = core_for(f->core_free[k], f->question[k].cores, s->at[k]);
			if (s->at[k] < *core)
				s->at[k] = *core;
			*core = s->at[k] + took;
		}
		s->at[k] += took;
	}
	s->work += cpu;
	s->load += load;
}

static void on_core(struct flow_strand *s, uint64_t time)
{
	if (s->off == never)
		return;
	uint64_t from = s->off > s->booked ? s->off : s->booked;
	s->off_ticks += time > from ? time - from : 0;
	s->off = never;
}

/* Ends the stretch of work until now: who has an event has a core. */
static void book(struct flow *f, struct flow_strand *s, const struct flow_event *e)
{
	uint64_t time = e->time, elapsed = time > s->booked ? time - s->booked : 0;
	on_core(s, time);
	uint64_t load = s->off_ticks < elapsed ? s->off_ticks : elapsed;
	work(f, s, e, elapsed - load, load);
	s->off_ticks = 0;
	s->booked = time;
}

static bool is_free(const struct flow_question *q, const struct flow_event *e)
{
	return e->group != UINT32_MAX && q->without == e->group && e->kind != FLOW_JOIN && e->kind != FLOW_GO;
}

/* More strands, or fewer, wait from now on. */
static void queue(struct flow_object *o, uint64_t time)
{
	o->queued += o->waiting * (time - o->queued_at);
	o->queued_at = time;
}

static void end_wait(struct flow *f, struct flow_strand *s, uint64_t time, uint64_t *into)
{
	struct flow_object *o = s->queue != UINT32_MAX ? f->memory.object(f->memory.context, s->queue) : NULL;
	if (o) {
		queue(o, time);
		o->waiting--;
	}
	*into += time - s->paused;
	s->booked = time;
	s->paused = s->off = never;
	s->off_ticks = 0;
}

/* A wait that nothing in the run ended. It may have been a call of the kernel that worked, and lost its core. */
static void keep_length(struct flow *f, struct flow_strand *s, const struct flow_event *e, uint64_t *into)
{
	if (s->paused == never)
		return;
	on_core(s, e->time);
	uint64_t elapsed = e->time - s->paused, load = s->off_ticks < elapsed ? s->off_ticks : elapsed;
	for (uint32_t k = 0; k < f->questions; k++)
		if (!is_free(&f->question[k], e))
			s->at[k] += elapsed - (f->question[k].keeps_load ? 0 : load);
	f->cause = (struct flow_cause){.waited = true, .since = s->paused};
	end_wait(f, s, e->time, into);
	*into -= load;
	s->load += load;
}

/* The strand goes on, and could not before `from`. */
static uint64_t receive(struct flow *f, struct flow_strand *s, const struct flow_event *e, const struct flow_point *from)
{
	bool waits = s->paused != never;
	if (!from) {
		f->unexplained += waits;
		keep_length(f, s, e, &s->waited);
		return FLOW_NONE;
	}
	bool binds = f->questions && !is_free(&f->question[0], e), is_later = binds && from->at[0] > s->at[0];
	uint64_t sender = is_later ? from->event : FLOW_NONE;
	f->link.from = binds ? from->node : FLOW_NONE;
	f->link.held = is_later ? from->at[0] - s->at[0] : 0;
	uint64_t since = waits ? s->paused : e->time, late = e->time - (from->time > since ? from->time : since);
	for (uint32_t k = 0; k < f->questions; k++) {
		if (!is_free(&f->question[k], e) && from->at[k] > s->at[k])
			s->at[k] = from->at[k];
		if (f->question[k].keeps_latency)
			s->at[k] += late;
	}
	f->cause = (struct flow_cause){.waited = waits,
	                               .is_known = true,
	                               .since = since,
	                               .sent = from->time,
	                               .mark = from->last_mark,
	                               .strand = from->last_strand};
	if (waits)
		end_wait(f, s, e->time, &s->waited);
	if (sender != FLOW_NONE)
		flow_way_turn(f, s, e, from);
	return sender;
}

/* ---- kinds of things ---- */

static void contend(struct flow_object *o, const struct flow_strand *s, uint64_t time)
{
	bool waits = s->paused != never;
	o->acquired++;
	o->contended += waits;
	o->waited += waits ? time - s->paused : 0;
}

/* Strands that shared the lock did so after its last release: the latest of these stands for that, too. */
static uint64_t acquire(struct flow *f, struct flow_strand *s, struct flow_object *o, const struct flow_event *e)
{
	bool alone = e->kind == FLOW_ACQUIRE;
	contend(o, s, e->time);
	uint64_t sender = receive(f, s, e, alone && o->unshared ? o->unshared : o->released);
	queue(o, e->time);
	if (alone) {
		o->taken = e->time;
		o->taken_mark = e->mark;
		o->queued_before = o->queued;
	}
	return sender;
}

static void release(struct flow *f, struct flow_strand *s, struct flow_object *o, const struct flow_event *e)
{
	if (e->kind == FLOW_UNSHARE) {
		raise_point(f, &o->unshared, s, e);
		return;
	}
	queue(o, e->time);
	f->charged = o->queued - o->queued_before;
	o->queued_before = o->queued; /* a thread that takes it again at once may have no event */
	o->held += e->time - o->taken;
	set_point(f, &o->released, s, e);
	give_point(f, &o->unshared);
}

static void post(struct flow *f, struct flow_strand *s, struct flow_object *o, const struct flow_event *e)
{
	struct flow_point *p = NULL;
	if (o->posts == FLOW_POSTS) {
		o->tokens++;
		return;
	}
	set_point(f, &p, s, e);
	if (!p)
		return;
	o->posts++;
	if (o->last)
		o->last->next = p;
	else
		o->first = p;
	o->last = p;
}

/* What takes the k-th token needs the k-th one that there was. */
static uint64_t take(struct flow *f, struct flow_strand *s, struct flow_object *o, const struct flow_event *e)
{
	struct flow_point *p = o->tokens ? NULL : o->first;
	contend(o, s, e->time);
	if (o->tokens)
		o->tokens--;
	if (p) {
		o->posts--;
		o->first = p->next;
		o->last = o->first ? o->last : NULL;
	}
	uint64_t sender = receive(f, s, e, p);
	give_point(f, &p);
	return sender;
}

static void give_listener(struct flow *f, struct flow_listener *l)
{
	give_point(f, &l->heard);
	f->memory.give(f->memory.context, l, sizeof *l);
}

static void listen(struct flow *f, struct flow_object *o, uint32_t strand)
{
	struct flow_listener **at = &o->listeners, *l = f->memory.take(f->memory.context, sizeof *l);
	if (!l) {
		f->failed = true;
		return;
	}
	*l = (struct flow_listener){.strand = strand};
	while (*at && (*at)->strand != strand)
		at = &(*at)->next;
	if (*at) { /* the strand has gone on, and no event told that */
		struct flow_listener *old = *at;
		*at = old->next;
		give_listener(f, old);
		while (*at)
			at = &(*at)->next;
	}
	*at = l;
}

static void signal_to(struct flow *f, struct flow_strand *s, struct flow_object *o, const struct flow_event *e)
{
	for (struct flow_listener *l = o->listeners; l; l = l->next)
		if (!l->heard) {
			set_point(f, &l->heard, s, e);
			if (e->kind == FLOW_SIGNAL)
				return;
		}
}

static struct flow_listener **listener_of(struct flow_object *o, uint32_t strand)
{
	struct flow_listener **at = &o->listeners;
	while (*at && (*at)->strand != strand)
		at = &(*at)->next;
	return at;
}

/* Conditions need not wake the strand that has waited longest: one that goes on without a signal of its own has that of another. */
static uint64_t hear(struct flow *f, struct flow_strand *s, struct flow_object *o, const struct flow_event *e)
{
	struct flow_listener **mine = listener_of(o, e->strand), *l = *mine;
	struct flow_point *from = l ? l->heard : NULL;
	if (l && !from && e->kind == FLOW_HEAR)
		for (struct flow_listener *other = o->listeners; other && !from; other = other->next) {
			from = other->heard;
			other->heard = NULL;
		}
	if (l && from && e->kind == FLOW_IGNORE) /* the signal is for the next one that listens */
		for (struct flow_listener *other = o->listeners; other && from; other = other->next)
			if (other != l && !other->heard) {
				other->heard = from;
				from = NULL;
			}
	contend(o, s, e->time);
	uint64_t sender = FLOW_NONE;
	if (e->kind == FLOW_HEAR)
		sender = receive(f, s, e, from);
	else
		keep_length(f, s, e, &s->outside);
	give_point(f, &from);
	if (l) {
		*mine = l->next;
		f->memory.give(f->memory.context, l, sizeof *l);
	}
	return sender;
}

/* All arrivals of a turn come before its first passage, and that before any arrival of the next turn. */
static uint64_t pass(struct flow *f, struct flow_strand *s, struct flow_object *o, const struct flow_event *e)
{
	if (s->arrived == o->turn) {
		o->turn++;
		give_point(f, &o->passed);
		o->passed = o->gathered;
		o->gathered = NULL;
	}
	contend(o, s, e->time);
	return receive(f, s, e, o->passed);
}

/* What offers nothing was not waited for. */
static uint64_t follow(struct flow *f, struct flow_strand *s, struct flow_object *o, const struct flow_event *e)
{
	uint64_t sender = FLOW_NONE;
	if (o->unshared || s->paused != never)
		sender = receive(f, s, e, o->unshared);
	give_point(f, &o->unshared);
	return sender;
}

/* ---- events ---- */

static void begin(struct flow *f, struct flow_strand *s, const struct flow_event *e)
{
	s->booked = e->time;
	s->paused = s->off = never;
	s->alive = true;
	for (uint32_t k = 0; k < f->questions; k++) {
		const struct flow_question *q = &f->question[k];
		if (s->created)
			s->at[k] = s->created->at[k] + (q->keeps_latency ? e->time - s->created->time : 0);
		else
			s->at[k] = e->time - f->begin;
	}
	f->link.begins = true;
	f->link.from = s->created ? s->created->node : FLOW_NONE;
	flow_way_turn(f, s, e, s->created);
}

static void extend_run(struct flow *f, const struct flow_strand *s, const struct flow_event *e)
{
	bool exits = e->kind == FLOW_EXIT;
	if (f->exited)
		return;
	f->end = e->time;
	if (s->at[0] > f->longest[0] || exits)
		f->longest_strand = e->strand;
	for (uint32_t k = 0; k < f->questions; k++)
		if (s->at[k] > f->longest[k] || exits)
			f->longest[k] = s->at[k];
	f->exited = exits;
}

static void pause(struct flow_strand *s, struct flow_object *o, const struct flow_event *e)
{
	s->queue = o ? e->object : UINT32_MAX;
	if (!o)
		return;
	queue(o, e->time);
	o->waiting++;
	o->longest_queue = o->waiting > o->longest_queue ? o->waiting : o->longest_queue;
}

static struct flow_object *object_of(struct flow *f, const struct flow_event *e)
{
	struct flow_object *o = f->memory.object(f->memory.context, e->object);
	if (!o)
		f->failed = true;
	return o;
}

static struct flow_strand *other_of(struct flow *f, const struct flow_event *e)
{
	struct flow_strand *s = f->memory.strand(f->memory.context, e->object);
	if (!s)
		f->failed = true;
	return s;
}

static uint64_t apply_to_object(struct flow *f, struct flow_strand *s, const struct flow_event *e)
{
	struct flow_object *o = e->object != UINT32_MAX ? object_of(f, e) : NULL;
	if (e->kind == FLOW_PAUSE) {
		pause(s, o, e);
		return FLOW_NONE;
	}
	if (!o) {
		keep_length(f, s, e, &s->outside);
		return FLOW_NONE;
	}
	switch (e->kind) {
	case FLOW_ACQUIRE:
	case FLOW_SHARE: return acquire(f, s, o, e);
	case FLOW_RELEASE:
	case FLOW_UNSHARE: release(f, s, o, e); break;
	case FLOW_OPEN: set_point(f, &o->released, s, e); break;
	case FLOW_ENTER: return receive(f, s, e, o->released);
	case FLOW_OFFER: raise_point(f, &o->unshared, s, e); break;
	case FLOW_FOLLOW: return follow(f, s, o, e);
	case FLOW_FILL: o->tokens = e->count; break;
	case FLOW_POST: post(f, s, o, e); break;
	case FLOW_TAKE: return take(f, s, o, e);
	case FLOW_LISTEN: listen(f, o, e->strand); break;
	case FLOW_SIGNAL:
	case FLOW_BROADCAST: signal_to(f, s, o, e); break;
	case FLOW_HEAR:
	case FLOW_IGNORE: return hear(f, s, o, e);
	case FLOW_ARRIVE:
		raise_point(f, &o->gathered, s, e);
		s->arrived = o->turn;
		break;
	case FLOW_PASS: return pass(f, s, o, e);
	default: break;
	}
	return FLOW_NONE;
}

static uint64_t apply(struct flow *f, struct flow_strand *s, const struct flow_event *e)
{
	struct flow_strand *other;
	switch (e->kind) {
	case FLOW_BEGIN: begin(f, s, e); return s->created ? s->created->event : FLOW_NONE;
	case FLOW_CREATE:
		if ((other = other_of(f, e)))
			set_point(f, &other->created, s, e);
		return FLOW_NONE;
	case FLOW_JOIN: other = other_of(f, e); return receive(f, s, e, other ? other->ended : NULL);
	case FLOW_END:
		set_point(f, &s->ended, s, e);
		s->alive = false;
		return FLOW_NONE;
	case FLOW_REFUSE:
	case FLOW_DETACH:
	case FLOW_RUN:
	case FLOW_MARK:
	case FLOW_EXIT:
	case FLOW_GO: keep_length(f, s, e, &s->outside); return FLOW_NONE;
	default: return apply_to_object(f, s, e);
	}
}

static void core_event(struct flow_strand *s, const struct flow_event *e)
{
	if (e->kind == FLOW_ON)
		on_core(s, e->time);
	else if (s->off == never)
		s->off = e->time;
}

/* The first event of a strand may be any: the strand began before the recording did. */
static uint64_t take_event(struct flow *f, struct flow_strand *s, const struct flow_event *e)
{
	bool is_late = !s->alive && e->kind != FLOW_BEGIN;
	if (is_late)
		begin(f, s, e);
	if (e->kind == FLOW_OFF || e->kind == FLOW_ON) {
		core_event(s, e);
		return FLOW_NONE;
	}
	f->link.works = !is_late && s->alive && s->paused == never;
	if (f->link.works)
		book(f, s, e);
	uint64_t sender = apply(f, s, e);
	if (e->kind == FLOW_PAUSE)
		s->paused = e->time;
	return sender;
}

uint64_t flow_step(struct flow *f, const struct flow_event *e)
{
	struct flow_strand *s = f->memory.strand(f->memory.context, e->strand);
	uint64_t sender = FLOW_NONE, before = s && s->alive && f->questions ? s->at[0] : 0;
	f->cause = (struct flow_cause){0};
	f->link = (struct flow_link){.mark = e->mark, .from = FLOW_NONE, .to = FLOW_NONE, .strand = e->strand};
	f->charged = 0;
	if (!f->events)
		f->begin = e->time;
	if (!s) {
		f->failed = true;
	} else {
		sender = take_event(f, s, e);
		f->link.exits = e->kind == FLOW_EXIT && !f->exited;
		f->link.took = f->questions && !f->link.begins ? s->at[0] - before - f->link.held : 0;
		extend_run(f, s, e);
	}
	f->events++;
	return sender;
}

/* ---- memory ---- */

static void thin_point(struct flow *f, const struct flow_point *p, uint64_t least, uint64_t turn)
{
	if (p)
		flow_way_thin(f, p->way, least, turn);
}

void flow_thin_strand(struct flow *f, const struct flow_strand *s, uint64_t least, uint64_t turn)
{
	flow_way_thin(f, s->way, least, turn);
	thin_point(f, s->created, least, turn);
	thin_point(f, s->ended, least, turn);
}

void flow_thin_object(struct flow *f, const struct flow_object *o, uint64_t least, uint64_t turn)
{
	thin_point(f, o->released, least, turn);
	thin_point(f, o->unshared, least, turn);
	thin_point(f, o->gathered, least, turn);
	thin_point(f, o->passed, least, turn);
	for (const struct flow_point *p = o->first; p; p = p->next)
		thin_point(f, p, least, turn);
	for (const struct flow_listener *l = o->listeners; l; l = l->next)
		thin_point(f, l->heard, least, turn);
}

void flow_forget_strand(struct flow *f, struct flow_strand *s)
{
	give_point(f, &s->created);
	give_point(f, &s->ended);
	flow_way_hold(f, &s->way, NULL);
}

void flow_forget_object(struct flow *f, struct flow_object *o)
{
	give_point(f, &o->released);
	give_point(f, &o->unshared);
	give_point(f, &o->gathered);
	give_point(f, &o->passed);
	while (o->first) {
		struct flow_point *first = o->first;
		o->first = first->next;
		give_point(f, &first);
	}
	o->last = NULL;
	while (o->listeners) {
		struct flow_listener *l = o->listeners;
		o->listeners = l->next;
		give_listener(f, l);
	}
}
