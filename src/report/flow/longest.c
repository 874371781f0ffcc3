/* SPDX-License-Identifier: MIT */
#include "report/flow/longest.h"

/* What is longer has no lower class. */
static unsigned class_of(uint64_t ns)
{
	enum { STEP_BITS = 3 };
	if (ns < LONGEST_STEPS)
		return (unsigned)ns;
	unsigned power = 63 - (unsigned)__builtin_clzll(ns);
	return power * LONGEST_STEPS + (unsigned)(ns >> (power - STEP_BITS) & (LONGEST_STEPS - 1));
}

void longest_count(struct longest *l, uint64_t ns)
{
	l->classes[class_of(ns)]++;
}

void longest_choose(struct longest *l, uint64_t most)
{
	uint64_t above = 0;
	unsigned class = LONGEST_CLASSES - 1;
	for (; class > 0 && above + l->classes[class] <= most; class --)
		above += l->classes[class];
	l->least = class;
	l->room = most - above < l->classes[class] ? most - above : l->classes[class];
	l->met = 0;
}

bool longest_has(struct longest *l, uint64_t ns)
{
	unsigned class = class_of(ns);
	if (class != l->least)
		return class > l->least;
	uint64_t before = l->met++, all = l->classes[class];
	return (before + 1) * l->room / all > before * l->room / all;
}
