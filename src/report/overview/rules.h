/* SPDX-License-Identifier: MIT */
/* rules.h: the rules of rules.def as tables, for merge.c and its tests. */
#ifndef SKEIN_OVERVIEW_RULES_H
#define SKEIN_OVERVIEW_RULES_H

#include "report/overview/overview.h"

enum overview_about { OVERVIEW_SAME, OVERVIEW_LOOSE, OVERVIEW_ANY, OVERVIEW_RUN, OVERVIEW_HARMLESS, OVERVIEW_HELD };

/* Kinds without a row (END, LOAD, FINE) are no findings of their own. */
struct overview_kind {
	double weight;
	const char *lenses, *of_object, *of_routine, *alone, *by_span, *advice;
};
extern const struct overview_kind overview_kinds[FINDING_KINDS];

extern const struct overview_join {
	enum finding_kind kind, other;
	enum overview_about about;
	enum { OVERVIEW_FIRST, OVERVIEW_BELIEVED } which;
} overview_joins[];
extern const size_t overview_join_count;

extern const struct overview_rule {
	const char *kinds, *lenses;
	enum finding_kind other;
	const char *by;
	enum overview_about about;
	enum overview_relation relation;
	double keeps;
	const char *remark;
} overview_rules[];
extern const size_t overview_rule_count;

extern const struct overview_shown {
	enum finding_kind kind;
	enum overview_lens_number lens;
	const char *view;
	bool by_routine;
} overview_shown[];
extern const size_t overview_shown_count;

bool overview_lists(const char *list, const char *word); /* the word is in a list that blanks divide, or the list is "*" */

#endif
