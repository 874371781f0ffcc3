/* SPDX-License-Identifier: MIT */
/* lens.h: what differs between lenses in the plugin. Adding a lens means adding one struct to the list in lens.c, filled in in the
 * lens's own folder; report/lens.h, run/lens.h and rt/rt.h have its counterparts.
 *
 * pass.c calls these functions in this order; each but plan and edit may be NULL:
 *
 *     note      at the start of the link, before anything is inlined
 *     tell      a piece was optimised and will be finished later: what other pieces must know of it. Routines and sites are known
 *     plan      at the end of the link. Routines and sites are known. Sets table_sites, and may add sites
 *     write     the table (table.h) is being written: lines of the lens's own
 *     edit      inserts calls to hooks
 *     restore   attributes that hooks make untrue were removed: what this lens can still vouch for
 *     finish    hooks have been inlined: what is left to do
 */
#ifndef SKEIN_PASS_LENS_H
#define SKEIN_PASS_LENS_H

#include "keys/lenses.h"
#include "pass/pass.h"

struct pass_lens {
	const char *name;
	/* Calls that matter stay calls (lower/): spawned ones between their markers, and of the functions that were held at the compile
	 * only small ones without a loop are inlined. */
	bool keeps_calls;
	void (*note)(LLVMModuleRef module);
	bool tells_by_changing; /* `tell` changes the module: it gets a copy */
	void (*tell)(struct program *p, FILE *to);
	void (*plan)(struct program *p);
	void (*write)(const struct program *p, FILE *table);
	void (*edit)(struct program *p);
	void (*restore)(struct program *p);
	void (*finish)(struct program *p);
};

#define X(upper, lower, number, how, words, traits) LENS_IF_HOOKS(how, extern const struct pass_lens pass_lens_##lower;)
LENS_LIST(X)
#undef X

/* The lens that the plan names (PLAN_LENS); NULL: none, or one that instruments nothing. */
const struct pass_lens *pass_lens(void);

#endif
