/* SPDX-License-Identifier: MIT */
/* interpose_dl.c: sees code being unloaded (dlclose). */
#include <dlfcn.h>
#include "arch/arch.h"
#include "sample/sampled.h"
#include "threads/real.h"

/* Told before and after: in between the addresses are in doubt. */
EXPORT int dlclose(void *handle)
{
	uint64_t start = arch_tick();
	modules_closed();
	int result = real.dlclose(handle);
	modules_closed();
	sampler_charge(start);
	return result;
}
