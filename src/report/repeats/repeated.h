/* SPDX-License-Identifier: MIT */
/* repeated.h: what a report says of several runs of its lens: which one it shows, how far they are apart, which of them failed, and
 * which exact figures differ.
 *
 *     struct repeated repeated;
 *     if (repeated_open(&repeated, store, lens, &arguments, true, &why) < 0) …      chooses the run that --run names, or the median
 *     void *data = lens_open(lens, store, &arguments, &ask, &why);
 *     repeated_say(&repeated, &verdict);                                            before the lens judges
 *     sheet.repeated = &repeated;                                                   for the view summary, and views of runs
 *     repeated_close(&repeated);
 */
#ifndef SKEIN_REPEATED_H
#define SKEIN_REPEATED_H

#include "analyse/findings.h"
#include "report/lens.h"
#include "report/repeats/totals.h"
#include "store/repeats.h"

struct repeated {
	const struct lens *lens;
	struct repeats repeats;
	struct totals totals;           /* none where they were not asked for, or there is one run */
	struct differences differences; /* likewise */
	size_t shown;                   /* the run, by index; repeats.count: all runs together */
	bool is_asked;                  /* --run */
};

/* `whole`: with figures and differences, for which each run is loaded. */
int repeated_open(struct repeated *r, struct store *store, const struct lens *lens, const struct arguments *a, bool whole,
                  struct fail *why);
void repeated_say(const struct repeated *r, struct findings *verdict);
void repeated_close(struct repeated *r);

/* How a run ended: "exit status 3", "SIGSEGV", "stopped after its time", "" if that is not known. */
const char *repeated_end(struct pool *pool, const struct repeats_run *run);

/* Views of every lens. A lens that has a view of that name shows its own. */
extern const struct view *const repeated_views[];

#endif
