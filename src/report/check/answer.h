/* SPDX-License-Identifier: MIT */
/* answer.h: whether claims hold, an answer for each routine or other thing that a claim is about.
 *
 *     struct answers answers = {0};
 *     for (size_t c = 0; c < count; c++)
 *             if (answer_claim(&answers, &claims[c], &recordings, "prog.skein", &why) < 0) …
 *     int status = answers_status(&answers);              0 all hold, 1 one fails, 3 none fails and one cannot be told
 *     answers_print(&answers, stdout);
 *     answers_free(&answers);
 *
 * All words of an answer may hold names of the subject; those that print them escape them. */
#ifndef SKEIN_CHECK_ANSWER_H
#define SKEIN_CHECK_ANSWER_H

#include "report/check/claim.h"
#include "report/check/recordings.h"

enum answer_status { ANSWER_HOLDS = 0, ANSWER_FAILS = 1, ANSWER_UNKNOWN = 3 };

struct answer {
	enum answer_status status;
	const char *word;   /* "holds", "worse", "fails" or "unknown" */
	const char *line;   /* what is said behind the word, all in one */
	const char *claim;  /* as it was written */
	const char *about;  /* the routine or the like, if the claim does not name it alone; may be "" */
	const char *figure; /* what was measured; "": nothing was */
	const char *bound;
	const char *sure; /* how sure the figure is, or why nothing can be told */
	const char *lens; /* name of the lens that was looked into */
	const char *file; /* where the claim stands; NULL: on the command line */
	size_t line_number;
};

struct answers {
	struct answer *list;
	size_t count, room;
	struct pool pool;
};

/* -1: the recording cannot be read, or has no such routine or object. */
int answer_claim(struct answers *answers, const struct claim *claim, struct recordings *recordings, const char *path, struct fail *why);
int answer_growth(struct answers *answers, const struct claim *claim, const void *data, struct fail *why); /* growth.c */
struct answer *answers_add(struct answers *answers, const struct claim *claim, enum answer_status status);
int answers_status(const struct answers *answers);
void answers_free(struct answers *answers);

/* ---- forms (forms.c) ---- */

void answers_print(const struct answers *answers, FILE *file);    /* an answer a line */
void answers_markdown(const struct answers *answers, FILE *file); /* a table, for a comment in a review */
void answers_junit(const struct answers *answers, FILE *file);    /* XML that test reports of CI systems read */
void answers_github(const struct answers *answers, FILE *file);   /* annotations of what does not hold */

/* ---- three outcomes of a comparison ---- */

/* A value and a bound are each known to be in a range; `tolerance` is what == and != leave to rounding. */
struct answer_range {
	long double low, high;
};
enum answer_status answer_compare(struct answer_range value, enum claim_operator op, struct answer_range bound, long double tolerance);

#endif
