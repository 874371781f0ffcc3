/* SPDX-License-Identifier: MIT */
/* merge.h: makes findings of what the lenses say, by the rules of rules.def. Pure but for the pool of the overview.
 *
 *     struct overview_item items[] = {{OVERVIEW_IDLE, tag, "Idle cores took …"}, …};
 *     overview_merge(&overview, items, count);
 *
 * The overview has its routines, its path and the length of its run already. Texts of the items must live as long as the overview.
 *
 * 1. Items that name a routine or an object join a finding about the same one, or begin one; then those that name neither join the
 *    largest finding of their kind (JOIN).
 * 2. A finding takes its seconds, its routine and its advice each from the first lens of its kind's list that knows them (KIND).
 * 3. From the largest finding on, other items add something to it, or contradict it (RULE). An item that was used so makes no finding of
 *    its own.
 * 4. What would bring next to nothing is left out, the rest is sorted, and the first OVERVIEW_MOST stay. */
#ifndef SKEIN_OVERVIEW_MERGE_H
#define SKEIN_OVERVIEW_MERGE_H

#include "report/overview/rules.h"

#define OVERVIEW_LEAST 0.02 /* part of the run: a finding that would bring less is left out */
#define OVERVIEW_LATER 0.05 /* score of what limits the program on more cores only */

struct overview_item {
	enum overview_lens_number lens;
	struct finding_tag tag; /* routine and `within` are numbers of overview.routines */
	const char *sentence;
};

void overview_merge(struct overview *overview, const struct overview_item *items, size_t count);

/* words.c: the texts of a finding. The items that agree come first in its list of evidence. */
void overview_word(struct overview *overview, struct overview_finding *finding);
const char *overview_who(struct overview *overview, uint32_t routine); /* "prepare (setup.c:6)"; "" for OVERVIEW_NONE */
/* A remark with %w, %d and %l filled in; a text in [] is dropped where %w is not known. */
const char *overview_fill(struct overview *overview, const char *text, const char *who, const char *object, const char *words,
                          const char *lens);
const char *overview_quoted(struct pool *pool, const char *word); /* for a shell, if it needs that */

#endif
