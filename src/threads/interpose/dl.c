/* SPDX-License-Identifier: MIT */
/* dl.c: sees code being unloaded (dlclose). */
#include <dlfcn.h>
#include "threads/interpose/interpose.h"

static void tell(uint64_t since)
{
	if (threads_client.unloads)
		threads_client.unloads(since);
}

/* Told before and after: in between, what is at an address is in doubt. */
EXPORT int dlclose(void *handle)
{
	uint64_t start = arch_tick();

	tell(0);
	int result = real.dlclose(handle);
	tell(start);
	return result;
}
