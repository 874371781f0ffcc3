/* SPDX-License-Identifier: MIT */
/* repeats.h: the runs of one lens that `skein record --repeat` made, and which of them is loaded.
 *
 * A recording keeps several runs of a lens if one command of skein made them. What is loaded of them, unless one was chosen, is
 * the median run: by wall time the one in the middle (of an even number, the faster one of the two in the middle). Runs of the
 * input lens add up instead, and all are loaded. Runs that failed do not count, unless all did.
 *
 *     struct repeats repeats;
 *     if (store_repeats(store, "calls", &repeats, &why) < 0) …
 *     for (size_t i = 0; i < repeats.count; i++) {
 *             store_choose(store, repeats.runs[i].run);
 *             …store_load_calls or lens_open: what they load is of that run…
 *     }
 *     store_choose(store, 0);
 *     repeats_free(&repeats);
 *
 * report/figures.h has the whole-run figures of all runs, for any lens. */
#ifndef SKEIN_STORE_REPEATS_H
#define SKEIN_STORE_REPEATS_H

#include "base/memory.h"
#include "store/store.h"

enum { REPEATS_MOST = 1000 }; /* runs of one command of skein */

struct repeats_run {
	int64_t run;                /* number of the run in the file */
	uint32_t turn;              /* number for people, from 1; a run of which nothing was recorded leaves a gap */
	uint64_t wall_ns, cpu_ns;   /* of a program that a signal ended: until then, whatever was recorded of it */
	int64_t exit_code, died_of; /* as in struct run */
	bool stopped, failed;
	bool counts; /* for the median, and for how far runs are apart */
};

struct repeats {
	struct repeats_run *runs; /* in the order in which they ran; one if the newest run was not repeated, none if there is no run */
	size_t count, room;
	size_t counted; /* of them, count */
	size_t median;  /* index of the run in the middle */
};

int store_repeats(struct store *store, const char *lens, struct repeats *repeats, struct fail *why);
void repeats_free(struct repeats *repeats);
size_t repeats_find(const struct repeats *repeats, uint32_t turn); /* `count` if there is no such run */

void store_choose(struct store *store, int64_t run); /* what is loaded from now on of the lens that the run is of; 0: as above */
int64_t store_chosen(const struct store *store);

/* An exact figure that is not the same in all runs that count. */
struct difference {
	const char *what;    /* calls, acquisitions, path 17, threads … */
	const char *subject; /* the routine or the object that has the figure; "": the whole run */
	const char *file;    /* of the routine, or "" */
	uint32_t line;
	int64_t least, most; /* 0 where a run does not have it */
};

struct differences {
	struct difference *at; /* figures of the whole run, then the others, most apart first */
	size_t count, room;
	bool compared; /* false: there is nothing exact to compare, or skein ended a run when its time was over */
	struct pool pool;
};

int store_differences(struct store *store, const char *lens, const struct repeats *repeats, struct differences *d, struct fail *why);
void differences_free(struct differences *d);

#endif
