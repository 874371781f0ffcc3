/* SPDX-License-Identifier: MIT */
/* totals.h: the whole-run figures of each of the repeated runs of a lens: what its view `summary` has, run by run.
 *
 *     struct repeats repeats;
 *     struct totals totals;
 *     if (store_repeats(store, "calls", &repeats, &why) < 0) …
 *     if (totals_load(store, &lens_calls, NULL, &repeats, &totals, &why) < 0) …
 *     const struct total *wall = totals_find(&totals, "wall_ns");          NULL: no run has it
 *     for (size_t i = 0; wall && i < repeats.count; i++)
 *             printf("run %u: %g\n", repeats.runs[i].turn, wall->values[i]);
 *     totals_free(&totals);
 *     repeats_free(&repeats);
 *
 * Figures that are texts, such as the command, are left out. Each run is loaded, one after another; afterwards the store loads
 * what store_choose was last told before. */
#ifndef SKEIN_TOTALS_H
#define SKEIN_TOTALS_H

#include "analyse/spread.h"
#include "report/lens.h"
#include "store/repeats.h"

struct total {
	const char *name;     /* as in the view */
	double *values;       /* of run i; not a number where it was not measured */
	struct spread spread; /* of the runs that count and have it */
};

struct totals {
	struct total *at;
	size_t count, room, runs;
	struct pool pool;
};

/* `a`: options of the lens, with which its reports were asked for; NULL: none. */
int totals_load(struct store *store, const struct lens *lens, const struct arguments *a, const struct repeats *repeats,
                struct totals *totals, struct fail *why);
const struct total *totals_find(const struct totals *totals, const char *name);
void totals_free(struct totals *totals);

#endif
