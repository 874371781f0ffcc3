/* SPDX-License-Identifier: MIT */
/* "All cprof profiling values … can be reproduced from a sufficiently detailed trace" (cprof, section 5.1): one run, seen by two lenses. Each
 * event of a trace happens to the runtime of the lens calls (runtime.h) and to the analysis of the lens flow, which share no code. Every
 * number of every row is equal, to the tick.
 *
 *     test_both                      random programs
 *     test_both --recording FILE     the program that was recorded with `skein record flow --routines` */
#include "unit/lib.h"

#include "analyse/flow/kept.h"
#include "analyse/flow/replay.h"
#include "analyse/flow/routines.h"
#include "analyse/run.h"
#include "store/store.h"
#include "unit/flow/runtime.h"

/* ---- what both found ---- */

static int order(const void *a, const void *b)
{
	const struct replayed_row *x = a, *y = b;
	const uint32_t keys[][2] = {{x->process, y->process},
	                            {x->lane, y->lane},
	                            {x->arc.caller, y->arc.caller},
	                            {x->arc.callee, y->arc.callee},
	                            {x->arc.flags, y->arc.flags}};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
	return 0;
}

static bool is_elsewhere_row(const struct flow_routines_arc *a)
{
	return a->states & FLOW_ROUTINES_ELSEWHERE;
}

/* What the lens calls takes for direct time is work, time without a core, and waits that no call tells. */
static void check_sums(const struct flow_routines_arc *a)
{
	uint64_t direct = a->elapsed - a->callees - a->wait - a->displaced;
	if (!is_elsewhere_row(a))
		assert_int_equal(direct, a->work + a->kernel + a->off);
}

/* A frame that stands for a creator has a row, also if nothing is called from there. */
static bool says_nothing(const struct replayed_row *row)
{
	const struct calls_arc *a = &row->arc;
	return !(a->calls | a->elapsed_ticks | a->outer_ticks | a->nested_ticks | a->callee_calls | a->callee_ticks | a->wait_ticks |
	         a->displaced_ticks);
}

static size_t in_order(struct replayed_row *rows, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		if (!says_nothing(&rows[i]))
			rows[kept++] = rows[i];
	if (kept)
		qsort(rows, kept, sizeof *rows, order);
	return kept;
}

static struct replayed_row *rows_of_trace(const struct flow_routines *r)
{
	struct replayed_row *rows = memory_zeroed(r->arc_count + 1, sizeof *rows);
	for (size_t i = 0; i < r->arc_count; i++) {
		const struct flow_routines_arc *a = &r->arcs[i];
		check_sums(a);
		rows[i] = (struct replayed_row){.process = a->process,
		                                .lane = a->lane,
		                                .arc = {.caller = a->caller,
		                                        .callee = a->callee,
		                                        .flags = a->states,
		                                        .calls = a->calls,
		                                        .elapsed_ticks = a->elapsed,
		                                        .outer_ticks = a->outer,
		                                        .nested_ticks = a->nested,
		                                        .callee_calls = a->callee_calls,
		                                        .callee_ticks = a->callees,
		                                        .wait_ticks = a->wait,
		                                        .displaced_ticks = a->displaced}};
	}
	return rows;
}

/* Of a routine, over all workers and states. */
static void check_routines(const struct flow_routines *r)
{
	uint64_t *elapsed = memory_zeroed(r->row_count + 1, sizeof *elapsed), *calls = memory_zeroed(r->row_count + 1, sizeof *calls);
	for (size_t i = 0; i < r->arc_count; i++)
		if (!is_elsewhere_row(&r->arcs[i])) {
			elapsed[r->arcs[i].callee] += r->arcs[i].outer + r->arcs[i].nested;
			calls[r->arcs[i].callee] += r->arcs[i].calls;
		}
	for (size_t i = 0; i < r->row_count; i++) {
		assert_int_equal(r->rows[i].total + r->rows[i].wait + r->rows[i].off, elapsed[i]);
		assert_int_equal(r->rows[i].calls, calls[i]);
	}
	free(elapsed);
	free(calls);
}

static void print_row(const char *whose, const struct replayed_row *row)
{
	const struct calls_arc *a = &row->arc;
	print_message(
		"%s: process %u, worker %u, %u to %u, state %u: calls %lu elapsed %lu outer %lu nested %lu callee calls %lu callees %lu "
		"wait %lu displaced %lu\n",
		whose, row->process, row->lane, a->caller, a->callee, a->flags, a->calls, a->elapsed_ticks, a->outer_ticks, a->nested_ticks,
		a->callee_calls, a->callee_ticks, a->wait_ticks, a->displaced_ticks);
}

static bool same_row(const struct replayed_row *x, const struct replayed_row *y)
{
	const struct calls_arc *a = &x->arc, *b = &y->arc;
	return order(x, y) == 0 && a->calls == b->calls && a->elapsed_ticks == b->elapsed_ticks && a->outer_ticks == b->outer_ticks &&
		a->nested_ticks == b->nested_ticks && a->callee_calls == b->callee_calls && a->callee_ticks == b->callee_ticks &&
		a->wait_ticks == b->wait_ticks && a->displaced_ticks == b->displaced_ticks;
}

/* Returns the number of rows. */
static size_t compare(const struct flow_routines *r)
{
	size_t count;
	struct replayed_row *theirs = replayed_rows(&count), *ours = rows_of_trace(r);
	check_routines(r);
	size_t our_count = in_order(ours, r->arc_count);
	count = in_order(theirs, count);
	for (size_t i = 0; i < count && i < our_count; i++)
		if (!same_row(&theirs[i], &ours[i])) {
			print_row("calls", &theirs[i]);
			print_row("flow ", &ours[i]);
			fail();
		}
	assert_int_equal(count, our_count);
	free(theirs);
	free(ours);
	return count;
}

/* ---- random programs ---- */

enum { STRANDS = 24, LANES = 6, PROCESSES = 4, NAMES = 5, HANDLER = NAMES + 1, DEPTH = 10, EVENTS = 1500, PROGRAMS = 1000 };

struct made {
	enum { UNUSED, CREATED, RUNS, ENDED } life;
	uint32_t process, lane;
	bool is_forked;
	bool creators[DEPTH + 2]; /* by frame: it stands for one */
	uint32_t depth;           /* number of frames */
	bool waits, was_left;     /* left: by a jump out of what waited */
	uint32_t waits_at;
};

struct program {
	uint64_t random, now;
	struct made strands[STRANDS];
	bool lanes[PROCESSES][LANES];
	uint32_t processes, lent;
	uint32_t lent_by[1 << 12]; /* process */
	struct flow_routines trace;
	struct replayed *calls;
};

static uint32_t draw(struct program *p, uint32_t below)
{
	p->random = p->random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(p->random >> 33) % below;
}

static void happens(struct program *p, struct flow_event e, struct flow_event_about about, uint32_t routine)
{
	p->now += draw(p, 10);
	e.time = p->now;
	flow_routines_event(&p->trace, &e, &about, routine);
	replayed_event(p->calls, &e, &about, routine);
}

static struct flow_event_about about_strand(const struct made *s)
{
	return (struct flow_event_about){.process = s->process, .lane = s->lane};
}

static void simply(struct program *p, uint32_t n, enum flow_kind kind)
{
	happens(p, (struct flow_event){.strand = n, .object = UINT32_MAX, .kind = kind}, about_strand(&p->strands[n]), 0);
}

static uint32_t unused(const struct program *p)
{
	uint32_t n = 0;
	while (n < STRANDS && p->strands[n].life != UNUSED)
		n++;
	return n;
}

/* Threads of a process have lanes of their own, which they leave to others. */
static void begin_strand(struct program *p, uint32_t n)
{
	struct made *s = &p->strands[n];
	uint32_t lane = 0;
	while (lane < LANES && p->lanes[s->process][lane])
		lane++;
	if (lane == LANES)
		return;
	p->lanes[s->process][lane] = true;
	s->lane = lane;
	s->life = RUNS;
	simply(p, n, FLOW_BEGIN);
	if (s->is_forked)
		return;
	s->depth = 1;
	s->creators[0] = true;
}

static void create_strand(struct program *p, uint32_t n, bool forks)
{
	struct made *s = &p->strands[n];
	uint32_t made = unused(p);
	if (made == STRANDS || (forks && p->processes == PROCESSES))
		return;
	struct flow_event_about about = about_strand(s);
	about.forks = forks;
	happens(p, (struct flow_event){.strand = n, .object = made, .kind = FLOW_CREATE}, about, 0);
	p->strands[made] = forks ? *s : (struct made){.process = s->process};
	p->strands[made].life = CREATED;
	p->strands[made].is_forked = forks;
	if (forks)
		p->strands[made].process = p->processes++;
}

/* The strand's process ends, or becomes another program; now and then a thread of it still does something: then it did not. */
static void end_all(struct program *p, uint32_t n, bool executes)
{
	struct made *s = &p->strands[n];
	struct flow_event e = {.strand = n, .object = executes ? unused(p) : UINT32_MAX, .kind = executes ? FLOW_CREATE : FLOW_EXIT};
	struct flow_event_about about = about_strand(s);
	if (e.object == STRANDS)
		return;
	about.executes = executes;
	about.ends = !executes;
	happens(p, e, about, 0);
	s->waits = false;
	for (uint32_t i = 0; i < STRANDS; i++)
		if (p->strands[i].life == RUNS && p->strands[i].process == s->process) {
			p->strands[i].depth = executes ? p->strands[i].depth : 1;
			p->strands[i].waits &= executes;
			if (draw(p, executes ? 8 : 3))
				p->strands[i].life = ENDED;
		}
	if (executes && p->processes < PROCESSES)
		p->strands[e.object] = (struct made){.life = CREATED, .process = p->processes++};
}

static void end_strand(struct program *p, uint32_t n)
{
	struct made *s = &p->strands[n];
	simply(p, n, FLOW_END);
	s->life = ENDED;
	p->lanes[s->process][s->lane] = false;
}

/* A signal handler in a wait calls nothing; who was cancelled there goes on. */
static void enter_one(struct program *p, uint32_t n)
{
	struct made *s = &p->strands[n];
	bool is_handler = s->waits && !s->was_left;
	uint32_t routine = is_handler ? HANDLER : 1 + draw(p, NAMES);
	if (s->depth > DEPTH || (is_handler && s->depth > s->waits_at))
		return;
	happens(p, (struct flow_event){.strand = n, .object = routine, .kind = FLOW_ENTRY}, about_strand(s), routine);
	s->creators[s->depth++] = false;
}

static void return_one(struct program *p, uint32_t n)
{
	struct made *s = &p->strands[n];
	if (s->creators[s->depth - 1] || (s->waits && !s->was_left && s->depth == s->waits_at))
		return;
	simply(p, n, FLOW_RETURN);
	s->depth--;
}

static void unwind_some(struct program *p, uint32_t n)
{
	struct made *s = &p->strands[n];
	uint32_t keep = 1 + draw(p, s->depth);
	happens(p, (struct flow_event){.strand = n, .object = keep, .kind = FLOW_UNWIND}, about_strand(s), 0);
	s->depth = keep;
	s->was_left |= keep < s->waits_at;
}

static void wait_or_go_on(struct program *p, uint32_t n)
{
	static const enum flow_kind ends[] = {FLOW_GO, FLOW_ACQUIRE, FLOW_JOIN, FLOW_PASS, FLOW_HEAR};
	struct made *s = &p->strands[n];
	if (s->waits && draw(p, 8)) {
		simply(p, n, ends[draw(p, 5)]);
		s->waits = false;
		return;
	}
	struct flow_event_about about = about_strand(s);
	about.wait = !s->waits && draw(p, 4) == 0 ? (uint32_t)FLOW_WAIT_KERNEL : draw(p, RAW_WAIT_KINDS);
	happens(p, (struct flow_event){.strand = n, .object = UINT32_MAX, .kind = FLOW_PAUSE}, about, 0);
	s->waits = about.wait != FLOW_WAIT_KERNEL;
	s->waits_at = s->waits ? s->depth : 0;
	s->was_left = false;
}

static void lend_one(struct program *p, uint32_t n)
{
	const struct made *s = &p->strands[n];
	p->lent_by[p->lent] = s->process;
	happens(p, (struct flow_event){.strand = n, .object = p->lent, .count = p->lent, .kind = FLOW_LEND}, about_strand(s), 0);
	p->lent++;
}

static void adopt_one(struct program *p, uint32_t n)
{
	struct made *s = &p->strands[n];
	uint32_t count = p->lent ? draw(p, p->lent) : 0;
	if (s->depth > DEPTH || !p->lent || p->lent_by[count] != s->process)
		return;
	happens(p, (struct flow_event){.strand = n, .object = UINT32_MAX, .count = count, .kind = FLOW_ADOPT}, about_strand(s), 0);
	s->creators[s->depth++] = true;
}

static void act(struct program *p, uint32_t n)
{
	struct made *s = &p->strands[n];
	uint32_t what = draw(p, 60);
	if (s->life == CREATED)
		begin_strand(p, n);
	else if (s->life != RUNS)
		return;
	else if (what < 24)
		enter_one(p, n);
	else if (what < 36)
		return_one(p, n);
	else if (what < 44)
		wait_or_go_on(p, n);
	else if (what < 48)
		simply(p, n, draw(p, 2) ? FLOW_OFF : FLOW_ON);
	else if (what < 49)
		unwind_some(p, n);
	else if (s->waits)
		return;
	else if (what < 53)
		create_strand(p, n, draw(p, 6) == 0);
	else if (what < 55)
		lend_one(p, n);
	else if (what < 57)
		adopt_one(p, n);
	else if (what == 57 && draw(p, 3) == 0)
		end_strand(p, n);
	else if (what == 58 && draw(p, 40) == 0)
		end_all(p, n, draw(p, 2));
}

static uint32_t some_strand(struct program *p)
{
	uint32_t n = draw(p, STRANDS);
	for (int tries = 0; tries < 20 && p->strands[n].life != CREATED && p->strands[n].life != RUNS; tries++)
		n = draw(p, STRANDS);
	return n;
}

static void random_programs_look_alike(void **state)
{
	static struct program p;
	size_t rows = 0;
	(void)state;
	for (uint64_t turn = 0; turn < PROGRAMS; turn++) {
		p = (struct program){.random = turn * 77 + 1, .now = 100, .processes = 1, .calls = replayed_new()};
		p.strands[0] = (struct made){.life = CREATED};
		flow_routines_start(&p.trace);
		for (int i = 0; i < EVENTS; i++)
			act(&p, some_strand(&p));
		flow_routines_end(&p.trace, p.now += 7);
		replayed_end(p.calls, p.now);
		rows += compare(&p.trace);
		flow_routines_free(&p.trace);
		replayed_free(p.calls);
	}
	print_message("%zu equal rows\n", rows);
	assert_true(rows > 50 * PROGRAMS);
}

/* ---- a recording ---- */

static uint32_t named_routine(const struct map *numbers, uint32_t process, uint32_t number)
{
	const void *found = map_find(numbers, (uint64_t)process << 32 | number);
	assert_non_null(found);
	return (uint32_t)(uintptr_t)found;
}

static uint64_t replay_all(const struct flows_kept *kept, struct flow_routines *trace, struct replayed *calls)
{
	struct map numbers = {0};
	struct flow_input input;
	struct flow_spots spots;
	struct flow_event e = {0};
	struct flow_event_about about;
	for (size_t i = 0; i < kept->number_count; i++)
		*map_at(&numbers, (uint64_t)kept->numbers[i].process << 32 | kept->numbers[i].number) =
			(void *)(uintptr_t)kept->numbers[i].routine;
	flows_kept_input(kept, &input, &spots);
	struct flow_events *events = flow_events_open(input.logs, input.count);
	flow_events_routines(events);
	if (input.switches)
		flow_events_switches(events, input.switches, input.switches_bytes, input.switches_mapped, &input.clock);
	while (flow_events_next(events, &e, &about)) {
		uint32_t routine = e.kind == FLOW_ENTRY ? named_routine(&numbers, about.process, e.object) : RUN_OUTSIDE;
		flow_routines_event(trace, &e, &about, routine);
		replayed_event(calls, &e, &about, routine);
	}
	flow_events_close(events);
	flow_spots_free(&spots);
	map_free(&numbers);
	return e.time;
}

static void recorded_program_looks_alike(void **state)
{
	struct fail why;
	struct run run;
	struct flows flows;
	struct flows_kept kept;
	struct flow_routines trace;
	struct store *store = store_open(*state, &why);
	assert_non_null(store);
	assert_int_equal(store_load_flow(store, &run, &flows, &why), 0);
	assert_int_equal(store_load_events(store, &flows, &kept, &why), 0);
	struct replayed *calls = replayed_new();
	flow_routines_start(&trace);
	uint64_t end = replay_all(&kept, &trace, calls);
	flow_routines_end(&trace, end);
	replayed_end(calls, end);
	print_message("%lu events of routines, %zu equal rows\n", trace.events, compare(&trace));
	assert_true(trace.events > 0);
	flow_routines_free(&trace);
	replayed_free(calls);
	flows_kept_free(&kept);
	flows_free(&flows);
	run_free(&run);
	store_close(store);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest random[] = {cmocka_unit_test(random_programs_look_alike)};
	const struct CMUnitTest recorded[] = {cmocka_unit_test_prestate(recorded_program_looks_alike, argv[argc - 1])};
	bool has_recording = argc == 3 && strcmp(argv[1], "--recording") == 0;
	return has_recording ? cmocka_run_group_tests(recorded, NULL, NULL) : cmocka_run_group_tests(random, NULL, NULL);
}
