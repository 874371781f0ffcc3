/* SPDX-License-Identifier: MIT */
#include "run/ranks/choice.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 1 << 28 };

/* One item of the list: from `first` to `last`, every `step`. */
struct item {
	int64_t first, last, step;
};

static bool read_number(const char **at, int64_t *number)
{
	char *end;
	if (**at < '0' || **at > '9')
		return false;
	*number = strtoll(*at, &end, 10);
	*at = end;
	return *number <= MOST_RANKS;
}

/* Moves *at behind the item; false: there is none. */
static bool read_item(const char **at, struct item *item)
{
	*item = (struct item){0, MOST_RANKS, 1};
	if (**at == '*') {
		++*at;
	} else if (!read_number(at, &item->first)) {
		return false;
	} else if (**at == '-') {
		++*at;
		if (!read_number(at, &item->last) || item->last < item->first)
			return false;
	} else {
		item->last = item->first;
	}
	if (**at == '/') {
		++*at;
		if (!read_number(at, &item->step) || item->step < 1)
			return false;
	}
	return **at == 0 || (**at == ',' && (*at)[1]);
}

int choice_has(const char *list, int64_t rank, bool *has, struct fail *why)
{
	const char *at = list;
	*has = false;
	do {
		struct item item;
		if (!read_item(&at, &item))
			return fail_set(why, FAIL_USAGE, "--ranks takes numbers and ranges, such as 0,5-9 or */100, not %.100s", list);
		*has |= rank >= item.first && rank <= item.last && (rank - item.first) % item.step == 0;
	} while (*at++ == ',');
	return 0;
}

int64_t choice_first(const char *list, int64_t ranks)
{
	int64_t first = -1;
	const char *at = list;
	struct item item;
	do {
		if (!read_item(&at, &item))
			break;
		if ((first < 0 || item.first < first) && (ranks == 0 || item.first < ranks))
			first = item.first;
	} while (*at++ == ',');
	return first;
}
