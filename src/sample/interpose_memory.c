/* SPDX-License-Identifier: MIT */
/* interpose_memory.c: calls that spend long in the kernel without waiting. The clock does not tick there (ticks.h):
 * their time is charged when they return, as for input and output. */
#include <sys/mman.h>
#include "sample/sampled.h"
#include "threads/real.h"

EXPORT int munmap(void *at, size_t bytes)
{
	uint64_t start = sampler_call_begin();
	int result = real.munmap(at, bytes);
	sampler_call_end(start);
	return result;
}

EXPORT int madvise(void *at, size_t bytes, int advice)
{
	uint64_t start = sampler_call_begin();
	int result = real.madvise(at, bytes, advice);
	sampler_call_end(start);
	return result;
}
