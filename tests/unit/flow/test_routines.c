/* SPDX-License-Identifier: MIT */
/* The dynamic call graph: sums over frames equal those of an observer who looks at every stack all the time. */
#include "analyse/flow/routines.h"
#include "analyse/run.h"
#include "unit/lib.h"

enum { STRANDS = 3, ROUTINES = 5, DEPTH = 12, TURNS = 400, EVENTS = 300 };

static uint64_t draw(uint64_t *random)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return *random >> 33;
}

/* One strand, as the observer sees it. */
struct seen {
	uint32_t stack[DEPTH];
	uint32_t depth;    /* with the creator */
	uint32_t waits_at; /* depth when its wait began: what is above is a signal handler's; 0: it was left by a jump */
	uint64_t since;
	enum { WORKS, WAITS, OFF } state;
};

struct observer {
	struct seen strands[STRANDS];
	struct flow_routines_row rows[ROUTINES + 1];
	uint64_t arcs[ROUTINES + 1][ROUTINES + 1];
	uint64_t inside[STRANDS][2]; /* groups: routine 1, routines 2 and 3 */
	uint32_t critical;           /* the strand that is on the critical path now */
};

static const uint32_t groups[] = {0, 1, 2, 2};

static bool is_on(const struct seen *s, uint32_t routine)
{
	for (uint32_t i = 1; i < s->depth; i++)
		if (s->stack[i] == routine)
			return true;
	return false;
}

static void look(struct observer *o, uint32_t strand, uint64_t now)
{
	struct seen *s = &o->strands[strand];
	uint64_t ticks = now - s->since;
	bool works = s->state == WORKS || (s->state == WAITS && s->depth > s->waits_at);
	for (uint32_t r = 1; r <= ROUTINES; r++)
		if (is_on(s, r))
			*(works ? &o->rows[r].total : s->state == WAITS ? &o->rows[r].wait : &o->rows[r].off) += ticks;
	if (s->state == WORKS) {
		o->inside[strand][0] += is_on(s, 1) ? ticks : 0;
		o->inside[strand][1] += is_on(s, 2) || is_on(s, 3) ? ticks : 0;
	}
	if (works && s->depth > 1) {
		o->rows[s->stack[s->depth - 1]].self += ticks;
		if (o->critical == strand)
			o->rows[s->stack[s->depth - 1]].critical += ticks;
	}
	s->since = now;
}

static struct flow_event apply(struct observer *o, uint32_t strand, uint64_t now, uint64_t *random, uint32_t *routine)
{
	struct seen *s = &o->strands[strand];
	struct flow_event e = {.time = now, .strand = strand, .object = UINT32_MAX, .group = UINT32_MAX};
	look(o, strand, now);
	switch (draw(random) % 8) {
	case 0:
		e.kind = s->state == WORKS ? FLOW_PAUSE : FLOW_GO;
		s->state = s->state == WORKS ? WAITS : WORKS;
		s->waits_at = s->depth;
		return e;
	case 1:
		e.kind = s->state == OFF ? FLOW_ON : FLOW_OFF;
		s->state = s->state == OFF ? WORKS : s->state == WORKS ? OFF : WAITS;
		return e;
	case 2:
		e.kind = FLOW_UNWIND;
		e.object = 1 + (uint32_t)(draw(random) % s->depth);
		s->depth = e.object;
		s->waits_at = s->depth < s->waits_at ? 0 : s->waits_at;
		return e;
	case 3:
	case 4:
		e.kind = FLOW_RETURN;
		s->depth -= s->depth > 1;
		s->waits_at = s->depth < s->waits_at ? 0 : s->waits_at;
		return e;
	default: break;
	}
	e.kind = s->depth < DEPTH ? FLOW_ENTRY : FLOW_UNWIND;
	e.object = s->depth < DEPTH ? 0 : s->depth;
	if (s->depth == DEPTH)
		return e;
	*routine = 1 + (uint32_t)(draw(random) % ROUTINES);
	o->rows[*routine].calls++;
	o->arcs[s->stack[s->depth - 1]][*routine]++;
	s->stack[s->depth++] = *routine;
	return e;
}

static void compare(const struct observer *o, struct flow_routines *r)
{
	uint64_t arcs[ROUTINES + 1][ROUTINES + 1] = {{0}};
	for (uint32_t i = 0; i < STRANDS; i++)
		for (int g = 0; g < 2; g++)
			assert_int_equal(flow_routines_inside(r, i)[g], o->inside[i][g]);
	for (uint32_t i = 1; i <= ROUTINES; i++) {
		const struct flow_routines_row none = {0}, *got = i < r->row_count ? &r->rows[i] : &none, *want = &o->rows[i];
		assert_int_equal(got->calls, want->calls);
		assert_int_equal(got->total, want->total);
		assert_int_equal(got->self, want->self);
		assert_int_equal(got->wait, want->wait);
		assert_int_equal(got->off, want->off);
		assert_int_equal(got->critical, want->critical);
	}
	for (size_t i = 0; i < r->arc_count; i++)
		arcs[r->arcs[i].caller][r->arcs[i].callee] += r->arcs[i].calls;
	assert_memory_equal(arcs, o->arcs, sizeof arcs);
}

static void sums_are_those_of_an_observer(void **state)
{
	uint64_t random = 1;
	(void)state;
	for (int turn = 0; turn < TURNS; turn++) {
		struct observer o = {.critical = 0};
		struct flow_routines r;
		struct flow_event_about about = {0};
		uint64_t now = 100, at = 100 + EVENTS / 2 * 5;
		flow_routines_start(&r);
		r.groups = groups;
		r.group_count = sizeof groups / sizeof *groups;
		flow_routines_critical(&r, 0, 0, at);
		flow_routines_critical(&r, 1, at, UINT64_MAX);
		for (uint32_t i = 0; i < STRANDS; i++) {
			o.strands[i] = (struct seen){.stack = {RUN_OUTSIDE}, .depth = 1, .since = now};
			flow_routines_event(&r, &(struct flow_event){.time = now, .strand = i, .kind = FLOW_BEGIN}, &about, 0);
		}
		for (int i = 0; i < EVENTS; i++) {
			uint32_t strand = (uint32_t)(draw(&random) % STRANDS), routine = RUN_OUTSIDE;
			now += draw(&random) % 10;
			if (o.critical == 0 && now >= at) { /* a stretch ends and begins with events of its strands */
				for (uint32_t k = 0; k < 2; k++) {
					struct flow_event e = {.time = at, .strand = k, .kind = FLOW_CREATE, .object = STRANDS + 1};
					look(&o, k, at);
					o.strands[k].state = WORKS;
					flow_routines_event(&r, &e, &about, 0);
				}
				o.critical = 1;
			}
			struct flow_event e = apply(&o, strand, now, &random, &routine);
			flow_routines_event(&r, &e, &about, routine);
		}
		for (uint32_t i = 0; i < STRANDS; i++)
			look(&o, i, now);
		flow_routines_end(&r, now);
		compare(&o, &r);
		flow_routines_free(&r);
	}
}

/* Threads are called by who creates them, tasks by who lends them; a forked process goes on where its parent was. What they do is done under
 * the routine 1, too: from 2 to 4 and when its process is forked, in a thread, in a task there, and in that thread's forked process. */
static void what_begins_elsewhere_has_a_caller(void **state)
{
	struct flow_routines r;
	const uint64_t inside[] = {2, 16, 2, 8};
	struct flow_event_about here = {0}, forks = {.forks = true}, child = {.process = 1};
	(void)state;
	flow_routines_start(&r);
	r.groups = groups;
	r.group_count = sizeof groups / sizeof *groups;
	const struct {
		struct flow_event e;
		const struct flow_event_about *about;
		uint32_t routine;
	} steps[] = {
		{{.time = 1, .strand = 0, .kind = FLOW_BEGIN}, &here, 0},
		{{.time = 2, .strand = 0, .kind = FLOW_ENTRY}, &here, 1},
		{{.time = 3, .strand = 0, .object = 1, .kind = FLOW_CREATE}, &here, 0},
		{{.time = 3, .strand = 0, .object = 2, .kind = FLOW_CREATE}, &forks, 0},
		{{.time = 3, .strand = 0, .count = 7, .kind = FLOW_LEND}, &here, 0},
		{{.time = 4, .strand = 0, .kind = FLOW_RETURN}, &here, 0},
		{{.time = 4, .strand = 1, .kind = FLOW_BEGIN}, &here, 0},
		{{.time = 5, .strand = 1, .kind = FLOW_ENTRY}, &here, 2},
		{{.time = 5, .strand = 1, .object = 3, .kind = FLOW_CREATE}, &forks, 0},
		{{.time = 6, .strand = 1, .object = UINT32_MAX, .count = 7, .kind = FLOW_ADOPT}, &here, 0},
		{{.time = 7, .strand = 1, .kind = FLOW_ENTRY}, &here, 3},
		{{.time = 8, .strand = 2, .kind = FLOW_BEGIN}, &child, 0},
		{{.time = 10, .strand = 2, .kind = FLOW_RETURN}, &child, 0},
		{{.time = 11, .strand = 2, .kind = FLOW_ENTRY}, &child, 4},
		{{.time = 12, .strand = 3, .kind = FLOW_BEGIN}, &child, 0},
		{{.time = 13, .strand = 3, .kind = FLOW_RETURN}, &child, 0},
		{{.time = 14, .strand = 3, .kind = FLOW_ENTRY}, &child, 5},
	};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		flow_routines_event(&r, &steps[i].e, steps[i].about, steps[i].routine);
	flow_routines_end(&r, 20);
	const uint32_t callers[] = {RUN_OUTSIDE, RUN_OUTSIDE, 1, 1, RUN_OUTSIDE, 1};
	uint64_t calls = 0;
	for (size_t i = 0; i < r.arc_count; calls += r.arcs[i++].calls)
		if (!(r.arcs[i].states & FLOW_ROUTINES_ELSEWHERE))
			assert_int_equal(r.arcs[i].caller, callers[r.arcs[i].callee]);
	assert_int_equal(calls, 5);
	assert_int_equal(r.rows[1].calls, 1);
	assert_int_equal(r.rows[1].total, 2 + 2); /* of both processes */
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(flow_routines_inside(&r, i)[0], inside[i]);
	flow_routines_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_those_of_an_observer),
	                                   cmocka_unit_test(what_begins_elsewhere_has_a_caller)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
