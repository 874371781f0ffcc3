/* SPDX-License-Identifier: MIT */
#ifndef SKEIN_CORE_CALLS_H
#define SKEIN_CORE_CALLS_H
#include <stdint.h>
struct calls_frame;
struct calls_arc;
struct calls_self {
	struct calls_frame *top, *limit;
	struct calls_arc **index;
	uint64_t mask;
	uint64_t from;
	uint64_t **tables;
};
#endif
