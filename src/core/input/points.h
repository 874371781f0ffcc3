/* SPDX-License-Identifier: MIT */
/* points.h: the points of a routine: for every input size the number and the cost of its activations.
 *
 *     struct input_routines routines = {.port = port, .sizes_max = INPUT_SIZES_MAX};
 *     struct input_routine *r = input_routine_of(&routines, key);     a routine, or a calling context; NULL: no memory
 *     input_routine_add(&routines, r, &activation);
 *     …
 *     struct input_points trms = {0};                                 to read: what is common to all metrics, and the metric's own
 *     input_routine_points(&routines, r, INPUT_TRMS, &trms);
 *     input_points_free(&trms, port);
 *
 * Memory is bounded: when a metric of a routine has more than sizes_max different sizes, sizes are put together that
 * agree in their first `bits` binary digits, with ever fewer digits until there is room. So a bin is narrower than 1 /
 * 2^(bits - 1) of its size, and a size below 2^bits is still exact. A point's mean size is size_sum / calls, whatever
 * its bin. Sums stop at their largest value instead of wrapping.
 *
 * One thread at a time. An activation that finds no memory is counted in `lost`. */
#ifndef SKEIN_CORE_INPUT_POINTS_H
#define SKEIN_CORE_INPUT_POINTS_H

#include <stdbool.h>
#include "core/input/map.h"

enum input_metric {
	INPUT_RMS,          /* first accesses that are reads: Definition 1 */
	INPUT_RMS_EXTERNAL, /* RMS, and reads of cells that the kernel wrote since */
	INPUT_TRMS,         /* RMS + external, and reads of cells that other threads wrote since: Definition 3 */
	INPUT_METRICS
};

/* An activation that has ended. */
struct input_activation {
	uint64_t size[INPUT_METRICS];
	uint64_t thread, external; /* induced first accesses: written by other threads, by the kernel */
	uint64_t cost, self;       /* cost with and without callees */
	bool outermost;            /* no other activation of the routine is open in the thread */
};

/* As in the recording (struct raw_input_point), so that a producer can let its points lie there. */
struct input_point {
	uint64_t routine; /* the owner: key of the routine, number of the thread, and the metrics that the point counts for */
	uint32_t reader;
	uint16_t metrics, bits;
	uint64_t size; /* the smallest size of the bin */
	uint64_t size_sum;
	uint64_t calls;
	uint64_t cost_min, cost_max, cost_sum;
	uint64_t squares[2];     /* sum of squared costs: lower and upper half */
	uint64_t cost_outermost; /* cost of outermost activations only: these count nothing twice */
	uint64_t self_sum;
	uint64_t thread, external;
};

/* Rows of points that others can read at any time, even when the process has been killed. */
struct input_shelf {
	struct input_point *(*take)(void *context, uint32_t room); /* zeroed; NULL: no more */
	void (*show)(void *context, struct input_point *rows,
	             uint32_t count); /* the first `count` rows are whole; 0: none, for a while or for ever */
	/* a set of functions of a routine has this target (choice.h) */
	void (*tell)(void *context, uint64_t key, uint32_t reader, uint64_t target);
};

struct input_points {
	struct input_map index; /* from a size to the number of its row + 1 */
	struct input_point *rows;
	uint32_t count, room;
	uint32_t bits; /* significant binary digits of a size that are kept; 0: all */
};

#define INPUT_ALL_METRICS ((1u << INPUT_METRICS) - 1)

#define INPUT_SIZES_MAX 1024u /* by default */
#define INPUT_SIZES_LEAST 128u
#define INPUT_NEAR 64u

struct input_routine {
	uint64_t key;
	uint32_t open;               /* number of open activations of the routine in the thread */
	uint16_t target_bit;         /* of `target`, in sets */
	uint64_t target;             /* the function that the routine called through a pointer last (choice.h) */
	struct input_choice *choice; /* all functions that it called so; NULL: none */
	struct input_routine *only;  /* points of activations that called the first of them alone; NULL: none yet */
	uint64_t recent_size;        /* size + 1 of the row of `same` that was used last; 0: none */
	struct input_point *recent;
	uint32_t near[INPUT_NEAR];              /* rows of small sizes, if they still exist */
	struct input_points same;               /* activations of the same size in all metrics: nearly all, unless threads share memory */
	struct input_points own[INPUT_METRICS]; /* all other activations, by metric */
};

struct input_routines {
	const struct input_port *port;
	struct input_map map; /* key to struct input_routine */
	uint32_t sizes_max;   /* at least INPUT_SIZES_LEAST */
	uint32_t reader;      /* number of the thread, for rows on a shelf */
	uint64_t lost;        /* activations that are not in any point */
};

/* A shelf keeps the rows of points that are freed or cleared. */
struct input_routine *input_routine_of(struct input_routines *routines, uint64_t key);
void input_routine_add(struct input_routines *routines, struct input_routine *routine, const struct input_activation *a);
bool input_routine_points(const struct input_routines *routines, const struct input_routine *routine, enum input_metric metric,
                          struct input_points *into);
void input_routine_clear(struct input_routine *routine, const struct input_port *port); /* removes points; open activations stay */
void input_routines_free(struct input_routines *routines);                              /* frees every routine too */

/* Adds all points of `from`. Bins of `into` become as wide as those of `from`, if these are wider. false: no memory. */
bool input_points_merge(struct input_points *into, const struct input_points *from, const struct input_port *port, uint32_t sizes_max);
void input_points_free(struct input_points *points, const struct input_port *port);

/* ---- in line, for stack.h ---- */

/* Sums that stop at their largest value. That is rare, so a branch is better than a conditional move. */
static inline uint64_t input_add_up(uint64_t a, uint64_t b)
{
	uint64_t sum;
	return __builtin_expect(__builtin_add_overflow(a, b, &sum), 0) ? UINT64_MAX : sum;
}

static inline void input_add_squares(uint64_t *squares, uint64_t low, uint64_t high)
{
	unsigned __int128 sum = (unsigned __int128)squares[1] << 64 | squares[0];
	if (__builtin_expect(__builtin_add_overflow(sum, (unsigned __int128)high << 64 | low, &sum), 0))
		sum = ~(unsigned __int128)0;
	squares[0] = (uint64_t)sum;
	squares[1] = (uint64_t)(sum >> 64);
}

static inline void input_point_add(struct input_point *p, uint64_t size, uint64_t cost, uint64_t self, bool outermost)
{
	unsigned __int128 square = (unsigned __int128)cost * cost;
	p->size_sum = input_add_up(p->size_sum, size);
	p->calls++;
	if (__builtin_expect(cost < p->cost_min, 0))
		p->cost_min = cost;
	if (__builtin_expect(cost > p->cost_max, 0))
		p->cost_max = cost;
	p->cost_sum = input_add_up(p->cost_sum, cost);
	input_add_squares(p->squares, (uint64_t)square, (uint64_t)(square >> 64));
	if (outermost)
		p->cost_outermost = input_add_up(p->cost_outermost, cost);
	p->self_sum = input_add_up(p->self_sum, self);
}

/* The row of a size that all metrics agree on, without a look-up: the size is that of the activation before, or
 * small; otherwise NULL. */
static inline struct input_point *input_point_near(struct input_routine *routine, uint64_t size)
{
	if (routine->recent_size == size + 1)
		return routine->recent;
	if (size >= INPUT_NEAR)
		return NULL;
	struct input_point *p = &routine->same.rows[routine->near[size]];
	if (routine->near[size] >= routine->same.count || p->size != size)
		return NULL;
	routine->recent_size = size + 1;
	routine->recent = p;
	return p;
}

#endif
