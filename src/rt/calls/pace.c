/* SPDX-License-Identifier: MIT */
/* pace.c: how many calls of an arc are timed.
 *
 * Problem: two readings of the clock take 20 ns. Where routines are tiny that is more than the program itself takes.
 * Idea: every call is timed while the hooks take no more of a thread's time than was asked for (--overhead). When they
 * do, arcs whose timing takes more than that share of their own direct time are timed half as often, again and again,
 * as long as the error that this will bring to the arc's sum stays below a part of the thread's time. It is the other
 * way round when there is time left, or when the error has become too large. Counts are exact in any case.
 * Cost: a few divisions for 256 timed calls of an arc.
 *
 * What is decided rests on the past alone, and a call counts with the weight with which it was drawn: no decision can
 * make sums wrong on average (core/calls/calls.h). */
#include "rt/calls/calls.h"

/* The standard error of an arc's sum may be one part in so many of the thread's working time. */
enum { ERROR_PART = 100 };

/* A call that was drawn costs so many times what a call costs where all are timed: no processor foresees it. Timing fewer calls saves
 * little once that is, per call, a small part of what all other calls cost. */
enum { DRAWN = 3, SMALL_PART = 8 };

static struct {
	uint64_t percent; /* 0: every call is timed */
} pace;

void pace_set(uint64_t percent)
{
	pace.percent = percent;
}

void pace_time_all(void)
{
	__atomic_store_n(&pace.percent, 0, __ATOMIC_RELAXED);
}

static uint64_t waited_in(const struct lane *lane)
{
	uint64_t sum = 0;
	for (int k = 0; k < RAW_WAIT_KINDS; k++)
		sum += __atomic_load_n(&lane->record->wait_ticks[k], __ATOMIC_RELAXED);
	return sum;
}

void pace_begin(struct worker *w, const struct lane *lane)
{
	w->begun = w->lane.last;
	w->begun_bias = w->lane.bias;
	w->begun_wait = waited_in(lane);
}

/* Time that the thread has worked so far, without the hooks. */
static uint64_t worked(const struct worker *w)
{
	int64_t ticks = (int64_t)(calls_now(w) - w->begun - (waited_in(skein_self.lane) - w->begun_wait));
	return ticks > 0 ? (uint64_t)ticks : 0;
}

/* Is the error small enough if a timed call stands for `weight` calls? */
static bool is_precise(const struct calls_arc *arc, uint64_t weight, uint64_t own)
{
	unsigned __int128 error = (unsigned __int128)arc->squares * (weight - 1) * CALLS_SQUARE;
	return error <= (unsigned __int128)(own / ERROR_PART) * (own / ERROR_PART);
}

/* Do the hooks of the arc take more of its own time than they may, and would it help to time fewer of its calls? */
static bool is_dear(const struct worker *w, const struct calls_arc *arc, uint64_t weight, uint64_t percent)
{
	int64_t direct = (int64_t)(arc->elapsed_ticks - arc->callee_ticks - arc->wait_ticks - arc->displaced_ticks);
	uint64_t timing = DRAWN * (w->lane.inside + w->lane.outside), hooks = w->lane.untimed + timing / weight;
	return SMALL_PART * timing > weight * w->lane.untimed &&
		(unsigned __int128)hooks * arc->calls * 100 > (unsigned __int128)(direct > 0 ? direct : 0) * percent;
}

static void set_pace(struct worker *w, struct calls_arc *arc)
{
	uint64_t percent = __atomic_load_n(&pace.percent, __ATOMIC_RELAXED), weight = (uint64_t)arc->skip + 1, own;
	if (!percent || !skein_self.lane) {
		arc->skip = 0;
		return;
	}
	own = worked(w);
	uint64_t taken = 100 * (w->lane.bias - w->begun_bias), allowed = percent * own;
	if (taken > allowed && weight < 1u << CALLS_LOG2_WEIGHTS && is_dear(w, arc, weight, percent) && is_precise(arc, 2 * weight, own))
		arc->skip = (uint32_t)(2 * weight - 1);
	else if (weight > 1 && (taken < allowed / 2 || !is_precise(arc, weight, own)))
		arc->skip = (uint32_t)(weight / 2 - 1);
}

/* Begins a call that is timed. Its weight is that with which it was drawn, whatever is decided for those after it. */
struct calls_frame *skein_rt_time(struct calls_lane *lane, struct calls_frame *mine)
{
	struct calls_arc *arc = mine->arc;
	uint64_t weight = (uint64_t)arc->skip + 1;
	if (hot_thinks(arc))
		set_pace((struct worker *)lane, arc);
	calls_draw(lane, arc);
	calls_time_from(lane, mine, weight, calls_time(lane, arch_tick()));
	return mine;
}

/* Ends it. */
void skein_rt_count(struct calls_lane *lane, struct calls_frame *mine, uint64_t clock)
{
	lane->bias += lane->inside;
	calls_pop(lane, mine, calls_routine_of(mine->as_caller), calls_spent(lane, mine, calls_time(lane, clock)));
	lane->bias += lane->outside;
}
