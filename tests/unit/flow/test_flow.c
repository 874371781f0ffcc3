/* SPDX-License-Identifier: MIT */
/* What core/flow computes from a trace, against the program that made it. */
#include "core/flow/links.h"
#include "core/flow/slack.h"
#include "core/flow/way.h"
#include "unit/flow/simulate.h"
#include "unit/lib.h"

enum { SIMPLY, NO_LOAD, RECORDED, FREE_0, PLENTY = FREE_0 + OBJECTS, ALONE, TWO, FASTER, FASTER_ALONE, ALL_QUESTIONS };
enum { FACTOR = 3 }; /* by which the routine is faster in the last two questions */

static struct flow flow;
static struct flow_strand strands[STRANDS];
static struct flow_object objects[OBJECTS];

static struct flow_strand *strand(void *context, uint32_t number)
{
	(void)context;
	return number < STRANDS ? &strands[number] : NULL;
}

static struct flow_object *object(void *context, uint32_t number)
{
	(void)context;
	return number < OBJECTS ? &objects[number] : NULL;
}

static long taken; /* pieces of memory that were not given back */

static void *take(void *context, size_t bytes)
{
	(void)context;
	taken++;
	return malloc(bytes);
}

static void give(void *context, void *memory, size_t bytes)
{
	(void)context;
	(void)bytes;
	taken--;
	free(memory);
}

static const struct flow_memory memory = {strand, object, take, give, NULL};

static void forget(void)
{
	for (int i = 0; i < STRANDS; i++)
		flow_forget_strand(&flow, &strands[i]);
	for (int i = 0; i < OBJECTS; i++)
		flow_forget_object(&flow, &objects[i]);
	assert_int_equal(taken, 0);
	memset(strands, 0, sizeof strands);
	memset(objects, 0, sizeof objects);
}

/* What is known of each event, all of it kept: the slow way to the critical path. */
static struct {
	uint64_t sender, at, before; /* before: the strand's event before this one, or FLOW_NONE */
	struct flow_link link;
	uint64_t slack; /* of the stretch that it ends */
} kept[EVENTS];

/* How long others waited for the lock of a release since it was acquired last, or released: the slow way. */
static uint64_t charge_of(const struct flow_event *events, uint32_t release)
{
	uint64_t sum = 0, since = 0, paused[STRANDS];
	memset(paused, 0xff, sizeof paused);
	for (uint32_t i = 0; i <= release; i++) {
		const struct flow_event *e = &events[i];
		bool mine = e->object == events[release].object;
		if (e->kind == FLOW_PAUSE)
			paused[e->strand] = mine ? e->time : UINT64_MAX;
		else if (e->kind != FLOW_OFF && e->kind != FLOW_ON && paused[e->strand] != UINT64_MAX) {
			sum += e->time - (paused[e->strand] > since ? paused[e->strand] : since);
			paused[e->strand] = UINT64_MAX;
		}
		if (mine && (e->kind == FLOW_ACQUIRE || (e->kind == FLOW_RELEASE && i < release))) {
			since = e->time;
			sum = 0;
		}
	}
	for (int s = 0; s < STRANDS; s++)
		if (paused[s] != UINT64_MAX)
			sum += events[release].time - (paused[s] > since ? paused[s] : since);
	return sum;
}

/* What an event ended, and what ended that. */
static void check_cause(const struct flow_event *events, uint32_t i)
{
	const struct flow_cause *cause = &flow.cause;
	if (events[i].kind == FLOW_RELEASE)
		assert_int_equal(flow.charged, charge_of(events, i));
	if (!cause->is_known)
		return;
	assert_in_range(cause->mark, 1, i);
	assert_int_equal(events[cause->mark - 1].strand, cause->strand);
	assert_int_equal(cause->sent, events[cause->mark - 1].time);
}

/* By how much the stretch that ends with an event is shorter where the routine is faster. */
static uint64_t saved_before(const struct program *p, const struct flow_event *e, uint32_t *done)
{
	uint64_t less = 0;
	for (; e->kind != FLOW_OFF && e->kind != FLOW_ON && *done < e->mark; ++*done) {
		const struct op *op = &p->ops[e->strand][*done];
		less += op->kind == COMPUTE && op->in_routine ? op->ticks - op->ticks / FACTOR : 0;
	}
	return less;
}

/* p: the program that made the events; NULL: none. */
static void ask(const struct program *p, const struct flow_event *events, uint32_t count)
{
	struct flow_question q[ALL_QUESTIONS];
	for (int k = 0; k < ALL_QUESTIONS; k++)
		q[k] = (struct flow_question){.without = UINT32_MAX};
	q[NO_LOAD].keeps_latency = q[RECORDED].keeps_latency = q[RECORDED].keeps_load = true;
	for (uint32_t o = 0; o < OBJECTS; o++)
		q[FREE_0 + o].without = o;
	q[PLENTY].cores = STRANDS;
	q[ALONE].cores = 1;
	q[TWO].cores = 2;
	q[FASTER_ALONE].cores = 1;
	uint64_t less[ALL_QUESTIONS] = {0};
	uint32_t done[STRANDS] = {0};
	flow_start(&flow, &memory, q, ALL_QUESTIONS);
	uint64_t last[STRANDS];
	memset(last, 0xff, sizeof last);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t s = events[i].strand;
		struct flow_event e = events[i];
		less[FASTER] = less[FASTER_ALONE] = p ? saved_before(p, &e, &done[s]) : 0;
		e.mark = i + 1;
		e.less = less;
		kept[i].sender = flow_step(&flow, &e);
		kept[i].link = flow.link;
		check_cause(events, i);
		kept[i].at = strands[s].at[SIMPLY];
		kept[i].before = last[s];
		last[s] = i;
		if (events[i].kind != FLOW_OFF && events[i].kind != FLOW_ON && events[i].kind != FLOW_PAUSE)
			assert_int_equal(strands[events[i].strand].at[RECORDED], events[i].time - events[0].time);
	}
	assert_false(flow.failed);
}

static void check_sums(const struct run *r)
{
	uint64_t life[STRANDS] = {0};
	for (uint32_t i = 0; i < r->count; i++)
		life[r->events[i].strand] += r->events[i].kind == FLOW_END ? r->events[i].time
			: r->events[i].kind == FLOW_BEGIN                  ? -r->events[i].time
									   : 0;
	uint64_t work = 0;
	for (int s = 0; s < STRANDS; s++) {
		assert_int_equal(strands[s].work + strands[s].load + strands[s].waited + strands[s].outside, life[s]);
		assert_int_equal(strands[s].waited, r->waited[s]);
		assert_int_equal(strands[s].outside, r->slept[s]);
		work += strands[s].work;
	}
	assert_int_equal(work, r->work);
}

/* Who waited for what, and for how long. A gate and a pool are counted by who reads the events. */
static void check_use(const struct run *r)
{
	for (int o = 0; o < OBJECTS; o++) {
		const struct use *use = &r->use[o];
		assert_int_equal(objects[o].longest_queue, use->longest_queue);
		if (o == GATE || o == POOL)
			continue;
		assert_int_equal(objects[o].acquired, use->times);
		assert_int_equal(objects[o].contended, use->contended);
		assert_int_equal(objects[o].waited, use->waited);
		assert_int_equal(objects[o].held, use->held);
	}
}

/* By strand, and of how many stretches. */
struct path_sums {
	uint64_t ticks[STRANDS], outside[STRANDS], count;
};

static struct path_sums sum_path(void)
{
	struct path_sums sums = {0};
	const struct flow_way *behind = NULL;
	for (const struct flow_way *w = strands[flow.longest_strand].way; w; behind = w, w = w->before) {
		sums.ticks[w->strand] += (behind ? behind->ends : flow.longest[SIMPLY]) - w->at;
		sums.outside[w->strand] += (behind ? behind->sender_outside : strands[w->strand].outside) - w->outside;
		sums.count++;
		for (const struct flow_bundle *b = w->bundles; b; b = b->next) {
			sums.ticks[b->strand] += b->ticks;
			sums.outside[b->strand] += b->outside;
			sums.count += b->count;
		}
	}
	return sums;
}

/* ---- slack ---- */

static struct flow_slack_strand slack_strands[STRANDS];
static uint64_t slack_nodes[EVENTS];
static bool slack_node_is_live[EVENTS];
static unsigned long live_nodes;

static struct flow_slack_strand *slack_strand(void *context, uint32_t number)
{
	(void)context;
	return &slack_strands[number];
}

static uint64_t *slack_node(void *context, uint64_t number)
{
	(void)context;
	assert_in_range(number, 0, EVENTS - 1);
	if (!slack_node_is_live[number]) {
		slack_nodes[number] = FLOW_NONE;
		slack_node_is_live[number] = true;
		live_nodes++;
	}
	return &slack_nodes[number];
}

static void slack_drop(void *context, uint64_t number)
{
	(void)context;
	assert_true(slack_node_is_live[number]);
	slack_node_is_live[number] = false;
	live_nodes--;
}

/* Links go through bytes and back. All nodes are given back in the end. */
static void find_slack(const struct flow_event *events, uint32_t count)
{
	static unsigned char bytes[EVENTS * FLOW_LINK_BYTES];
	static const struct flow_slack_memory slack_memory = {slack_strand, slack_node, slack_drop, NULL};
	struct flow_links block = {.bytes = bytes, .room = sizeof bytes};
	struct flow_slack slack;
	struct flow_link link;
	for (uint32_t i = 0; i < count; i++)
		if (events[i].kind != FLOW_OFF && events[i].kind != FLOW_ON)
			assert_true(flow_links_put(&block, &kept[i].link, i));
	flow_slack_start(&slack, &slack_memory, flow.longest[SIMPLY], flow.exited);
	for (uint32_t s = 0; s < STRANDS; s++)
		flow_slack_strand(&slack, s, strands[s].at[SIMPLY]);
	for (uint32_t i = count; i--;) {
		if (events[i].kind == FLOW_OFF || events[i].kind == FLOW_ON)
			continue;
		assert_true(flow_links_take(&block, &link, i));
		assert_memory_equal(&link, &kept[i].link, sizeof link);
		kept[i].slack = flow_slack_step(&slack, &link, i);
	}
	assert_false(flow_links_take(&block, &link, 0));
	assert_false(slack.failed);
	assert_int_equal(live_nodes, 0);
}

/* The event that ended the stretch with an operation in it. */
static uint32_t end_of(const struct run *r, uint32_t strand, uint32_t op)
{
	uint32_t i = 0;
	while (r->events[i].strand != strand || r->events[i].kind == FLOW_OFF || r->events[i].kind == FLOW_ON || r->events[i].mark <= op)
		i++;
	return i;
}

/* A stretch that is longer by its slack leaves the run as long as it is, and one tick more does not. */
static unsigned check_slack(const struct program *p, const struct run *r, uint64_t *seed)
{
	static struct program longer;
	uint32_t strand = draw(seed, p->strands), op = draw(seed, p->count[strand]);
	if (p->ops[strand][op].kind != COMPUTE)
		return 0;
	uint64_t slack = kept[end_of(r, strand, op)].slack;
	assert_true(slack < FLOW_NONE);
	longer = *p;
	longer.ops[strand][op].ticks += (uint32_t)slack;
	assert_int_equal(replay(&longer, r, UINT32_MAX), flow.longest[SIMPLY]);
	longer.ops[strand][op].ticks++;
	assert_int_equal(replay(&longer, r, UINT32_MAX), flow.longest[SIMPLY] + 1);
	return slack > 0;
}

/* ---- faster routines ---- */

static void check_faster(const struct program *p, const struct run *r)
{
	static struct program faster;
	faster = *p;
	for (uint32_t s = 0; s < p->strands; s++)
		for (uint32_t i = 0; i < p->count[s]; i++)
			if (p->ops[s][i].kind == COMPUTE && p->ops[s][i].in_routine)
				faster.ops[s][i].ticks /= FACTOR;
	assert_int_equal(flow.longest[FASTER], replay(&faster, r, UINT32_MAX));
	assert_int_equal(flow.longest[FASTER_ALONE], schedule(&faster, r, 1));
}

/* Stretches that are summed up in the middle of a run, and again, change no sum. */
static void check_thin(const struct run *r, uint64_t random)
{
	static const struct flow_question simply = {.without = UINT32_MAX};
	struct path_sums before = sum_path(), after;
	forget();
	flow_start(&flow, &memory, &simply, 1);
	for (uint32_t i = 0; i < r->count; i++) {
		flow_step(&flow, &r->events[i]);
		random = random * 6364136223846793005u + 1442695040888963407u;
		if (random >> 61)
			continue;
		for (int s = 0; s < STRANDS; s++)
			flow_thin_strand(&flow, &strands[s], random >> 32 & 0xffff, i + 1);
		for (int o = 0; o < OBJECTS; o++)
			flow_thin_object(&flow, &objects[o], random >> 32 & 0xffff, i + 1);
	}
	after = sum_path();
	assert_memory_equal(&before, &after, sizeof before);
	assert_false(flow.failed);
}

/* The critical path is the one that is found by walking back from event to event; returns its stretches. */
static unsigned long check_way(const struct run *r)
{
	const struct flow_way *way = strands[flow.longest_strand].way;
	unsigned long stretches = 0;
	uint64_t i = 0;
	while (r->events[i].strand != flow.longest_strand || kept[i].at != flow.longest[SIMPLY])
		i++;
	for (;;) {
		if (kept[i].sender == FLOW_NONE && kept[i].before != FLOW_NONE) {
			assert_true(r->events[i].kind == FLOW_OFF || r->events[i].kind == FLOW_ON || kept[i].slack == 0);
			i = kept[i].before;
			continue;
		}
		assert_non_null(way);
		assert_int_equal(kept[i].slack, kept[i].link.held);
		assert_int_equal(way->event, i);
		assert_int_equal(way->sender, kept[i].sender);
		assert_int_equal(way->at, kept[i].at);
		assert_int_equal(way->time, r->events[i].time);
		assert_int_equal(way->strand, r->events[i].strand);
		assert_int_equal(way->object, r->events[i].object);
		assert_int_equal(way->kind, r->events[i].kind);
		assert_int_equal(way->mark, i + 1);
		assert_int_equal(way->sender_mark, kept[i].sender == FLOW_NONE ? 0 : kept[i].sender + 1);
		way = way->before;
		stretches++;
		if (kept[i].sender == FLOW_NONE)
			break;
		i = kept[i].sender;
	}
	assert_null(way);
	return stretches;
}

static void random_programs_take_what_they_would(void **state)
{
	static struct program p;
	static struct run r;
	const char *asked = getenv("FLOW_PROGRAMS");
	unsigned long programs = asked ? strtoul(asked, NULL, 10) : 4000, stuck = 0, shorter = 0, stretches = 0, slack = 0, sooner = 0,
		      held_up[OBJECTS] = {0};
	(void)state;
	for (uint64_t seed = 1; seed <= programs; seed++) {
		uint64_t random = seed * 0x9e3779b97f4a7c15;
		make_program(&p, &random);
		if (!simulate(&p, &r, 1 + draw(&random, 4), &random)) {
			stuck++;
			continue;
		}
		ask(&p, r.events, r.count);
		find_slack(r.events, r.count);
		uint64_t shortest = replay(&p, &r, UINT32_MAX);
		if (flow.longest[SIMPLY] != shortest)
			fail_msg("program %llu: %llu, not %llu", (unsigned long long)seed, (unsigned long long)flow.longest[SIMPLY],
			         (unsigned long long)shortest);
		for (uint32_t o = 0; o < OBJECTS; o++) {
			assert_int_equal(flow.longest[FREE_0 + o], replay(&p, &r, o));
			held_up[o] += flow.longest[FREE_0 + o] < shortest;
		}
		assert_true(shortest <= flow.longest[NO_LOAD] && flow.longest[NO_LOAD] <= flow.longest[RECORDED]);
		assert_int_equal(flow.longest[RECORDED], flow.end - flow.begin);
		assert_int_equal(flow.longest[PLENTY], shortest);
		assert_int_equal(flow.longest[ALONE], schedule(&p, &r, 1));
		assert_int_equal(flow.longest[TWO], schedule(&p, &r, 2));
		assert_true(flow.longest[ALONE] >= r.work);
		check_faster(&p, &r);
		sooner += flow.longest[FASTER] < shortest;
		slack += check_slack(&p, &r, &random);
		check_sums(&r);
		check_use(&r);
		stretches += check_way(&r);
		shorter += shortest < flow.longest[RECORDED];
		check_thin(&r, random);
		assert_int_equal(flow.longest[SIMPLY], shortest);
		forget();
	}
	print_message("%lu programs: %lu got stuck, %lu could be shorter; %lu stretches of critical paths; %lu stretches with slack\n",
	              programs, stuck, shorter, stretches, slack);
	assert_true(stuck < programs / 2 && shorter > programs / 4 && stretches > 2 * (programs - stuck));
	assert_true(slack > programs / 100 && sooner > programs / 4);
	for (int o = 0; o < OBJECTS; o++)
		assert_true(held_up[o] > programs / 1000);
}

#define TRACE(...)                                               \
	static const struct flow_event events[] = {__VA_ARGS__}; \
	ask(NULL, events, sizeof events / sizeof *events)
#define E(time, strand, kind, object) {time, strand, object, object, 0, FLOW_##kind, .mark = 0}
#define NOTHING UINT32_MAX

/* Two threads that need the same lock for 10 each; the second one loses its core for 5 meanwhile, and wakes up 2 late. */
static void two_threads_and_a_lock(void **state)
{
	(void)state;
	TRACE(E(0, 0, BEGIN, NOTHING), E(0, 0, CREATE, 1), E(0, 0, ACQUIRE, LOCK_0), E(1, 1, BEGIN, NOTHING), E(2, 1, OFF, NOTHING),
	      E(7, 1, ON, NOTHING), E(8, 1, PAUSE, LOCK_0), E(10, 0, RELEASE, LOCK_0), E(12, 1, ACQUIRE, LOCK_0), E(20, 0, END, NOTHING),
	      E(22, 1, RELEASE, LOCK_0), E(22, 1, END, NOTHING));
	assert_int_equal(flow.longest[RECORDED], 22);
	assert_int_equal(flow.longest[SIMPLY], 20);
	assert_int_equal(flow.longest[FREE_0 + LOCK_0], 20);
	assert_int_equal(flow.longest[ALONE], 32);
	assert_int_equal(strands[1].load, 5);
	assert_int_equal(strands[1].waited, 4);
	assert_int_equal(objects[LOCK_0].contended, 1);
	assert_int_equal(objects[LOCK_0].waited, 4);
	assert_int_equal(objects[LOCK_0].held, 20);
	assert_int_equal(objects[LOCK_0].longest_queue, 1);
	forget();
}

/* A window on a run begins in the middle of what strands do: one waits, one has lost its core. */
static void a_strand_may_begin_with_a_wait(void **state)
{
	(void)state;
	TRACE(E(0, 0, PAUSE, COUNTER_0), E(0, 1, OFF, NOTHING), E(4, 1, ON, NOTHING), E(10, 1, POST, COUNTER_0), E(12, 0, TAKE, COUNTER_0),
	      E(15, 0, END, NOTHING), E(16, 1, END, NOTHING));
	assert_int_equal(strands[0].waited, 12);
	assert_int_equal(strands[0].work, 3);
	assert_int_equal(strands[1].load, 4);
	assert_int_equal(strands[1].work, 12);
	assert_int_equal(flow.longest[SIMPLY], 12);
	assert_int_equal(objects[COUNTER_0].waited, 12);
	assert_int_equal(objects[COUNTER_0].waiting, 0);
	forget();
}

/* A write that takes 40, of which it lacks a core for 20: sums, and what the run takes without load. */
static void a_call_that_loses_its_core(void **state)
{
	TRACE(E(0, 0, BEGIN, UINT32_MAX), E(10, 0, PAUSE, UINT32_MAX), E(15, 0, OFF, UINT32_MAX), E(35, 0, ON, UINT32_MAX),
	      E(50, 0, GO, UINT32_MAX), E(60, 0, END, UINT32_MAX));
	(void)state;
	forget();
	ask(NULL, events, sizeof events / sizeof *events);
	assert_int_equal(flow.longest[SIMPLY], 40);
	assert_int_equal(flow.longest[RECORDED], 60);
	assert_int_equal(strands[0].load, 20);
	assert_int_equal(strands[0].outside, 20);
	assert_int_equal(strands[0].work, 20);
	forget();
}

/* A timeout comes although the signal was taken to be for this strand: it is for the one behind it. */
static void a_signal_that_is_not_heard_is_for_the_next(void **state)
{
	(void)state;
	TRACE(E(0, 0, BEGIN, NOTHING), E(0, 0, CREATE, 1), E(0, 0, CREATE, 2), E(0, 1, BEGIN, NOTHING), E(0, 1, LISTEN, CONDITION),
	      E(0, 1, PAUSE, CONDITION), E(0, 2, BEGIN, NOTHING), E(0, 2, LISTEN, CONDITION), E(0, 2, PAUSE, CONDITION),
	      E(30, 0, SIGNAL, CONDITION), E(31, 1, IGNORE, CONDITION), E(35, 2, HEAR, CONDITION), E(40, 2, END, NOTHING),
	      E(40, 1, END, NOTHING), E(40, 0, END, NOTHING));
	assert_int_equal(strands[1].at[SIMPLY], 40); /* a timeout keeps its length */
	assert_int_equal(strands[2].at[SIMPLY], 35); /* 30, then 5 of work */
	assert_int_equal(flow.unexplained, 0);
	forget();
}

/* Who is woken need not be who waited longest. */
static void a_signal_may_wake_another(void **state)
{
	(void)state;
	TRACE(E(0, 0, BEGIN, NOTHING), E(0, 0, CREATE, 1), E(0, 0, CREATE, 2), E(0, 1, BEGIN, NOTHING), E(0, 1, LISTEN, CONDITION),
	      E(0, 1, PAUSE, CONDITION), E(0, 2, BEGIN, NOTHING), E(0, 2, LISTEN, CONDITION), E(0, 2, PAUSE, CONDITION),
	      E(10, 0, SIGNAL, CONDITION), E(13, 2, HEAR, CONDITION), E(20, 0, SIGNAL, CONDITION), E(24, 1, HEAR, CONDITION),
	      E(24, 2, END, NOTHING), E(24, 1, END, NOTHING), E(24, 0, END, NOTHING));
	assert_int_equal(strands[2].at[SIMPLY], 21);
	assert_int_equal(strands[1].at[SIMPLY], 20);
	assert_int_equal(flow.unexplained, 0);
	forget();
}

/* Strand 0 waits for strand 1 and ends the run; what strand 1 does then, and strand 2 at all, has no effect on it. */
static void what_the_end_of_the_run_does_not_wait_for_may_take_any_time(void **state)
{
	static const struct flow_event events[] = {E(0, 0, BEGIN, NOTHING),   E(0, 0, CREATE, 1),       E(0, 0, CREATE, 2),
	                                           E(0, 1, BEGIN, NOTHING),   E(0, 2, BEGIN, NOTHING),  E(5, 0, PAUSE, COUNTER_0),
	                                           E(9, 1, POST, COUNTER_0),  E(9, 0, TAKE, COUNTER_0), E(15, 1, POST, COUNTER_1),
	                                           E(20, 2, POST, COUNTER_1), E(24, 0, EXIT, NOTHING)};
	static const uint64_t slack[] = {0, 0, 4, 0, FLOW_NONE, 4, 0, 4, FLOW_NONE, FLOW_NONE, 0};
	(void)state;
	ask(NULL, events, sizeof events / sizeof *events);
	find_slack(events, sizeof events / sizeof *events);
	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		assert_int_equal(kept[i].slack, slack[i]);
	forget();
}

/* The sender of an event is told where it is what counts. */
static void the_path_to_an_event_is_told(void **state)
{
	static const struct flow_event events[] = {E(0, 0, BEGIN, NOTHING),   E(0, 0, CREATE, 1),       E(1, 1, BEGIN, NOTHING),
	                                           E(5, 0, PAUSE, COUNTER_0), E(9, 1, POST, COUNTER_0), E(11, 0, TAKE, COUNTER_0),
	                                           E(12, 1, POST, COUNTER_0), E(30, 0, TAKE, COUNTER_0)};
	static const uint64_t senders[] = {FLOW_NONE, FLOW_NONE, 1, FLOW_NONE, FLOW_NONE, 4, FLOW_NONE, FLOW_NONE};
	static const struct flow_question minimum = {.without = UINT32_MAX};
	(void)state;
	flow_start(&flow, &memory, &minimum, 1);
	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		assert_int_equal(flow_step(&flow, &events[i]), senders[i]);
	assert_int_equal(flow.longest[0], 8 + 19);
	forget();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_threads_and_a_lock),
		cmocka_unit_test(a_strand_may_begin_with_a_wait),
		cmocka_unit_test(a_call_that_loses_its_core),
		cmocka_unit_test(a_signal_that_is_not_heard_is_for_the_next),
		cmocka_unit_test(a_signal_may_wake_another),
		cmocka_unit_test(what_the_end_of_the_run_does_not_wait_for_may_take_any_time),
		cmocka_unit_test(the_path_to_an_event_is_told),
		cmocka_unit_test(random_programs_take_what_they_would),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
