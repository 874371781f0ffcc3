/* SPDX-License-Identifier: MIT */
/* region.h: parts of routines that the user marked with skein_begin and skein_end (include/skein/skein.h).
 *
 * A lens that measures regions has region_begin and region_end in its struct rt_lens; for the others marks mean
 * nothing. A name gets the number of a routine when it is first needed; the recording has it as a RAW_NAME.
 *
 *     const struct rt_region *region = rt_region(name, file, line);    any thread, no lock
 *     if (region && rt_region_has(region->routine)) … */
#ifndef SKEIN_RT_REGION_H
#define SKEIN_RT_REGION_H

#include <stdbool.h>
#include <stdint.h>

struct rt_region {
	struct rt_region *next;
	const char *address; /* of the name as it was given first */
	uint32_t routine, line;
	uint32_t name_bytes, text_bytes;
	char text[]; /* name, file */
};

const struct rt_region *rt_region(const char *name, const char *file, unsigned line); /* NULL: no memory */
bool rt_region_has(uint32_t routine);                                                 /* whether it is the number of a region */

#endif
