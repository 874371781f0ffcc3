/* SPDX-License-Identifier: MIT */
/* loop.h: the head of a cilk_for, read so that its iterations can be counted before any of them runs.
 *
 *     cilk_for (int i = a; i < b; i += s) …      also > <= >= !=, ++ -- -=, and the sides of the comparison exchanged
 *
 * becomes, in C and C++ alike, declarations of __skein_first, __skein_stride and __skein_count, and for iteration
 * __skein_k a declaration of i. Anything that can be compared, subtracted and added to an integer may be i: pointers
 * and random-access iterators, too. A head of another form is not read. */
#ifndef SKEIN_BUILD_LOOP_H
#define SKEIN_BUILD_LOOP_H

#include <stdbool.h>
#include "build/cilk/tokens.h"

struct loop {
	char *start, *name, *bound, *stride; /* text */
	const char *comparison;              /* of the name with the bound, the name on its left */
	bool up, plus;                       /* the name grows; the stride is added, not taken away */
};

bool loop_read(const struct tokens *t, size_t head, struct loop *loop); /* head: the opening parenthesis */
char *loop_count_text(const struct loop *loop);
char *loop_value_text(const struct loop *loop);
void loop_free(struct loop *loop);

#endif
