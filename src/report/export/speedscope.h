/* SPDX-License-Identifier: MIT */
/* speedscope.h: the parts of a file of speedscope: a head, profiles of whatever kind, and the frames that they name by number.
 *
 *     speedscope_begin(&s, file);
 *     speedscope_profile(file, &is_first, "sampled", "work", "nanoseconds", 120);
 *     fputs(",\"samples\":[[0,1]],\"weights\":[120]}", file);
 *     speedscope_end(&s, file);
 *
 * A frame is a function of the stacks, by its index. */
#ifndef SKEIN_SPEEDSCOPE_H
#define SKEIN_SPEEDSCOPE_H

#include <stdbool.h>
#include "report/export/stacks.h"

void speedscope_begin(const struct stacks *s, FILE *file);
/* The head of a profile, up to its own members; `unit` as types have it. */
void speedscope_profile(FILE *file, bool *is_first, const char *type, const char *name, const char *unit, int64_t end);
void speedscope_end(const struct stacks *s, FILE *file);

#endif
