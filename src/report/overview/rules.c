/* SPDX-License-Identifier: MIT */
#include "report/overview/rules.h"

#include <string.h>

#define KIND(...)
#define JOIN(...)
#define RULE(...)
#define VIEW(...)

#undef KIND
#define KIND(kind, ...) [FINDING_##kind] = {__VA_ARGS__},
const struct overview_kind overview_kinds[FINDING_KINDS] = {
#include "report/overview/rules.def"
};
#undef KIND
#define KIND(...)

#undef JOIN
#define JOIN(kind, other, about, which) {FINDING_##kind, FINDING_##other, OVERVIEW_##about, OVERVIEW_##which},
const struct overview_join overview_joins[] = {
#include "report/overview/rules.def"
};
#undef JOIN
#define JOIN(...)
const size_t overview_join_count = sizeof overview_joins / sizeof *overview_joins;

#undef RULE
#define RULE(kinds, lenses, other, by, about, relation, keeps, remark) \
	{kinds, lenses, FINDING_##other, by, OVERVIEW_##about, OVERVIEW_##relation, keeps, remark},
const struct overview_rule overview_rules[] = {
#include "report/overview/rules.def"
};
#undef RULE
#define RULE(...)
const size_t overview_rule_count = sizeof overview_rules / sizeof *overview_rules;

#undef VIEW
#define VIEW(kind, lens, view, routine) {FINDING_##kind, OVERVIEW_##lens, view, routine},
const struct overview_shown overview_shown[] = {
#include "report/overview/rules.def"
};
const size_t overview_shown_count = sizeof overview_shown / sizeof *overview_shown;

bool overview_lists(const char *list, const char *word)
{
	size_t length = strlen(word);
	if (strcmp(list, "*") == 0)
		return true;
	for (const char *at = list; (at = strstr(at, word)); at += length)
		if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
			return true;
	return false;
}
