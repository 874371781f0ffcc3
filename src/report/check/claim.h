/* SPDX-License-Identifier: MIT */
/* claim.h: what `skein check` is told to hold: that a routine grows no faster than stated, or that a figure of a lens keeps a bound.
 *
 *     struct claim claim;
 *     switch (claim_read(&pool, "span: partition span% <= 10", &claim, &why)) {
 *     case CLAIM_READ: … claim.lens, claim.figure, claim.thing, claim.op, claim.bound …
 *     case CLAIM_NONE: …                                  has not the form of a claim: perhaps the name of a file
 *     case CLAIM_WRONG: …                                 why is filled
 *     }
 *
 * doc/check.md has the grammar. What a claim refers to lives in the pool. */
#ifndef SKEIN_CHECK_CLAIM_H
#define SKEIN_CHECK_CLAIM_H

#include "analyse/input/claim.h"
#include "report/check/bound.h"
#include "report/lens.h"

/* clang-format off */
#define CLAIM_OPERATOR_LIST(X) X(LESS, "<") X(AT_MOST, "<=") X(IS, "==") X(IS_NOT, "!=") X(AT_LEAST, ">=") X(MORE, ">")
/* clang-format on */
enum claim_operator {
#define X(name, text) CLAIM_##name,
	CLAIM_OPERATOR_LIST(X)
#undef X
		CLAIM_OPERATORS
};
extern const char *const claim_operators[CLAIM_OPERATORS];

struct claim {
	const char *text; /* as it was written, without blanks at its ends */
	const char *file; /* the file that it stands in; NULL: the command line */
	size_t line;
	/* a claim of growth: lens is NULL */
	const char *routine, *growth;
	struct inputs_claim is;
	/* a claim of a figure */
	const struct lens *lens;
	const struct figure *figure;
	const char *thing, *caller; /* what the figure is of; NULL: of the whole run, of no site */
	enum claim_operator op;
	struct bound bound;
	const char *limit; /* the operator and the bound, as they were written */
};

enum claim_reading { CLAIM_READ, CLAIM_NONE, CLAIM_WRONG };
enum claim_reading claim_read(struct pool *pool, const char *word, struct claim *claim, struct fail *why);
const struct lens *claim_lens(const struct claim *claim); /* the lens that is looked into: of growth, the input lens */

#endif
