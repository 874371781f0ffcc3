/* SPDX-License-Identifier: MIT */
/* interpose_memory.c: calls that spend long in the kernel without waiting for anybody. The clock does not tick there (ticks.h): what they took is charged to
 * them when they return, as for input and output. */
#include <errno.h>
#include <sys/mman.h>
#include <x86intrin.h>
#include "sample/sampled.h"
#include "threads/real.h"

static int charged(int result, uint64_t start)
{
	struct skein_self *self = &skein_self;
	int error = errno;
	if (threads_started() && !self->inside && !self->vforked)
		sampler_kernel_time(self, start, __rdtsc());
	errno = error;
	return result;
}

EXPORT int munmap(void *at, size_t bytes)
{
	uint64_t start = __rdtsc();
	return charged(real.munmap(at, bytes), start);
}

EXPORT int madvise(void *at, size_t bytes, int advice)
{
	uint64_t start = __rdtsc();
	return charged(real.madvise(at, bytes, advice), start);
}
