/* SPDX-License-Identifier: MIT */
/* input_points.h: what is kept of a routine's activations: for every input size how many there were and what they cost.
 *
 *     struct input_routines routines = {.port = port, .sizes_max = INPUT_SIZES_MAX};
 *     struct input_routine *r = input_routine_of(&routines, key);     a routine, or a calling context; NULL: no memory
 *     input_routine_add(&routines, r, &activation);
 *     …
 *     struct input_points trms = {0};                                 to read: what is common to all metrics, and the metric's own
 *     input_routine_points(&routines, r, INPUT_TRMS, &trms);
 *     input_points_free(&trms, port);
 *
 * Memory is bounded: when a metric of a routine has more than sizes_max different sizes, sizes are put together that agree in their first `bits`
 * binary digits, with ever fewer digits until there is room. So a bin is narrower than 1 / 2^(bits - 1) of its size, and a size below 2^bits
 * is still exact. A point's mean size is size_sum / calls, whatever its bin. Sums stop at their largest value instead of wrapping.
 *
 * One thread at a time. What finds no memory is counted in `lost`. */
#ifndef SKEIN_CORE_INPUT_POINTS_H
#define SKEIN_CORE_INPUT_POINTS_H

#include <stdbool.h>
#include "core/input_map.h"

enum input_metric {
	INPUT_RMS,          /* first accesses that are reads: Definition 1 */
	INPUT_RMS_EXTERNAL, /* and reads of what the kernel wrote since */
	INPUT_TRMS,         /* and reads of what other threads wrote since: Definition 3 */
	INPUT_METRICS
};

/* An activation that has ended. */
struct input_activation {
	uint64_t size[INPUT_METRICS];
	uint64_t thread, external; /* induced first accesses in it: by other threads, by the kernel */
	uint64_t cost, self;       /* with and without what it called */
	bool outermost;            /* no other activation of the routine is open in the thread */
};

struct input_point {
	uint64_t size;      /* the smallest of its bin */
	uint64_t size_sum;
	uint64_t calls;
	uint64_t cost_min, cost_max, cost_sum;
	uint64_t squares[2]; /* of costs: lower and upper half */
	uint64_t cost_outermost; /* of outermost activations alone: of these nothing is counted twice */
	uint64_t self_sum;
	uint64_t thread, external;
};

struct input_points {
	struct input_map index; /* size to number of its row, and 1 */
	struct input_point *rows;
	uint32_t count, room;
	uint32_t bits;          /* significant binary digits of a size that are kept; 0: all */
};

#define INPUT_SIZES_MAX 1024u /* by default */
#define INPUT_SIZES_LEAST 128u
#define INPUT_NEAR 64u

struct input_routine {
	uint64_t key;
	uint32_t open;               /* activations of it in the thread */
	uint32_t last;               /* row of `same` that was added to last, */
	uint32_t near[INPUT_NEAR];   /* and those of small sizes: if they are still there */
	struct input_points same;    /* activations that have the same size by all metrics: nearly all, where threads do not meet */
	struct input_points own[INPUT_METRICS]; /* the others, by each */
};

struct input_routines {
	const struct input_port *port;
	struct input_map map; /* key to struct input_routine */
	uint32_t sizes_max;   /* at least INPUT_SIZES_LEAST */
	uint64_t lost;        /* activations that are not in any point */
};

struct input_routine *input_routine_of(struct input_routines *routines, uint64_t key);
void input_routine_add(struct input_routines *routines, struct input_routine *routine, const struct input_activation *a);
bool input_routine_points(const struct input_routines *routines, const struct input_routine *routine, enum input_metric metric, struct input_points *into);
void input_routines_free(struct input_routines *routines); /* and every routine */

/* Adds all points of `from`. Bins of `into` become as wide as those of `from`, if these are wider. false: no memory. */
bool input_points_merge(struct input_points *into, const struct input_points *from, const struct input_port *port, uint32_t sizes_max);
void input_points_free(struct input_points *points, const struct input_port *port);

#endif
