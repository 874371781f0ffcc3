/* SPDX-License-Identifier: MIT */
/* interpose_dl.c: code goes away. */
#include <dlfcn.h>
#include <x86intrin.h>
#include "sample/sampled.h"
#include "threads/real.h"

/* Told before and after: in between the addresses are in doubt. */
EXPORT int dlclose(void *handle)
{
	uint64_t start = __rdtsc();
	modules_closed();
	int result = real.dlclose(handle);
	modules_closed();
	sampler_charge(start);
	return result;
}
