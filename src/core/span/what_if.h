/* SPDX-License-Identifier: MIT */
/* what_if.h: work and span of a serial run if some of its strands were longer or shorter, for several such questions
 * ("ifs") at once.
 *
 * Problem: "what if everything under this site took half as long?" The span does not follow from the profile: when
 * the critical path gets shorter, another path may become critical.
 * Idea: each if has its own position: the length of the longest path from the start of the program to here with the
 * strands under its site scaled. A strand advances the position. When a spawned child has ended, its end is kept and
 * the position goes back to where the child began. A sync continues from the latest end, if that is further. This is
 * Figure 3 of the paper without profiles and with one clock for all invocations, so every kind of waiting is a
 * maximum of positions: a sync, a join, a taskwait and a dependence are all the same, and each if has its own latest
 * end. Work is a sum.
 * Cost: an addition or a comparison for each if and event, a struct span_ends for each invocation with children that
 * were not waited for. Exact as long as positions are: whole numbers up to 2^53, and halves and quarters of them
 * accordingly less.
 *
 *     what_if_strand(w, 7);
 *     what_if_note(w, &before);                            spawn: a child begins
 *     what_if_open(w, marks); … what_if_close(w, marks);   a call of the sites of the ifs in marks
 *     what_if_later(w, &best); what_if_back(w, &before);   the child has ended; best was before.at at first
 *     what_if_wait(w, &best);                              sync
 *
 * One thread each. Invocations of a site inside an invocation of the same if's sites are not scaled twice. */
#ifndef SKEIN_CORE_SPAN_WHAT_IF_H
#define SKEIN_CORE_SPAN_WHAT_IF_H

#include <stdint.h>

#define SPAN_WHAT_IFS 16

/* A position for each if. */
struct span_ends {
	double at[SPAN_WHAT_IFS];
};

struct span_what_if {
	uint32_t count;
	uint32_t open[SPAN_WHAT_IFS]; /* open invocations of the if's sites */
	double factor[SPAN_WHAT_IFS];
	double work[SPAN_WHAT_IFS];
	struct span_ends here;
};

void what_if_begin(struct span_what_if *w, const double *factors, uint32_t count);
void what_if_strand(struct span_what_if *w, uint64_t length);
void what_if_open(struct span_what_if *w, uint32_t marks);
void what_if_close(struct span_what_if *w, uint32_t marks);
uint32_t what_if_marks(const struct span_what_if *w); /* marks of the ifs whose sites are open now */

void what_if_note(const struct span_what_if *w, struct span_ends *ends);  /* sets `ends` to the current positions */
void what_if_later(const struct span_what_if *w, struct span_ends *ends); /* sets `ends` to the current positions where these are later */
void what_if_back(struct span_what_if *w, const struct span_ends *ends);  /* sets the positions to `ends` */
void what_if_wait(struct span_what_if *w, const struct span_ends *ends);  /* sets the positions to `ends` where these are later */
void what_if_latest(uint32_t count, struct span_ends *ends, const struct span_ends *others);

#endif
