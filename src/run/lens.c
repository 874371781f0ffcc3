/* SPDX-License-Identifier: MIT */
#include "run/lens.h"

#include <string.h>

#define X(upper, lower, number, how, words, traits) &run_lens_##lower,
const struct run_lens *const run_lenses[] = {LENS_LIST(X)};
#undef X
const size_t run_lens_count = sizeof run_lenses / sizeof *run_lenses;

const struct run_lens *run_lens_find(const char *name)
{
	for (size_t i = 0; i < run_lens_count; i++)
		if (strcmp(run_lenses[i]->lens->name, name) == 0)
			return run_lenses[i];
	return NULL;
}

void run_lens_add_patterns(const struct arguments *a, enum option option, enum plan_key key, struct strv *pass)
{
	struct pool pool = {0};
	const char *value, *joined = NULL;
	for (size_t n = 0; (value = arguments_nth(a, option, n)); n++)
		joined = joined ? pool_print(&pool, "%s\n%s", joined, value) : value;
	if (joined)
		plan_add(pass, key, "%s", joined);
	pool_free(&pool);
}
