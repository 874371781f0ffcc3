/* SPDX-License-Identifier: MIT */
/* blame.h: which routine is to blame for a sample: the innermost one on its logical path that is part of the program.
 *
 * A sample in free(), or in a runtime, says little in a verdict; the routine of the program that called free() says
 * more. Routines that are not the program's (analyse/blame_place.h) are passed over; where nothing else is on the path the
 * innermost routine of all is taken.
 *
 *     size_t count;
 *     struct idles_blame *list = idles_blame(idles, &count);      sorted by idleness; the caller frees */
#ifndef SKEIN_IDLE_BLAME_H
#define SKEIN_IDLE_BLAME_H

#include "analyse/idle/idle.h"

struct idles_blame {
	uint32_t routine;
	struct idles_sums sums;
	const char *file; /* the line with the most idleness, or the line that called the code with it; "" if not known */
	uint32_t line;
	uint64_t line_idle_ns;
	uint32_t context; /* the scope of the routine with the most idleness, with everything blamed on the routine there */
	struct idles_sums in_context;
};

struct idles_blame *idles_blame(const struct idles *idles, size_t *count);

#endif
