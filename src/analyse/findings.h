/* SPDX-License-Identifier: MIT */
/* findings.h: sentences that a report begins and ends with: what was found, and what may be wrong with it.
 *
 *     struct findings verdict = {0};
 *     findings_add(&verdict, "%s has %.0f %% of the working time.", name, share);
 *     findings_free(&verdict);
 *
 * A lens's judge() adds the most important sentence first. Names go in unescaped: the code that prints a sentence
 * escapes it. */
#ifndef SKEIN_FINDINGS_H
#define SKEIN_FINDINGS_H

#include "base/memory.h"

struct findings {
	const char **lines;
	size_t count, room;
	size_t openings; /* how many of the lines come before what the lens itself found */
	struct pool pool;
};

__attribute__((format(printf, 2, 3))) void findings_add(struct findings *findings, const char *format, ...);
void findings_free(struct findings *findings);

#endif
