/* SPDX-License-Identifier: MIT */
/* modules.h: which file an address of code or data belongs to, and what that file says about unwinding.
 *
 * Modules are numbered as they are first seen, from 1, and written to the raw recording (struct raw_module) at once; number 0 is code
 * without a file. A number is never used again, so a place (raw/format.h) stays true after dlclose. Found with _dl_find_object, which
 * takes no lock; the vdso is found by its own address.
 *
 *     struct module *m = module_at(ip);            NULL: no file
 *     uint64_t place = module_place(m, ip);        or modules_place(address): both at once
 *
 * Everything here may be called by any thread and from signal handlers, also while another thread is in dlopen or dlclose. A module that
 * has been closed stays known; modules_closed tells that addresses may mean something else from now on, and is called before an object is
 * closed and again after. A file that is still at the same place keeps its number; there are MODULES_MAX numbers,
 * and later files have none. Call modules_start after raw_open; otherwise the files loaded so far have no records. */
#ifndef SKEIN_UNWIND_MODULES_H
#define SKEIN_UNWIND_MODULES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "raw/format.h"

#define MODULES_MAX 8192u

struct module {
	bool is_runtime; /* of OpenMP */
	uint32_t number;
	_Atomic uint32_t generation; /* the generation in which the module was last seen mapped */
	uintptr_t start, end;        /* addresses, from its first segment to its last; other files may lie in holes between them */
	uintptr_t bias;
	const unsigned char *eh_frame_hdr; /* NULL: the file has none */
	const void *link_map;
	uintptr_t code;    /* start of the segment by which it was found first */
	uintptr_t entry;   /* address of the first instruction of a program or of the loader, or 0 */
	uint64_t identity; /* of the file: hash of its path, build-id and program headers */
	bool stays;        /* the module was loaded when the subject began, and cannot be closed: its tables may be read directly */
	_Atomic bool is_recorded;
};

void modules_start(void);   /* once, before the subject runs */
void modules_restart(void); /* in a forked child: the records stay, numbers go on */
struct module *module_at(uintptr_t ip);
bool module_is_context_end(uintptr_t ip); /* where functions of makecontext return to: the outermost frame */
bool module_is_runtime(uint32_t number);  /* an OpenMP runtime: its frames are not calls of the user */
uint32_t modules_generation(void);        /* changes with each dlclose: caches of addresses are void */
void modules_closed(void);                /* an object is being closed, or was */

/* The modules are those of the process itself: their tables may be read where they are. */
extern const bool modules_are_here;

static inline uint64_t module_place(const struct module *m, uintptr_t ip)
{
	return m ? (uint64_t)m->number << RAW_PLACE_SHIFT | ((ip - m->bias) & ((UINT64_C(1) << RAW_PLACE_SHIFT) - 1))
		 : ip & ((UINT64_C(1) << RAW_PLACE_SHIFT) - 1);
}

static inline uint64_t modules_place(uintptr_t address)
{
	return module_place(module_at(address), address);
}

#endif
