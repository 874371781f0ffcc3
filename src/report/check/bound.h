/* SPDX-License-Identifier: MIT */
/* bound.h: the right side of a claim: a number with a unit as people write it, or a percentage of another recording.
 *
 *     struct bound bound;
 *     if (bound_read(&pool, "5.2 ms", &bound)) …                         5200000 of BOUND_TIME
 *     if (bound_read(&pool, "110 % of base.skein", &bound)) …            110 of BOUND_OF, "base.skein"
 *     if (bound_fits(&bound, UNIT_NS)) …
 *
 * doc/check.md has the grammar. */
#ifndef SKEIN_CHECK_BOUND_H
#define SKEIN_CHECK_BOUND_H

#include <stdbool.h>
#include "base/memory.h"
#include "report/sheet.h"

enum bound_kind {
	BOUND_NUMBER,  /* without a unit */
	BOUND_AMOUNT,  /* with k, M or G */
	BOUND_PERCENT, /* with % */
	BOUND_TIME,    /* with ns, us, ms, s, min or h: value is in nanoseconds */
	BOUND_OF       /* per cent of a figure of another recording */
};

struct bound {
	enum bound_kind kind;
	long double value, step; /* step: what its last digit counts */
	const char *of;          /* the other recording, or NULL; the pool owns it */
};

bool bound_read(struct pool *pool, const char *text, struct bound *bound); /* text has no blanks at its ends */
bool bound_fits(const struct bound *bound, enum unit unit);

/* A text between quotes (' or "), in which two of them are one; NULL: it is not quoted so. *end: what follows the quotes. */
char *bound_unquote(struct pool *pool, const char *text, const char **end);

#endif
