/* SPDX-License-Identifier: MIT */
/* paths.h: what the files of the `paths` lens's part of the plugin tell each other.
 *
 * paths.c         the order of things
 * cfg.c     from LLVM's blocks to those of core/paths/body.h
 * tails.c   calls that are the last thing a function does
 * goto.c    several computed gotos
 * stops.c   calls that may not come back, and what calls reach
 * weights.c how often edges are passed, guessed or measured
 * measured.c what was measured
 * divide.c  which of several copies counts what
 * others.c  the same for a piece of a program: what it tells, and what it is told
 * only.c    only some paths of some functions
 * rows.c    which counters are in the object's table, and which in one of the function's own
 * shape.c   what the report must know (shape.h)
 * edit.c    the operations of a plan become code
 * place.c   a place in the code for each edge, also for those that LLVM does not split
 * frames.c  frames that may never end leave word of where they are
 * turns.c   functions that are counted in every k-th call
 *
 * The options, beside those of all lenses: COPIES=k, COPY=0…k-1 and SHARE=best, p3 or pbl; TURNS=1: functions may be
 * taken by turns; WEIGHTS, a file; ONLYPATHS, lines; and EDGES=1: a counter for each edge instead of paths, to hold
 * paths against. */
#ifndef SKEIN_PASS_PATHS_H
#define SKEIN_PASS_PATHS_H

#include "core/paths/body.h"
#include "pass/blocks.h"
#include "pass/pass.h"
#include "pass/returns.h"

/* Where the operations of an edge go. */
enum paths_spot_kind {
	PATHS_AT_SUCCESSOR, /* between a block and what its last instruction, `at`, leads to */
	PATHS_AT_LEAVE,     /* before `at`, by which the frame ends */
	PATHS_AT_AGAIN,     /* where a call returns again: `at` is the branch behind it, alone with what follows in a block of its own */
	PATHS_AT_ENTRY
};
struct paths_spot {
	LLVMValueRef at;
	unsigned successor;
	enum paths_spot_kind kind;
};

/* A block, and the calls in it that may not come back: what lies between counts as in them. */
struct paths_place {
	LLVMBasicBlockRef block;
	LLVMValueRef first_stop, last_stop;
};

/* What a copy counts of a function. */
struct paths_part {
	bool counts;
	const uint8_t *chosen; /* of arcs; NULL: all */
};

struct paths_taken {
	uint32_t *arcs;
	uint32_t length;
};

/* Paths by the names that reports have for them: numbers, or hashes where the function has 2^62 or more. */
struct paths_names {
	uint64_t *at;
	size_t count;
};

struct paths_routine {
	unsigned index; /* in the table */
	LLVMValueRef function;
	uint32_t blocks, edges;   /* edges: without the function's beginning */
	uint32_t agains;          /* the last of these edges: those where a call returns again */
	LLVMValueRef *again_call; /* the calls of these edges */
	struct paths_edge *edge;
	struct paths_spot *spot;   /* of edges, and of the beginning */
	struct paths_place *place; /* of blocks */
	LLVMValueRef reg;          /* the variable that is the register */
	LLVMValueRef *anchors;
	size_t anchor_count;
	uint8_t *stops;
	double *guessed, *passed;     /* of edges, and of the beginning; the same if nothing was measured */
	bool seen;                    /* the function is in the file of weights */
	double *counted;              /* counts of edges in that file, if it has the same edges; else NULL */
	struct paths_taken *executed; /* paths that were taken, by that file */
	size_t executed_count;
	struct paths_names before; /* paths that were taken, as far as they are only named */
	bool is_known;             /* `executed` and `before` are all paths that were taken */
	struct paths_names asked;  /* names of the paths that are asked for, if only some are */
	bool asked_new;            /* paths are asked for that were not executed before: all but `asked` */
	bool hashed;               /* names are hashes */
	struct paths_part *parts;  /* of copies */
	bool by_turns;
	LLVMBasicBlockRef plain; /* by turns: start of the uncounted body, if the body was doubled */
	LLVMValueRef entry_end;  /* by turns: the branch to the counted body */
	struct paths_graph graph;
	double *weights; /* of arcs */
	struct paths_plan plan;
	bool counts;           /* there is a plan */
	uint64_t keys;         /* counters that it can use, without those behind cuts */
	uint32_t first, array; /* rows of paths; no array: the routine has its own table */
	int64_t own;           /* the row that leads to the own table; -1: no own table */
	int64_t entry;         /* row that counts calls; -1: none */
};

struct paths_pass {
	struct program *p;
	struct editor e;
	struct paths_memory memory;
	struct paths_routine *routines;
	size_t count;
	enum paths_how how;
	unsigned copies, copy;
	bool edges;         /* EDGES=1 */
	const char *counts; /* the hook that finds the object's counters */
	bool measured;      /* there is a file of weights */
	struct returns returns;
	struct paths_callee *callees;
	LLVMValueRef *tails; /* calls that stay tail calls */
	size_t tail_count;
};

/* paths.c */
struct paths_pass *paths_begin(struct program *p); /* graphs and weights of all functions */

/* cfg.c */
void paths_cfg(struct paths_pass *s, struct paths_routine *r);
LLVMValueRef paths_leaves_at(LLVMBasicBlockRef block, bool *returns); /* before this instruction its path ends; NULL: it goes on */

/* tails.c */
void paths_tails(struct paths_pass *s, LLVMValueRef function);
LLVMValueRef paths_tail_before(LLVMValueRef last); /* the tail call that this follows, or NULL */

/* goto.c */
void paths_goto(struct paths_pass *s, LLVMValueRef function);

/* stops.c */
void paths_stops(struct paths_pass *s);
bool paths_may_stop(const struct paths_pass *s, LLVMValueRef instruction);
/* index in the program; -1: not there, or another may take its place */
int paths_routine_of(const struct paths_pass *s, LLVMValueRef function);

/* weights.c */
void paths_weigh(struct paths_pass *s);
double paths_passed_into(const struct paths_routine *r, uint32_t block);

/* measured.c */
bool paths_read_measured(struct paths_pass *s); /* false: nothing was measured */

/* others.c */
void paths_tell(struct program *p, FILE *to);
void paths_told(struct paths_pass *s);

/* divide.c, only.c: who counts what */
void paths_note(LLVMModuleRef module); /* at the start of the link: which functions are called from one place */
void paths_divide(struct paths_pass *s);
enum paths_how paths_how(void); /* as several copies are asked to divide */
void paths_only(struct paths_pass *s);

/* turns.c */
bool paths_part_turns(struct paths_pass *s, struct paths_routine *r); /* false: the function cannot be copied */

/* rows.c */
void paths_rows(struct paths_pass *s);

/* shape.c */
void paths_shape_write(const struct paths_pass *s);
void paths_shape_functions(const struct paths_pass *s, FILE *to); /* all but its last line */

/* place.c */
LLVMValueRef paths_place_of(struct paths_pass *s, struct paths_routine *r, uint32_t edge); /* what is inserted before it is on the edge */
LLVMValueRef paths_place_anchor(struct paths_pass *s, struct paths_routine *r, LLVMValueRef before);
void paths_place_end(struct paths_routine *r);
void paths_place_agains(struct paths_pass *s, struct paths_routine *r);                   /* once, before all others */
void paths_place_pads(struct paths_pass *s, struct paths_routine *r, const bool *wanted); /* before: landing pads for wanted edges */

/* edit.c */
struct paths_frame {
	/* variables, which the optimiser makes registers; counts: the object's rows; rows: those of the piece; mine: the frame's own place among
	 * open ones; own: the function's own table */
	LLVMValueRef reg, counts, rows, mine, own;
};
void paths_edit(struct paths_pass *s, struct paths_routine *r);
LLVMValueRef paths_u64(const struct paths_pass *s, uint64_t value);

/* frames.c */
void paths_frames(struct paths_pass *s, struct paths_routine *r, struct paths_frame *f);

#endif
