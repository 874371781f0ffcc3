/* SPDX-License-Identifier: MIT */
/* test_core.c: core/calls/calls against a slow and obvious model.
 *
 * The model keeps every activation that ever was, with its parent, its times and what was open when it began, and adds
 * up the rows only at the end, by walking over all of them. Random programs enter, leave, jump over frames, wait, fork,
 * change between sequential and concurrent, take up work of other workers and inherit open routines.
 *
 * Where not every call is timed, the same program is run again and again with other chances: the mean of each figure must
 * be the model's, within what the spread of the figures allows. */
#include "unit/lib.h"

#include <math.h>

#include "core/calls/calls.h"

enum { ROUTINES = 6, DEPTH = 64, ACTIVATIONS = 4096, ARCS = 4096 };

struct activation {
	int parent; /* index, or -1 for the frame at the base */
	uint32_t routine;
	bool is_elsewhere;
	bool concurrent;    /* at entry */
	bool caller_forked; /* when it was entered */
	bool is_recursive, is_inherited;
	bool has_forked;
	uint64_t start, end, waited;
};

struct world {
	struct calls_lane lane;
	struct calls_frame frames[DEPTH];
	struct calls_arc rows[ARCS];
	unsigned row_count;
	uint64_t active[ROUTINES + 1];
	uint64_t now;
	uint32_t skip; /* of every arc */
	/* the model */
	struct activation all[ACTIVATIONS];
	int count, top;
	int inherited[ROUTINES + 1];
};

static struct calls_arc *arc_of(struct world *w, uint64_t key)
{
	struct calls_arc *arc = calls_find(&w->lane, key), *probed;
	if (calls_probe(&w->lane, key, &probed))
		assert_ptr_equal(probed, arc);
	if (arc)
		return arc;
	if (!calls_index_has_room(&w->lane)) {
		unsigned log2_slots = (unsigned)(64 - w->lane.shift) + 1;
		struct calls_slot *old = w->lane.index;
		calls_index_move(&w->lane, calloc((size_t)1 << log2_slots, sizeof *old), log2_slots);
		free(old);
	}
	assert_true(w->row_count < ARCS);
	calls_insert(&w->lane, key, &w->rows[w->row_count]);
	w->rows[w->row_count].skip = w->skip;
	calls_draw(&w->lane, &w->rows[w->row_count]);
	return &w->rows[w->row_count++];
}

static struct calls_arc *elsewhere_arc(struct world *w, uint32_t routine, bool concurrent)
{
	return arc_of(w, calls_key(0, routine, concurrent) | CALLS_ELSEWHERE);
}

static struct activation *model_push(struct world *w)
{
	struct activation *a = &w->all[w->count];
	*a = (struct activation){.parent = w->top, .start = w->now};
	w->top = w->count++;
	return a;
}

static void begin_with(struct world *w, uint32_t skip, uint64_t chance)
{
	memset(w, 0, sizeof *w);
	w->skip = skip;
	w->lane.chance = chance;
	w->lane.active = w->active;
	w->lane.base = w->frames;
	w->lane.limit = w->frames + DEPTH;
	w->lane.top = w->frames - 1;
	calls_index_move(&w->lane, calloc(2, sizeof(struct calls_slot)), 1);
	w->top = -1;
	calls_adopt(&w->lane, elsewhere_arc(w, 0, false), 0, w->now);
	model_push(w)->is_elsewhere = true;
}

static void begin(struct world *w)
{
	begin_with(w, 0, 0);
}

/* As the hooks do. */
static void time_call(struct world *w, struct calls_frame *mine)
{
	struct calls_arc *arc = mine->arc;
	if (arc->left) {
		arc->left--;
		calls_time_not(&w->lane, mine);
		return;
	}
	calls_draw(&w->lane, arc);
	calls_time_from(&w->lane, mine, arc->skip + 1, w->now);
}

static void leave(struct world *w)
{
	struct calls_frame *mine = w->lane.top;
	calls_pop(&w->lane, mine, calls_routine_of(mine->as_caller), calls_spent(&w->lane, mine, w->now));
}

static void enter(struct world *w, uint32_t routine, bool concurrent)
{
	struct activation *caller = &w->all[w->top], *a = model_push(w);
	a->routine = routine;
	a->concurrent = concurrent;
	a->caller_forked = caller->has_forked;
	for (int p = a->parent; p >= 0; p = w->all[p].parent)
		a->is_recursive |= !w->all[p].is_elsewhere && w->all[p].routine == routine;
	a->is_inherited = w->inherited[routine] > 0;
	struct calls_arc *arc = arc_of(w, calls_key(w->lane.top->as_caller, routine, concurrent));
	time_call(w, calls_push(&w->lane, arc, routine, concurrent, false));
}

static void model_drop(struct world *w, int depth)
{
	while (depth-- > 0) {
		w->all[w->top].end = w->now;
		w->top = w->all[w->top].parent;
	}
}

/* Frames above the base that can go without crossing one that stands for an activation elsewhere. */
static int droppable(const struct world *w)
{
	int n = 0;
	for (int a = w->top; !w->all[a].is_elsewhere; a = w->all[a].parent)
		n++;
	return n;
}

static void fork_or_join(struct world *w)
{
	struct activation *a = &w->all[w->top];
	if (a->is_elsewhere)
		return;
	a->has_forked = !a->has_forked;
	w->lane.top->as_caller ^= CALLS_CALL_CONCURRENT;
}

static void adopt(struct world *w, uint32_t routine, bool concurrent)
{
	struct activation *a = model_push(w);
	*a = (struct activation){.parent = a->parent,
	                         .routine = routine,
	                         .concurrent = concurrent,
	                         .is_elsewhere = true,
	                         .has_forked = true,
	                         .start = w->now};
	uint64_t as_caller = (uint64_t)routine << 32 | CALLS_CALL_CONCURRENT | (concurrent ? CALLS_CALLER_CONCURRENT : 0);
	calls_adopt(&w->lane, elsewhere_arc(w, routine, concurrent), as_caller, w->now);
}

static void step(struct world *w)
{
	int depth = (int)(w->lane.top - w->lane.base), n;
	w->now += 1 + (uint64_t)(rand() % 50);
	switch (rand() % 16) {
	case 0:
	case 1:
	case 2:
	case 3:
	case 4:
	case 5:
		if (depth + 2 < DEPTH)
			enter(w, 1 + (uint32_t)(rand() % ROUTINES), rand() % 3 == 0);
		break;
	case 6:
	case 7:
	case 8:
	case 9:
		if (droppable(w)) {
			model_drop(w, 1);
			leave(w);
		}
		break;
	case 10: /* a jump */
		if ((n = droppable(w))) {
			n = 1 + rand() % n;
			model_drop(w, n);
			calls_drop(&w->lane, w->lane.top - n, w->now);
		}
		break;
	case 11:
		if (!w->all[w->top].is_elsewhere) {
			uint64_t wait = (uint64_t)(rand() % 30);
			w->all[w->top].waited += wait;
			w->lane.top->arc->wait_ticks += wait;
			w->now += wait;
		}
		break;
	case 12: fork_or_join(w); break;
	case 13:
		if (depth && depth + 2 < DEPTH)
			adopt(w, 1 + (uint32_t)(rand() % ROUTINES), rand() % 2);
		break;
	case 14: /* the adopted work is over */
		n = droppable(w);
		if (depth > n) {
			model_drop(w, n + 1);
			calls_drop(&w->lane, w->lane.top - (n + 1), w->now);
		}
		break;
	default: w->lane.last = w->now; break; /* another thread saw to it */
	}
}

static struct calls_arc *row_of(struct calls_arc *rows, unsigned *count, uint32_t caller, uint32_t callee, uint32_t flags)
{
	for (unsigned i = 0; i < *count; i++)
		if (rows[i].caller == caller && rows[i].callee == callee && rows[i].flags == flags)
			return &rows[i];
	rows[*count] = (struct calls_arc){.caller = caller, .callee = callee, .flags = flags};
	return &rows[(*count)++];
}

static struct calls_arc *model_row(struct world *w, struct calls_arc *rows, unsigned *count, int index)
{
	const struct activation *a = &w->all[index];
	if (a->is_elsewhere)
		return row_of(rows, count, 0, a->routine, CALLS_ELSEWHERE | (a->concurrent ? CALLS_CONCURRENT : 0));
	const struct activation *p = &w->all[a->parent];
	return row_of(rows, count, p->routine, a->routine,
	              (a->concurrent ? CALLS_CONCURRENT : 0) | (a->caller_forked ? CALLS_CALL_CONCURRENT : 0) |
	                      (p->concurrent ? CALLS_CALLER_CONCURRENT : 0));
}

static void check(struct world *w)
{
	static struct calls_arc expected[ARCS];
	unsigned count = 0;
	for (int i = 0; i < w->count; i++)
		model_row(w, expected, &count, i);
	for (int i = 1; i < w->count; i++) {
		const struct activation *a = &w->all[i];
		uint64_t spent = a->end - a->start;
		struct calls_arc *row = model_row(w, expected, &count, i), *parent = model_row(w, expected, &count, a->parent);
		if (a->is_elsewhere) {
			parent->displaced_ticks += spent;
			continue;
		}
		row->calls++;
		row->elapsed_ticks += spent;
		row->wait_ticks += a->waited;
		if (!a->is_recursive && !a->is_inherited)
			row->outer_ticks += spent;
		else if (!a->is_recursive)
			row->nested_ticks += spent;
		parent->callee_calls++;
		parent->callee_ticks += spent;
	}
	assert_int_equal(count, w->row_count);
	for (unsigned i = 0; i < count; i++) {
		struct calls_arc *got = row_of(w->rows, &w->row_count, expected[i].caller, expected[i].callee, expected[i].flags);
		assert_memory_equal(got, &expected[i], sizeof *got);
	}
	for (int r = 1; r <= ROUTINES; r++)
		assert_int_equal((uint32_t)w->active[r], 0);
}

static void play(struct world *w, unsigned seed, bool splits)
{
	srand(seed);
	/* Inheritance is fixed while a thread runs: only the first steps, before anything is open, change it. */
	for (int i = 0; i < 8; i++) {
		uint32_t r = 1 + (uint32_t)(rand() % ROUTINES);
		if (rand() % 4 == 0) {
			w->inherited[r]++;
			w->active[r] += UINT64_C(1) << 32;
		}
	}
	int steps = rand() % 600;
	for (int i = 0; i < steps && w->count + 2 < ACTIVATIONS; i++) {
		step(w);
		if (splits && rand() % 40 == 0)
			calls_split(&w->lane, ++w->now); /* no two readings of the clock are the same */
	}
	w->now += 7;
	if (splits)
		calls_split(&w->lane, w->now);
	while (w->top > 0)
		model_drop(w, 1);
	calls_drop(&w->lane, w->lane.base, w->now);
	free(w->lane.index);
}

static void run(unsigned seed, bool splits)
{
	static struct world w;
	begin(&w);
	play(&w, seed, splits);
	check(&w);
}

static void random_programs_agree_with_the_model(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 3000; seed++)
		run(seed, false);
}

static void counting_open_activations_early_changes_no_sum(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 3000; seed++)
		run(seed, true);
}

/* Section 4.4.1: the outermost activation alone counts for the routine, every one for the arc. */
static void recursion_is_counted_once_in_the_routine(void **state)
{
	static struct world w;
	(void)state;
	begin(&w);
	for (int i = 0; i < 3; i++, w.now += 10)
		enter(&w, 1, false);
	calls_drop(&w.lane, w.lane.base, w.now);
	uint64_t outer = 0, elapsed = 0;
	for (unsigned i = 0; i < w.row_count; i++) {
		outer += w.rows[i].outer_ticks;
		elapsed += w.rows[i].elapsed_ticks;
	}
	assert_int_equal(outer, 30);
	assert_int_equal(elapsed, 30 + 20 + 10);
	free(w.lane.index);
}

/* ---- not every call is timed ---- */

static void weights_have_the_geometric_distribution(void **state)
{
	enum { DRAWS = 200000 };
	(void)state;
	for (unsigned log2 = 1; log2 <= CALLS_LOG2_WEIGHTS; log2++) {
		struct calls_lane lane = {.chance = log2};
		struct calls_arc arc = {.skip = (1u << log2) - 1};
		double p = 1 / (double)(1u << log2), sum = 0, squares = 0, none = 0, mean = 1 / p - 1, spread = sqrt(1 - p) / p;
		for (int i = 0; i < DRAWS; i++) {
			calls_draw(&lane, &arc);
			sum += arc.left;
			squares += (double)arc.left * arc.left;
			none += arc.left == 0;
		}
		assert_true(fabs(sum / DRAWS - mean) < 5 * spread / sqrt(DRAWS));
		assert_true(fabs(sqrt(squares / DRAWS - pow(sum / DRAWS, 2)) / spread - 1) < 0.02);
		assert_true(fabs(none / DRAWS - p) < 5 * sqrt(p / DRAWS) + 0.0005 * p);
		assert_int_equal(arc.skipped_calls, (uint64_t)sum);
	}
}

enum { FIGURES = 5, RUNS = 1000, PROGRAMS = 100 };

struct figure {
	double sum, squares;
};

static void figures_of(const struct calls_arc *row, const uint64_t *figures[FIGURES])
{
	figures[0] = &row->elapsed_ticks;
	figures[1] = &row->outer_ticks;
	figures[2] = &row->nested_ticks;
	figures[3] = &row->callee_ticks;
	figures[4] = &row->displaced_ticks;
}

static void add_run(const struct world *w, const struct world *exact, struct figure (*sums)[FIGURES], double *variances)
{
	assert_int_equal(w->row_count, exact->row_count);
	for (unsigned i = 0; i < w->row_count; i++) {
		const uint64_t *figures[FIGURES];
		figures_of(&w->rows[i], figures);
		assert_int_equal(w->rows[i].calls, exact->rows[i].calls);
		assert_int_equal(w->rows[i].callee_calls, exact->rows[i].callee_calls);
		assert_true(w->rows[i].skipped_calls - w->rows[i].left <= w->rows[i].calls);
		for (int k = 0; k < FIGURES; k++) {
			double value = (double)(int64_t)*figures[k];
			sums[i][k].sum += value;
			sums[i][k].squares += value * value;
		}
		variances[i] += (double)w->rows[i].variance * CALLS_SQUARE;
	}
}

/* Returns how many figures are more than 4 standard errors away: about 1 in 16,000 by chance. */
static unsigned strangers(const struct world *exact, struct figure (*sums)[FIGURES], unsigned *seen)
{
	unsigned strange = 0;
	for (unsigned i = 0; i < exact->row_count; i++) {
		const uint64_t *figures[FIGURES];
		figures_of(&exact->rows[i], figures);
		for (int k = 0; k < FIGURES; k++) {
			double mean = sums[i][k].sum / RUNS, variance = sums[i][k].squares / RUNS - mean * mean;
			double error = sqrt((variance > 0 ? variance : 0) / RUNS);
			strange += fabs(mean - (double)*figures[k]) > 4 * error + 1e-6;
			*seen += error > 0;
		}
	}
	return strange;
}

static void sums_are_right_on_average(void **state)
{
	static struct world exact, w;
	static struct figure sums[ARCS][FIGURES];
	static double variances[ARCS];
	unsigned strange = 0, seen = 0;
	double told = 0, real = 0;
	(void)state;
	for (unsigned seed = 1; seed <= PROGRAMS; seed++) {
		begin(&exact);
		play(&exact, seed, seed % 2);
		memset(sums, 0, sizeof sums);
		memset(variances, 0, sizeof variances);
		for (unsigned n = 0; n < RUNS; n++) {
			begin_with(&w, (2u << seed % 4) - 1, (uint64_t)seed << 32 | n);
			play(&w, seed, seed % 2);
			add_run(&w, &exact, sums, variances);
		}
		strange += strangers(&exact, sums, &seen);
		for (unsigned i = 0; i < exact.row_count; i++) {
			double mean = sums[i][0].sum / RUNS;
			told += variances[i] / RUNS;
			real += sums[i][0].squares / RUNS - mean * mean;
		}
	}
	assert_true(seen > 10000);
	assert_true(strange <= seen / 1000);
	assert_true(told > 0.8 * real && told < 1.5 * real);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recursion_is_counted_once_in_the_routine),
		cmocka_unit_test(random_programs_agree_with_the_model),
		cmocka_unit_test(counting_open_activations_early_changes_no_sum),
		cmocka_unit_test(weights_have_the_geometric_distribution),
		cmocka_unit_test(sums_are_right_on_average),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
