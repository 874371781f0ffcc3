/* SPDX-License-Identifier: MIT */
/* interpose_dl.c: sees code being unloaded (dlclose). */
#include <dlfcn.h>
#include "modules/modules.h"
#include "threads/real.h"

/* Counted before and after: in between the addresses are in doubt. */
EXPORT int dlclose(void *handle)
{
	atomic_fetch_add(&modules_closings, 1);
	int result = real.dlclose(handle);
	atomic_fetch_add(&modules_closings, 1);
	return result;
}
