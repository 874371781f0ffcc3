/* SPDX-License-Identifier: MIT */
/* modules.h: which file a code address belongs to, and what that file says about unwinding.
 *
 * Modules are numbered as they are first seen, from 1, and written to the raw recording (struct raw_module) at once; number 0 is code
 * without a file. A number is never used again, so a place (raw/format.h) stays true after dlclose. Found with _dl_find_object, which
 * takes no lock; the vdso is found by its own address.
 *
 *     struct module *m = module_at(ip);            NULL: no file
 *     uint64_t place = module_place(m, ip);
 *
 * Everything here may be called by any thread and from signal handlers, also while another thread is in dlopen or dlclose. A module that
 * has been closed stays known; modules_closed tells that addresses may mean something else from now on. */
#ifndef SKEIN_SAMPLE_MODULES_H
#define SKEIN_SAMPLE_MODULES_H

#include <stdint.h>
#include "raw/format.h"

struct module {
	uint32_t number;
	uint32_t generation;          /* in which it was last seen to be there */
	uintptr_t start, end;         /* addresses */
	uintptr_t bias;
	const unsigned char *eh_frame_hdr; /* NULL: it has none */
	const void *link_map;
};

void modules_start(void);              /* once, before the subject runs */
void modules_restart(void);            /* in a forked child: the records stay, numbers go on */
struct module *module_at(uintptr_t ip);
uint32_t modules_generation(void);     /* changes with each dlclose: caches of addresses are void */
void modules_closed(void);             /* an object is being closed, or was */

static inline uint64_t module_place(const struct module *m, uintptr_t ip)
{
	return m ? (uint64_t)m->number << RAW_PLACE_SHIFT | ((ip - m->bias) & ((UINT64_C(1) << RAW_PLACE_SHIFT) - 1)) : ip & ((UINT64_C(1) << RAW_PLACE_SHIFT) - 1);
}

#endif
