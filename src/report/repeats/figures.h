/* SPDX-License-Identifier: MIT */
/* figures.h: the whole-run figures of each of the repeated runs of a lens: what its view `summary` has, run by run.
 *
 *     struct repeats repeats;
 *     struct figures figures;
 *     if (store_repeats(store, "calls", &repeats, &why) < 0) …
 *     if (figures_load(store, &lens_calls, NULL, &repeats, &figures, &why) < 0) …
 *     const struct figure *wall = figures_find(&figures, "wall_ns");          NULL: no run has it
 *     for (size_t i = 0; wall && i < repeats.count; i++)
 *             printf("run %u: %g\n", repeats.runs[i].turn, wall->values[i]);
 *     figures_free(&figures);
 *     repeats_free(&repeats);
 *
 * Figures that are texts, such as the command, are left out. Each run is loaded, one after another; afterwards the store loads
 * what store_choose was last told before. */
#ifndef SKEIN_FIGURES_H
#define SKEIN_FIGURES_H

#include "analyse/spread.h"
#include "report/lens.h"
#include "store/repeats.h"

struct figure {
	const char *name;     /* as in the view */
	double *values;       /* of run i; not a number where it was not measured */
	struct spread spread; /* of the runs that count and have it */
};

struct figures {
	struct figure *at;
	size_t count, room, runs;
	struct pool pool;
};

/* `a`: options of the lens, with which its reports were asked for; NULL: none. */
int figures_load(struct store *store, const struct lens *lens, const struct arguments *a, const struct repeats *repeats,
                 struct figures *figures, struct fail *why);
const struct figure *figures_find(const struct figures *figures, const char *name);
void figures_free(struct figures *figures);

#endif
