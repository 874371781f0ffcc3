/* SPDX-License-Identifier: MIT */
/* span.h: what the files of the `span` lens's part of the plugin tell each other.
 *
 * span.c        the order of things; what is a site; the table
 * graph.c  which routines certainly return, which are recursive, which foreign code may call
 * others.c the same of a program that is finished piece by piece
 * loops.c  parallel loops
 * early.c  where nothing was called yet
 * sites.c  which sites --what-if and --under mean
 * edit.h   the hooks of one routine: edit.c, call.c, turn.c, word.c
 * peel.c   base cases move to where they are called, when hooks have been inlined */
#ifndef SKEIN_PASS_SPAN_H
#define SKEIN_PASS_SPAN_H

#include <stdint.h>
#include "pass/blocks.h"
#include "pass/cost.h"
#include "pass/openmp.h"
#include "pass/pass.h"

#define SPAN_MARK_UNDER (1u << 31) /* beside bit k for what-if k */

/* What is known of a routine. */
struct span_facts {
	bool steady;        /* the caller gets control back; nothing in the routine is left by a jump, waits or runs in another thread */
	bool recursive;     /* may be open twice */
	unsigned component; /* of the call graph: those of one may call each other in a circle */
	bool outside;       /* code may call it that has no site for the call */
	bool measured;      /* steady, and only sites of this object call it: it enters its own figures in their rows */
	bool leaf;          /* measured, and calls nothing */
	bool peels;         /* the quick exits of the routine may move to its callers */
	bool chunk;         /* the function of a taskloop's tasks */
	bool unknown;       /* of a name in another piece: what it stands for is not known to be a routine */
	uint32_t marks;     /* of the routine itself, where code calls it that has no site for the call */
	unsigned first_site, site_count;
};

/* Where a call goes. */
enum span_reach {
	SPAN_STEADY,  /* a steady routine */
	SPAN_ROUTINE, /* another one */
	SPAN_QUIET,   /* a foreign function that returns and does not call the program back */
	SPAN_FOREIGN, /* another foreign one */
	SPAN_UNKNOWN  /* by pointer, or a name that another object may define */
};

/* Which mark of include/skein/skein.h a call is. */
enum span_marks { SPAN_NO_MARK, SPAN_REGION_BEGIN, SPAN_REGION_END };

/* The parallel loops of a routine. */
struct span_found {
	struct span_tagged *at;
	size_t count;
};

/* What skein says of a function, by its scoped name (others.c). */
struct span_told {
	char *name;
	struct span_facts facts;
};

struct span_pass {
	struct program *p;
	struct span_facts *facts; /* by routine */
	struct span_told *told;   /* in the order of names; none: the module is the whole program */
	size_t told_count;
	const struct span_facts **elsewhere; /* by the order in which sites were found: of a callee in another piece, or NULL */
	struct span_found *loops;            /* parallel loops, by routine */
	bool whole, general;                 /* no sites; every invocation in the general way */
	bool many;                           /* there are so many sites that hooks are not inlined */
	uintptr_t *profiled;                 /* functions, in order */
	size_t profiled_count;
	unsigned *row;   /* of sites, by number: the number of the site whose row is theirs, too */
	uint32_t *marks; /* of sites: bit k for what-if k, and SPAN_MARK_UNDER */
};

/* graph.c */
void span_graph(struct span_pass *s); /* what is known without its callees */
void span_solve(struct span_pass *s); /* what their calls prove */
bool span_has_sites(const struct span_pass *s, LLVMValueRef function);
enum span_reach span_reach(const struct span_pass *s, const struct site *site);
LLVMValueRef span_task_function(LLVMValueRef call);     /* of the task that this call creates; NULL: unknown */
enum openmp_means span_openmp(const struct site *site); /* of a call that a construct makes; else OPENMP_NONE */
enum span_marks span_marks(const struct site *site);

/* others.c */
void span_tell(const struct span_pass *s, FILE *to);
bool span_take_told(struct span_pass *s);                                                 /* false: nothing was told */
const struct span_facts *span_callee(const struct span_pass *s, const struct site *site); /* NULL: not a routine that is known */
void span_forget_told(struct span_pass *s);

/* loops.c: the loops of a routine that a construct made parallel, outer ones before inner ones. */
struct span_tagged {
	LLVMBasicBlockRef header, latch;
	LLVMBasicBlockRef *blocks;
	size_t block_count;
	unsigned line, column, site;
	const char *construct;
	int outer; /* index of the loop around it, -1: none */
};
size_t span_loops(LLVMValueRef function, struct span_tagged **loops);
void span_loops_free(struct span_tagged *loops, size_t count);
bool span_loop_has(const struct span_tagged *loop, LLVMBasicBlockRef block);

/* early.c */
bool span_early(const struct blocks *b, const bool *calls, bool *early); /* one word a block each */

/* sites.c */
void span_choose(struct span_pass *s);

/* edit.c */
void span_edit(struct span_pass *s, struct editor *e, unsigned routine, struct span_tagged *loops, size_t loop_count);

/* peel.c: when hooks have been inlined */
void span_peel(const struct span_pass *s);

#endif
