/* SPDX-License-Identifier: MIT */
/* longest.h: the longest of more intervals than can be kept, in two passes and constant memory.
 *
 *     struct longest longest = {0};
 *     longest_count(&longest, ns);              each interval, in any order
 *     longest_choose(&longest, 100000);
 *     if (longest_has(&longest, ns)) …          each interval once more, in the same order: says which are kept
 *
 * Lengths are counted in classes, of which each is at most an eighth wider than the one below. What is kept has the highest classes; of
 * the class that has more than there is room for, every so many-th is kept, so that all of the run is shown. */
#ifndef SKEIN_LONGEST_H
#define SKEIN_LONGEST_H

#include <stdbool.h>
#include <stdint.h>

enum { LONGEST_STEPS = 8, LONGEST_CLASSES = 64 * LONGEST_STEPS }; /* classes for each power of two */

struct longest {
	uint64_t classes[LONGEST_CLASSES]; /* how many intervals each has */
	unsigned least;                    /* the lowest class of which some are kept */
	uint64_t room, met;                /* how many of that class; how many of it were met */
};

void longest_count(struct longest *longest, uint64_t ns);
void longest_choose(struct longest *longest, uint64_t most);
bool longest_has(struct longest *longest, uint64_t ns);

#endif
