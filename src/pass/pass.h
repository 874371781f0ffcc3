/* SPDX-License-Identifier: MIT */
/* pass.h: the plugin that lld loads when a program is re-linked for a lens.
 *
 * Two events. At the start of link-time optimisation, or of finishing one object by itself (piece.h), it notes which functions the program consists of; at the end,
 * when inlining is done, it decides which of those that are left are profiled, writes the table (table.h) that gives names to
 * numbers, lets the lens insert its hooks, and has them inlined. lens.h is what a lens must say of itself.
 *
 * The plan comes through the environment; keys/plan.h lists its keys. Without PLAN_LENS the plugin does nothing. An error is
 * fatal for the link: one line on standard error that begins with "skein:", and exit status 1. */
#ifndef SKEIN_PASS_H
#define SKEIN_PASS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "keys/mode.h"
#include "keys/plan.h"

/* shim.cpp */
struct shim_source {
	const char *name;
	size_t name_bytes;
	const char *file;
	size_t file_bytes;
	unsigned line;
};
bool shim_function_source(LLVMValueRef function, struct shim_source *out);
bool shim_inlined(LLVMValueRef instruction, unsigned level, struct shim_source *out); /* what was inlined here, innermost first */
LLVMBasicBlockRef shim_split_edge(LLVMValueRef terminator, unsigned successor);       /* a block of its own between the two */
bool shim_is_interposable(LLVMValueRef function); /* a call may reach another object's function of that name */
bool shim_address_taken(LLVMValueRef function);
LLVMBasicBlockRef shim_split(LLVMValueRef instruction); /* the block that begins with it from now on */
/* What is known of the loops of a function, until it is edited. */
struct shim_loops *shim_loops_begin(LLVMValueRef function);
void shim_loops_end(struct shim_loops *loops);
/* The loop around a block if it has no loop in it and runs so many times as is known when it begins; else NULL. `always`: in each turn the
 * block runs. */
void *shim_counted_loop(struct shim_loops *loops, LLVMBasicBlockRef block, bool *always);
bool shim_moves_by(struct shim_loops *loops, void *loop, LLVMValueRef pointer, long long *step);    /* from turn to turn */
bool shim_distance(struct shim_loops *loops, LLVMValueRef from, LLVMValueRef to, long long *bytes); /* false: not a constant number */
LLVMValueRef
shim_before_loop(void *loop); /* the last instruction before it; these put the pointer's first value and the number of turns there */
LLVMValueRef shim_first_value(struct shim_loops *loops, void *loop, LLVMValueRef pointer);
LLVMValueRef shim_turns(struct shim_loops *loops, void *loop);
void pass_at_link_start(LLVMModuleRef module);
void pass_at_link_end(LLVMModuleRef module);
void pass_at_compile_start(LLVMModuleRef module);
void pass_at_compile_end(LLVMModuleRef module);
bool pass_wants_others(void); /* passes that are not ours: false as long as a module is taken as it is */

/* A function as the last event finds it. Its place in the array is its index in the table. */
struct routine {
	LLVMValueRef function;
	char *name, *file;
	unsigned line;
	bool profiled;
	bool tiny;           /* not profiled, as that would take longer than the routine does */
	bool outlined;       /* the body of an OpenMP construct */
	bool leaves_by_tail; /* has a musttail call */
	bool atomic;         /* has atomic instructions */
};

/* A call in a profiled routine. Those whose callee is known and profiled come first; also those whose callee is elsewhere, if calls are only
 * counted. The span lens adds sites that are no calls. */
struct site {
	LLVMValueRef call; /* NULL: a loop, or what was inlined */
	unsigned caller;
	int callee;       /* index of a profiled routine that this call certainly reaches, or -1 */
	char flags[6];    /* of its line in the table */
	const char *name; /* NULL: the callee's */
	const char *file; /* NULL: the call's own place */
	unsigned line, column;
	unsigned order; /* in which it was found */
	struct span_tagged *loop;
	bool spawned;   /* by cilk_spawn */
	bool elsewhere; /* the callee is profiled, in another piece (piece.h) */
};

struct program {
	LLVMModuleRef module;
	struct routine *routines;
	size_t routine_count;
	struct site *sites;
	size_t site_count, direct_sites;
	size_t table_sites; /* the runtime's tables: a row a site */
	unsigned root;      /* see rt/object.h */
	void *own;          /* the lens's, from plan to finish (lens.h) */
};

/* pass.c */
__attribute__((noreturn, format(printf, 1, 2))) void pass_fail(const char *format, ...);
void pass_is_at(LLVMValueRef function);                        /* which pass_at names from now on; NULL: none */
const char *pass_at(void);                                     /* for the report of a crash: the function that is worked on, or "" */
void pass_fill_object(const struct program *p);                /* struct skein_object */
void *pass_grow(void *array, size_t count, size_t item_bytes); /* room for one more */
void *pass_zeroed(size_t count, size_t item_bytes);            /* allocates one more item, so that the result is never NULL */
/* Of debug information functions and lines are kept, which backtraces and debuggers name. What it says of variables and types no
 * lens needs, and is a sixth of the time that code takes to be generated. The code is the same without it, but for the places of a few spilled values. */
void pass_forget_variables(LLVMModuleRef module);
void pass_forget_assignments(LLVMModuleRef module); /* marks of where variables are assigned to, which passes that strip leave behind */
const char *pass_option(enum plan_key option);      /* value of the key in the plan, or "" */
void pass_set_option(enum plan_key option, const char *value);
/* Where the program's own source does this: the innermost place on the chain of inlined calls whose file is not the
 * system's (core/owner.h), or the innermost of all. False: no place is known. */
struct pass_place {
	const char *file;
	unsigned file_bytes, line, column;
};
bool pass_place(LLVMValueRef instruction, struct pass_place *place);
void pass_field(FILE *to, const char *text, size_t bytes); /* a tab and the text, escaped as table.h says */

/* paths/counters.c: when clang has put its own counters in */
void counters_write(LLVMModuleRef module);

/* select.c: which functions are routines, which of them are profiled, and their call sites. */
void select_routines(struct program *p);
void select_sites(struct program *p);
bool select_matches(const char *patterns, const char *name);
bool select_is(const char *asked, const char *name); /* a linkage name, as it is or demangled, with or without its parameters */

/* edit.c: inserting calls to hooks. A struct hooks finds them by name; positions are instructions. */
struct editor {
	LLVMModuleRef module;
	LLVMBuilderRef builder;
	LLVMValueRef function; /* in which calls are inserted now */
	LLVMMetadataRef location;
	bool out_of_line; /* hooks are not inlined here */
};
void edit_begin(struct editor *e, LLVMModuleRef module);
void edit_function(struct editor *e, LLVMValueRef function);
LLVMValueRef edit_hook(struct editor *e, LLVMValueRef before, const char *hook, LLVMValueRef *arguments, unsigned count);
LLVMValueRef edit_u32(struct editor *e, unsigned value);
LLVMValueRef edit_number(struct editor *e, unsigned index);   /* the routine's number in the table of the whole object */
LLVMValueRef edit_row_u32(struct editor *e, unsigned row);    /* the same of a row of counters */
LLVMValueRef edit_row_number(struct editor *e, unsigned row); /* as 64 bits; built where the builder is */
LLVMValueRef edit_entry(LLVMValueRef function);               /* where an entry hook goes: behind the allocas */
/* where control comes back from a call or, by its normal way, from an invoke; NULL: nowhere */
LLVMValueRef edit_after(LLVMValueRef call);
LLVMValueRef edit_first(LLVMBasicBlockRef block); /* behind PHIs and the landing pad */
/* the return, resume or musttail call by which the block leaves its function, or NULL */
LLVMValueRef edit_leaves_at(LLVMBasicBlockRef block);
void edit_part_returns(struct editor *e, LLVMValueRef function);
bool edit_is_landing(LLVMBasicBlockRef block);
bool edit_has_attribute(LLVMValueRef call, const char *name); /* the call, or the function that it names */
const char *edit_marker(LLVMValueRef instruction);            /* scope, spawn, spawned or sync: a marker of Cilk; NULL: none */
bool edit_is_spawned(LLVMValueRef call);                      /* a spawn marker precedes it */
/* the call that a spawn marker precedes, or a spawned one follows; NULL: it is gone */
LLVMValueRef edit_call_of(LLVMValueRef marker);
void edit_forget(struct program *p); /* attributes that hooks make untrue */
void edit_inline_hooks(struct program *p);
void edit_end(struct editor *e);

/* keep.c, at the start of the link */
void keep_idle_functions(LLVMModuleRef module);
void keep_values(LLVMModuleRef module, LLVMValueRef *values, size_t count); /* also at its end */

/* parts.c */
void parts_rename(LLVMModuleRef module);

/* names.c: what became of each function between the two events. */
void names_note(LLVMModuleRef module);
void names_keep(LLVMModuleRef module);                                                         /* in the module, for a later event */
void names_write(const struct program *p, void (*more)(const struct program *p, FILE *table)); /* more: see lens.h; or NULL */

#endif
