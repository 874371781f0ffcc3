/* SPDX-License-Identifier: MIT */
/* simulate.h: random programs of strands that wait for each other, and a machine that runs them: a tick at a time, on a few cores,
 * with preemption. It leaves the events that a recorder would, and what the program itself says: who got what in which order.
 *
 *     make_program(&p, &seed);
 *     if (simulate(&p, &run, cores, &seed)) …           false: the program got stuck
 *     shortest = replay(&p, &run, UINT32_MAX);          as many cores as strands, no latency; without one object
 *     predicted = schedule(&p, &run, cores);            a few cores, no latency */
#ifndef TESTS_FLOW_SIMULATE_H
#define TESTS_FLOW_SIMULATE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "core/flow/flow.h"

enum { STRANDS = 6, OBJECTS = 8, OPS = 120, EVENTS = 8192, ORDER = 512, LIMIT = 20000 };
enum { LOCK_0, LOCK_1, COUNTER_0, COUNTER_1, CONDITION, BARRIER, GATE, POOL };

/* ENTER waits until somebody has opened the gate. FOLLOW takes all offers of the pool; with ticks, it waits until there is one. */
enum op_kind {
	COMPUTE,
	SLEEP,
	CREATE,
	JOIN,
	LOCK,
	UNLOCK,
	SHARE,
	UNSHARE,
	POST,
	TAKE,
	WAIT,
	SIGNAL,
	BROADCAST,
	MEET,
	OPEN,
	ENTER,
	OFFER,
	FOLLOW
};
struct op {
	enum op_kind kind;
	uint32_t object, ticks;
	bool in_routine; /* COMPUTE: in the routine that a question makes faster */
};

struct program {
	uint32_t strands, tokens[OBJECTS];
	struct op ops[STRANDS][OPS];
	uint32_t count[STRANDS];
};

/* Who got an object, in order; of a condition: whom a signal reached, or which wait ended by itself. */
struct got {
	uint32_t strand, op;
	bool by_itself;
	uint32_t from_strand, from_op; /* the signal; who opened the gate */
	uint32_t posted;               /* how many offers there had been in the pool */
};

/* What strands did with an object. */
struct use {
	uint64_t times, contended, waited, held; /* contended: times that a strand had to wait; held: by one alone */
	uint32_t longest_queue;
};

struct run {
	struct flow_event events[EVENTS];
	uint32_t count;
	struct got order[OBJECTS][ORDER];
	uint32_t got[OBJECTS];
	uint32_t posts[OBJECTS][ORDER]; /* strand << 16 | op */
	uint32_t posted[OBJECTS];
	uint64_t work, outside;
	struct use use[OBJECTS];
	uint64_t waited[STRANDS], slept[STRANDS]; /* slept: also in waits that ended by themselves */
};

static inline uint32_t draw(uint64_t *seed, uint32_t below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*seed >> 33) % below);
}

/* ---- programs ---- */

static inline void add_op(struct program *p, uint32_t s, enum op_kind kind, uint32_t object, uint32_t ticks)
{
	assert(p->count[s] < OPS);
	p->ops[s][p->count[s]++] = (struct op){kind, object, ticks, false};
}

static inline void add_work(struct program *p, uint32_t s, uint32_t ticks, uint64_t *seed)
{
	add_op(p, s, COMPUTE, 0, ticks);
	p->ops[s][p->count[s] - 1].in_routine = draw(seed, 4) == 0;
}

static inline void add_some(struct program *p, uint32_t s, uint64_t *seed)
{
	uint32_t lock = LOCK_0 + draw(seed, 2), counter = COUNTER_0 + draw(seed, 2), ticks = draw(seed, 9);
	switch (draw(seed, 14)) {
	case 0:
	case 1:
	case 9: add_work(p, s, ticks + 1, seed); break;
	case 2:
		add_op(p, s, LOCK, lock, 0);
		add_work(p, s, ticks, seed);
		add_op(p, s, UNLOCK, lock, 0);
		break;
	case 3:
		add_op(p, s, SHARE, lock, 0);
		add_work(p, s, ticks, seed);
		add_op(p, s, UNSHARE, lock, 0);
		break;
	case 4: add_op(p, s, POST, counter, 0); break;
	case 5: add_op(p, s, TAKE, counter, 0); break;
	case 6: add_op(p, s, WAIT, CONDITION, ticks + 1); break;
	case 7: add_op(p, s, draw(seed, 3) ? SIGNAL : BROADCAST, CONDITION, 0); break;
	case 8: add_op(p, s, OPEN, GATE, 0); break;
	case 10: add_op(p, s, ENTER, GATE, 0); break;
	case 11: add_op(p, s, OFFER, POOL, 0); break;
	case 12: add_op(p, s, FOLLOW, POOL, draw(seed, 3) == 0); break;
	default: add_op(p, s, SLEEP, 0, ticks + 1); break;
	}
}

static inline void make_program(struct program *p, uint64_t *seed)
{
	memset(p, 0, sizeof *p);
	p->strands = 1 + draw(seed, STRANDS);
	p->tokens[COUNTER_0] = draw(seed, 4);
	p->tokens[COUNTER_1] = draw(seed, 4);
	uint32_t rounds = draw(seed, 4), each = 1 + draw(seed, 5);
	for (uint32_t s = 1; s < p->strands; s++) {
		add_work(p, 0, draw(seed, 4), seed);
		add_op(p, 0, CREATE, s, 0);
	}
	add_work(p, 0, draw(seed, 20), seed);
	add_op(p, 0, OPEN, GATE, 0);
	for (uint32_t s = 0; s < p->strands; s++)
		for (uint32_t r = 0; r <= rounds; r++) {
			for (uint32_t i = 0; i < each; i++)
				add_some(p, s, seed);
			if (r < rounds)
				add_op(p, s, MEET, BARRIER, 0);
		}
	for (uint32_t s = 1; s < p->strands; s++)
		add_op(p, 0, JOIN, s, 0);
}

/* ---- the machine ---- */

enum state { NEW, READY, PAUSED, DONE };
struct strand {
	enum state state;
	uint32_t op, left;
	uint64_t until;    /* of a sleep, or of a wait for a signal */
	uint64_t paused;   /* since when */
	bool off, on_core; /* lost its core; has one */
	bool signalled;    /* a wait has ended by a signal */
	uint32_t from_strand, from_op;
	uint32_t met;     /* number of barriers passed */
	uint32_t listens; /* when it began to listen, as a number; 0: it does not */
};

struct machine {
	const struct program *p;
	struct run *run;
	struct strand s[STRANDS];
	int writer[OBJECTS];
	uint32_t readers[OBJECTS], tokens[OBJECTS];
	uint32_t arrivals, listened;
	bool open;
	uint32_t opener, opener_op;
	uint64_t now;
	uint64_t locked[OBJECTS]; /* since when the lock is held by one alone */
};

static inline void note(struct machine *m, uint32_t s, enum flow_kind kind, uint32_t object, uint32_t count)
{
	assert(m->run->count < EVENTS);
	m->run->events[m->run->count++] = (struct flow_event){m->now, s, object, object, count, kind, .mark = m->s[s].op};
}

static inline void got(struct machine *m, uint32_t s, uint32_t object, bool by_itself)
{
	assert(m->run->got[object] < ORDER);
	m->run->order[object][m->run->got[object]++] =
		(struct got){s, m->s[s].op, by_itself, m->s[s].from_strand, m->s[s].from_op, m->run->posted[object]};
}

static inline bool may_go(struct machine *m, uint32_t s)
{
	struct strand *me = &m->s[s];
	const struct op *op = &m->p->ops[s][me->op];
	switch (op->kind) {
	case LOCK: return m->writer[op->object] < 0 && !m->readers[op->object];
	case SHARE: return m->writer[op->object] < 0;
	case TAKE: return m->tokens[op->object] > 0;
	case JOIN: return m->s[op->object].state == DONE;
	case SLEEP: return m->now >= me->until;
	case WAIT: return me->signalled || m->now >= me->until;
	case MEET: return m->arrivals >= (me->met + 1) * m->p->strands;
	case ENTER: return m->open;
	case FOLLOW: return !op->ticks || m->tokens[op->object] > 0;
	default: return true;
	}
}

static inline bool has_object(enum op_kind kind)
{
	return kind != SLEEP && kind != JOIN;
}

static inline void count_use(struct machine *m, uint32_t s, const struct op *op, bool by_itself)
{
	const struct strand *me = &m->s[s];
	uint64_t waited = me->state == PAUSED ? m->now - me->paused : 0;
	*(op->kind == SLEEP || by_itself ? &m->run->slept[s] : &m->run->waited[s]) += waited;
	if (!has_object(op->kind))
		return;
	struct use *use = &m->run->use[op->object];
	use->times++;
	use->contended += me->state == PAUSED;
	use->waited += waited;
}

static inline void count_queue(struct machine *m, const struct op *op)
{
	uint32_t waiting = 0;
	for (uint32_t s = 0; s < m->p->strands; s++) {
		const struct op *other = &m->p->ops[s][m->s[s].op];
		waiting += m->s[s].state == PAUSED && has_object(other->kind) && other->object == op->object;
	}
	struct use *use = &m->run->use[op->object];
	if (has_object(op->kind) && waiting > use->longest_queue)
		use->longest_queue = waiting;
}

static inline void finish_op(struct machine *m, uint32_t s, const struct op *op)
{
	static const enum flow_kind kinds[] = {
		[LOCK] = FLOW_ACQUIRE, [SHARE] = FLOW_SHARE, [TAKE] = FLOW_TAKE,   [JOIN] = FLOW_JOIN,    [SLEEP] = FLOW_GO,
		[MEET] = FLOW_PASS,    [WAIT] = FLOW_HEAR,   [ENTER] = FLOW_ENTER, [FOLLOW] = FLOW_FOLLOW};
	struct strand *me = &m->s[s];
	bool by_itself = op->kind == WAIT && !me->signalled;
	note(m, s, by_itself ? FLOW_IGNORE : kinds[op->kind], op->kind == SLEEP ? UINT32_MAX : op->object, 0);
	count_use(m, s, op, by_itself);
	if (op->kind == LOCK) {
		m->writer[op->object] = (int)s;
		m->locked[op->object] = m->now;
	}
	if (op->kind == SHARE)
		m->readers[op->object]++;
	if (op->kind == TAKE)
		m->tokens[op->object]--;
	if (op->kind == MEET)
		me->met++;
	if (op->kind == WAIT)
		me->listens = 0;
	if (op->kind == FOLLOW)
		m->tokens[op->object] = 0;
	if (op->kind == ENTER) {
		me->from_strand = m->opener;
		me->from_op = m->opener_op;
	}
	if (op->kind == LOCK || op->kind == SHARE || op->kind == TAKE || op->kind == WAIT || op->kind == ENTER || op->kind == FOLLOW)
		got(m, s, op->object, by_itself);
	if (op->kind == SLEEP)
		m->run->outside += m->now - (me->until - op->ticks);
	me->op++;
}

/* The one that has listened longest. */
static inline int listener(struct machine *m)
{
	int best = -1;
	for (uint32_t s = 0; s < m->p->strands; s++)
		if (m->s[s].listens && !m->s[s].signalled && (best < 0 || m->s[s].listens < m->s[best].listens))
			best = (int)s;
	return best;
}

static inline void send(struct machine *m, uint32_t s, const struct op *op)
{
	int to;
	note(m, s, op->kind == SIGNAL ? FLOW_SIGNAL : FLOW_BROADCAST, op->object, 0);
	while ((to = listener(m)) >= 0) {
		m->s[to].signalled = true;
		m->s[to].from_strand = s;
		m->s[to].from_op = m->s[s].op;
		if (op->kind == SIGNAL)
			return;
	}
}

/* An operation that takes no time, or the beginning of one that may have to wait. True: it is done. */
static inline bool begin_op(struct machine *m, uint32_t s, const struct op *op)
{
	struct strand *me = &m->s[s];
	switch (op->kind) {
	case COMPUTE: me->left = op->ticks; return true;
	case CREATE:
		note(m, s, FLOW_CREATE, op->object, 0);
		m->s[op->object].state = READY;
		return true;
	case UNLOCK:
		note(m, s, FLOW_RELEASE, op->object, 0);
		m->writer[op->object] = -1;
		m->run->use[op->object].held += m->now - m->locked[op->object];
		return true;
	case UNSHARE:
		note(m, s, FLOW_UNSHARE, op->object, 0);
		m->readers[op->object]--;
		return true;
	case OPEN:
		note(m, s, FLOW_OPEN, op->object, 0);
		m->open = true;
		m->opener = s;
		m->opener_op = me->op;
		return true;
	case POST:
	case OFFER:
		note(m, s, op->kind == POST ? FLOW_POST : FLOW_OFFER, op->object, 0);
		m->run->posts[op->object][m->run->posted[op->object]++] = s << 16 | me->op;
		m->tokens[op->object]++;
		return true;
	case SIGNAL:
	case BROADCAST: send(m, s, op); return true;
	case MEET:
		note(m, s, FLOW_ARRIVE, op->object, 0);
		m->arrivals++;
		return false;
	case WAIT:
		note(m, s, FLOW_LISTEN, op->object, 0);
		me->listens = ++m->listened;
		me->signalled = false;
		me->until = m->now + op->ticks;
		return false;
	case SLEEP: me->until = m->now + op->ticks; return false;
	default: return false;
	}
}

/* The strand has a core: it does all that takes no time. True: it computes now. */
static inline bool run_strand(struct machine *m, uint32_t s)
{
	struct strand *me = &m->s[s];
	if (me->state == PAUSED) {
		finish_op(m, s, &m->p->ops[s][me->op]);
		me->state = READY;
	}
	while (!me->left) {
		if (me->op == m->p->count[s]) {
			note(m, s, FLOW_END, UINT32_MAX, 0);
			me->state = DONE;
			return false;
		}
		const struct op *op = &m->p->ops[s][me->op];
		if (begin_op(m, s, op)) {
			me->op++;
			continue;
		}
		if (op->kind != WAIT && op->kind != SLEEP && may_go(m, s)) {
			finish_op(m, s, op);
			continue;
		}
		note(m, s, FLOW_PAUSE, op->kind == SLEEP || op->kind == JOIN ? UINT32_MAX : op->object, 0);
		me->state = PAUSED;
		me->paused = m->now;
		count_queue(m, op);
		return false;
	}
	return true;
}

static inline bool wants_core(struct machine *m, uint32_t s)
{
	return m->s[s].state == READY || (m->s[s].state == PAUSED && may_go(m, s));
}

static inline void lose_cores(struct machine *m, uint64_t *seed)
{
	for (uint32_t s = 0; s < m->p->strands; s++)
		if (m->s[s].on_core && (m->s[s].state == DONE || m->s[s].state == PAUSED || draw(seed, 6) == 0)) {
			m->s[s].on_core = false;
			if (m->s[s].state == READY) { /* a strand that waits has no work to do */
				note(m, s, FLOW_OFF, UINT32_MAX, 0);
				m->s[s].off = true;
			}
		}
}

static inline bool simulate(const struct program *p, struct run *run, uint32_t cores, uint64_t *seed)
{
	struct machine m = {.p = p, .run = run};
	run->count = 0;
	run->work = run->outside = 0;
	memset(run->got, 0, sizeof run->got);
	memset(run->posted, 0, sizeof run->posted);
	memset(run->use, 0, sizeof run->use);
	memset(run->waited, 0, sizeof run->waited);
	memset(run->slept, 0, sizeof run->slept);
	memset(m.writer, -1, sizeof m.writer);
	memcpy(m.tokens, p->tokens, sizeof m.tokens);
	m.s[0].state = READY;
	bool begun[STRANDS] = {0};
	for (m.now = 100; m.now < LIMIT; m.now++) {
		uint32_t busy = 0, first = draw(seed, p->strands), done = 0;
		lose_cores(&m, seed);
		for (uint32_t s = 0; s < p->strands; s++)
			busy += m.s[s].on_core;
		for (uint32_t i = 0; i < p->strands; i++) {
			uint32_t s = (first + i) % p->strands;
			if (!m.s[s].on_core && busy < cores && wants_core(&m, s) && draw(seed, 4)) {
				m.s[s].on_core = true;
				busy++;
				if (!begun[s])
					note(&m, s, FLOW_BEGIN, UINT32_MAX, 0);
				if (!begun[s] && s == 0)
					for (uint32_t o = COUNTER_0; o <= COUNTER_1; o++)
						note(&m, s, FLOW_FILL, o, p->tokens[o]);
				begun[s] = true;
				if (m.s[s].off)
					note(&m, s, FLOW_ON, UINT32_MAX, 0);
				m.s[s].off = false;
			}
			if (m.s[s].on_core && (m.s[s].state == READY || may_go(&m, s)) && run_strand(&m, s)) {
				m.s[s].left--;
				run->work++;
			}
		}
		for (uint32_t s = 0; s < p->strands; s++)
			done += m.s[s].state == DONE;
		if (done == p->strands)
			return true;
	}
	return false;
}

/* ---- the same program, alone on a machine with a core for each strand; strands get what they got before, in the same order ---- */

struct again {
	uint64_t at[STRANDS], ended[STRANDS], created[STRANDS];
	uint64_t after[STRANDS][OPS]; /* positions after each operation */
	uint32_t op[STRANDS];
	uint32_t next[OBJECTS]; /* in the order */
	uint64_t released[OBJECTS], unshared[OBJECTS];
	uint32_t shared[OBJECTS];
	bool held[OBJECTS];
	uint32_t met[STRANDS], meeting[LIMIT / 8];
	uint64_t met_at[LIMIT / 8];
};

/* False: it cannot go on yet. */
static inline bool step_again(const struct program *p, const struct run *r, struct again *a, uint32_t s, uint32_t without)
{
	const struct op *op = &p->ops[s][a->op[s]];
	uint32_t o = op->object, n = a->next[o < OBJECTS ? o : 0];
	const struct got *g = &r->order[o < OBJECTS ? o : 0][n];
	bool mine = n < r->got[o < OBJECTS ? o : 0] && g->strand == s && g->op == a->op[s], is_free = o == without;
	uint64_t *at = &a->at[s], from = 0;
	switch (op->kind) {
	case COMPUTE: *at += op->ticks; return true;
	case SLEEP: return true; /* see the caller */
	case CREATE: a->created[o] = *at + 1; return true;
	case JOIN:
		if (a->op[o] < p->count[o] || !a->ended[o])
			return false;
		from = a->ended[o] - 1;
		break;
	case LOCK:
		if (!mine || a->held[o] || a->shared[o])
			return false;
		from = a->released[o] > a->unshared[o] ? a->released[o] : a->unshared[o];
		a->held[o] = true;
		a->next[o]++;
		from = is_free ? 0 : from;
		break;
	case SHARE:
		if (!mine || a->held[o])
			return false;
		from = is_free ? 0 : a->released[o];
		a->shared[o]++;
		a->next[o]++;
		break;
	case UNLOCK:
		a->released[o] = *at;
		a->held[o] = false;
		return true;
	case UNSHARE:
		a->unshared[o] = *at > a->unshared[o] ? *at : a->unshared[o];
		a->shared[o]--;
		return true;
	case TAKE: {
		if (!mine)
			return false;
		uint32_t k = n < p->tokens[o] ? UINT32_MAX : r->posts[o][n - p->tokens[o]];
		if (k != UINT32_MAX && a->op[k >> 16] <= (k & 0xffff))
			return false;
		from = k == UINT32_MAX || is_free ? 0 : a->after[k >> 16][k & 0xffff];
		a->next[o]++;
		break;
	}
	case FOLLOW:
		if (!mine)
			return false;
		for (uint32_t k = n ? r->order[o][n - 1].posted : 0; k < g->posted; k++) {
			uint32_t offer = r->posts[o][k];
			if (a->op[offer >> 16] <= (offer & 0xffff))
				return false;
			if (!is_free && a->after[offer >> 16][offer & 0xffff] > from)
				from = a->after[offer >> 16][offer & 0xffff];
		}
		a->next[o]++;
		break;
	case WAIT:
	case ENTER:
		if (!mine || g->by_itself) { /* see the caller */
			a->next[o] += mine;
			return mine;
		}
		if (a->op[g->from_strand] <= g->from_op)
			return false;
		from = is_free ? 0 : a->after[g->from_strand][g->from_op];
		a->next[o]++;
		break;
	default: return true;
	}
	*at = from > *at ? from : *at;
	return true;
}

static inline bool meet_again(const struct program *p, struct again *a, uint32_t s, uint32_t without, bool *arrived)
{
	uint32_t turn = a->met[s];
	if (!*arrived) {
		*arrived = true;
		a->meeting[turn]++;
		a->met_at[turn] = a->at[s] > a->met_at[turn] ? a->at[s] : a->met_at[turn];
	}
	if (a->meeting[turn] < p->strands)
		return false;
	if (without != BARRIER && a->met_at[turn] > a->at[s])
		a->at[s] = a->met_at[turn];
	a->met[s]++;
	*arrived = false;
	return true;
}

/* How long each wait that nothing in the run ended was, in the order of the strand's own. */
static inline uint64_t kept_length(const struct run *r, uint32_t s, uint32_t number)
{
	uint64_t paused = 0;
	for (uint32_t i = 0; i < r->count; i++) {
		const struct flow_event *e = &r->events[i];
		if (e->strand != s)
			continue;
		if (e->kind == FLOW_PAUSE)
			paused = e->time;
		if ((e->kind == FLOW_GO || e->kind == FLOW_IGNORE) && number-- == 0)
			return e->time - paused;
	}
	abort();
}

static inline uint64_t replay(const struct program *p, const struct run *r, uint32_t without)
{
	static struct again a;
	bool arrived[STRANDS] = {0}, moved = true;
	uint32_t kept[STRANDS] = {0};
	uint64_t longest = 0;
	memset(&a, 0, sizeof a);
	a.created[0] = 1;
	while (moved) {
		moved = false;
		for (uint32_t s = 0; s < p->strands; s++) {
			while (a.created[s] && a.op[s] < p->count[s]) {
				const struct op *op = &p->ops[s][a.op[s]];
				const struct got *g = op->kind == WAIT && a.next[CONDITION] < r->got[CONDITION]
					? &r->order[CONDITION][a.next[CONDITION]]
					: NULL;
				bool by_itself = op->kind == SLEEP || (g && g->by_itself && g->strand == s && g->op == a.op[s]);
				if (!a.op[s] && a.at[s] < a.created[s] - 1)
					a.at[s] = a.created[s] - 1;
				if (op->kind == MEET ? !meet_again(p, &a, s, without, &arrived[s]) : !step_again(p, r, &a, s, without))
					break;
				if (by_itself && (op->kind == SLEEP || without != CONDITION))
					a.at[s] += kept_length(r, s, kept[s]);
				kept[s] += by_itself;
				a.after[s][a.op[s]++] = a.at[s];
				moved = true;
			}
			if (a.created[s] && a.op[s] == p->count[s] && !a.ended[s]) {
				a.ended[s] = a.at[s] + 1;
				moved = true;
			}
		}
	}
	for (uint32_t s = 0; s < p->strands; s++) {
		assert(a.ended[s]);
		longest = a.ended[s] - 1 > longest ? a.ended[s] - 1 : longest;
	}
	return longest;
}

/* ---- the same program on a few cores: stretches of work take cores in the recorded order ---- */

/* The core that became free last before `at`, so that none is used up by a strand that is ahead; else the first that becomes free. */
static inline uint64_t *choose_core(uint64_t *is_free, uint32_t cores, uint64_t at)
{
	uint64_t *latest = NULL, *first = &is_free[0];
	for (uint32_t c = 0; c < cores; c++) {
		if (is_free[c] <= at && (!latest || is_free[c] > *latest))
			latest = &is_free[c];
		if (is_free[c] < *first)
			first = &is_free[c];
	}
	return latest ? latest : first;
}

static inline uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* What must have happened before an event, other than what its strand did. */
struct sent {
	uint64_t at[STRANDS][OPS + 1]; /* behind each operation */
	uint64_t created[STRANDS], ended[STRANDS];
	uint64_t released[OBJECTS], unshared[OBJECTS];
	uint64_t gathered[ORDER], turn[STRANDS];
	uint32_t next[OBJECTS];
};

static inline uint64_t sent_before(const struct program *p, const struct run *r, struct sent *d, const struct flow_event *e)
{
	uint32_t o = e->object, n = o < OBJECTS ? d->next[o] : 0;
	const struct got *g = o < OBJECTS ? &r->order[o][n] : NULL;
	uint64_t before = 0;
	switch (e->kind) {
	case FLOW_BEGIN: return d->created[e->strand];
	case FLOW_JOIN: return d->ended[o];
	case FLOW_PASS: return d->gathered[d->turn[e->strand]++];
	case FLOW_ACQUIRE: before = later(d->released[o], d->unshared[o]); break;
	case FLOW_SHARE: before = d->released[o]; break;
	case FLOW_TAKE:
		if (n >= p->tokens[o])
			before = d->at[r->posts[o][n - p->tokens[o]] >> 16][r->posts[o][n - p->tokens[o]] & 0xffff];
		break;
	case FLOW_FOLLOW:
		for (uint32_t k = n ? r->order[o][n - 1].posted : 0; k < g->posted; k++)
			before = later(before, d->at[r->posts[o][k] >> 16][r->posts[o][k] & 0xffff]);
		break;
	case FLOW_HEAR:
	case FLOW_ENTER: before = d->at[g->from_strand][g->from_op]; break;
	case FLOW_IGNORE: break;
	default: return 0;
	}
	d->next[o]++;
	return before;
}

static inline void send_on(struct sent *d, const struct flow_event *e, uint64_t at)
{
	uint32_t o = e->object;
	switch (e->kind) {
	case FLOW_CREATE: d->created[o] = at; break;
	case FLOW_END: d->ended[e->strand] = at; break;
	case FLOW_RELEASE: d->released[o] = at; break;
	case FLOW_UNSHARE: d->unshared[o] = later(d->unshared[o], at); break;
	case FLOW_ARRIVE: d->gathered[d->turn[e->strand]] = later(d->gathered[d->turn[e->strand]], at); break;
	default: break;
	}
	d->at[e->strand][e->mark] = at;
}

static inline uint64_t schedule(const struct program *p, const struct run *r, uint32_t cores)
{
	static struct sent d;
	uint64_t at[STRANDS] = {0}, paused[STRANDS] = {0}, is_free[STRANDS] = {0}, longest = 0;
	uint32_t done[STRANDS] = {0};
	memset(&d, 0, sizeof d);
	for (uint32_t i = 0; i < r->count; i++) {
		const struct flow_event *e = &r->events[i];
		uint64_t *mine = &at[e->strand], ticks = 0;
		if (e->kind == FLOW_OFF || e->kind == FLOW_ON)
			continue;
		for (; done[e->strand] < e->mark; done[e->strand]++) {
			const struct op *op = &p->ops[e->strand][done[e->strand]];
			ticks += op->kind == COMPUTE ? op->ticks : 0;
		}
		if (ticks) {
			uint64_t *core = choose_core(is_free, cores, *mine);
			*mine = *core = later(*core, *mine) + ticks;
		}
		*mine = later(*mine, sent_before(p, r, &d, e));
		if (e->kind == FLOW_PAUSE)
			paused[e->strand] = e->time;
		if (e->kind == FLOW_GO || e->kind == FLOW_IGNORE)
			*mine += e->time - paused[e->strand];
		send_on(&d, e, *mine);
		longest = later(longest, *mine);
	}
	return longest;
}

#endif
