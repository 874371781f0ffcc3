/* SPDX-License-Identifier: MIT */
/* lens.c: the list of the lenses that instrument a program. */
#include "pass/lens.h"

#include <string.h>

#define X(upper, lower, number, how, words, traits) LENS_IF_HOOKS(how, &pass_lens_##lower, )
static const struct pass_lens *const lenses[] = {LENS_LIST(X)};
#undef X

const struct pass_lens *pass_lens(void)
{
	const char *name = pass_option(PLAN_LENS);
	for (size_t i = 0; i < sizeof lenses / sizeof *lenses; i++)
		if (strcmp(lenses[i]->name, name) == 0)
			return lenses[i];
	return NULL;
}
