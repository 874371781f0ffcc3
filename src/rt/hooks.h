/* SPDX-License-Identifier: MIT */
/* hooks.h: the common part of the hooks of every lens. Each src/rt/LENS/hooks.c includes it once.
 *
 * A hooks.c is compiled to bitcode, given to each re-link as an object, and inlined by the plugin (src/pass/LENS) where
 * its hooks go. Hooks hold no state: all state is in the runtime. Names that begin with skein_hook_ are the plugin's
 * vocabulary.
 *
 *     HOOK uint32_t skein_hook_slot(void)
 *     {
 *             return skein_hook_object.slot;
 *     } */
#ifndef SKEIN_RT_HOOKS_H
#define SKEIN_RT_HOOKS_H

#include "rt/object.h"

#define HOOK __attribute__((used, always_inline))
#define FAR_HOOK __attribute__((used, noinline)) /* named skein_hook_far_: is called, and an object has it once */

/* The object that the hooks are linked into; the plugin fills it in. */
struct skein_object skein_hook_object __attribute__((used)) = {.build_id = "-"};

/* Addresses that are numbers: of the first row of the part of the object into which a hook is put, and of the bytes before that row. The
 * plugin sets them (pass/piece.h). */
extern const char skein_hook_first_row[], skein_hook_row_bytes[];
#define HOOK_NUMBER(symbol) ((uint32_t)(uintptr_t)(symbol))

#ifndef __clang__
#pragma GCC diagnostic ignored "-Wprio-ctor-dtor"
#endif

/* Before every other constructor and after every other destructor: those of sanitizers have the priority 1. */
static __attribute__((constructor(0), used)) void skein_hook_register(void)
{
	skein_rt_register(&skein_hook_object);
}

static __attribute__((destructor(0), used)) void skein_hook_unregister(void)
{
	skein_rt_unregister(&skein_hook_object);
}

#endif
