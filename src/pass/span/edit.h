/* SPDX-License-Identifier: MIT */
/* edit.h: one routine while its hooks are put in, and what the files that do so have in common.
 *
 * edit.c  contexts, blocks, markers, the beginning and the end
 * call.c  what goes around a call
 * turn.c  what goes around a parallel loop and its iterations
 * word.c  the small things: variables, loads and stores, the lane, rows */
#ifndef SKEIN_PASS_SPAN_EDIT_H
#define SKEIN_PASS_SPAN_EDIT_H

#include "pass/span/span.h"

enum bytes { FRAME, SCOPE, LOOP, FIGURES };

/* enum rt_call of rt/span/span.h */
enum { CALL = 0, SPAWN = 1, FOREIGN = 2, UNKNOWN = 4, ONCE = 8, TASK = 16, UNDER = 32, TASKLOOP = 64 };

struct context {
	LLVMValueRef n, frame;
	LLVMValueRef loop, loop_frame; /* of a loop; the latter in general ones only */
	LLVMValueRef opened;           /* variable of a loop of --under: an invocation that it has opened */
	bool general, leaf;
};

struct routine_edit {
	struct span_pass *s;
	struct editor *e;
	LLVMValueRef function;
	unsigned index;
	const struct span_facts *facts;
	struct span_tagged *loops;
	size_t loop_count;
	struct context *contexts;  /* [0] is the routine, [1 + k] loop k */
	LLVMValueRef entered;      /* variable of a routine of --under: an invocation that it has opened */
	LLVMValueRef outer, start; /* variables: figures found at entry; where a spawned child's entries begin */
	/* variables of a routine that measures itself: its lane, and the row of the site that called it */
	LLVMValueRef kept_lane, kept_row;
	bool *early;                 /* blocks before any call; NULL: the variables are set at the start */
	LLVMValueRef rows, lane;     /* in the block that is edited; NULL: not asked for yet */
	bool is_early;               /* in that block nothing has been called, nor will be */
	const struct site **by_call; /* sites sorted by their call */
	struct marked {
		LLVMValueRef marker;
		const struct site *site;
	} *marked; /* what each spawn and spawned marker belongs to */
	size_t marked_count;
	unsigned scopes; /* number of scopes so far */
};

#define HOOK(r, before, name, ...) \
	edit_hook((r)->e, before, name, (LLVMValueRef[]){__VA_ARGS__}, sizeof((LLVMValueRef[]){__VA_ARGS__}) / sizeof(LLVMValueRef))

/* word.c: `before` is the instruction before which something is inserted. */
LLVMTypeRef word_u64_type(struct routine_edit *r);
LLVMValueRef word_u64(struct routine_edit *r, uint64_t value);
LLVMValueRef word_u32(struct routine_edit *r, unsigned value);
LLVMValueRef word_variable(struct routine_edit *r, LLVMTypeRef type);
LLVMValueRef word_room_for(struct routine_edit *r, enum bytes what);
LLVMValueRef word_load_n(struct routine_edit *r, LLVMValueRef before, const struct context *c);
void word_store_n(struct routine_edit *r, LLVMValueRef before, const struct context *c, LLVMValueRef value);
LLVMValueRef word_load_frame(struct routine_edit *r, LLVMValueRef before, LLVMValueRef variable);
void word_store_frame(struct routine_edit *r, LLVMValueRef before, LLVMValueRef variable, LLVMValueRef frame);
LLVMValueRef word_frame(struct routine_edit *r, LLVMValueRef before, const struct context *c);
LLVMValueRef word_load_u32(struct routine_edit *r, LLVMValueRef before, LLVMValueRef variable);
void word_store_u32(struct routine_edit *r, LLVMValueRef before, LLVMValueRef variable, LLVMValueRef value);
void word_add_value(struct routine_edit *r, LLVMValueRef before, const struct context *c, LLVMValueRef value);
void word_add_cost(struct routine_edit *r, LLVMValueRef before, const struct context *c, unsigned *cost);
LLVMValueRef word_cost_by_size(struct routine_edit *r, LLVMValueRef before, LLVMValueRef size, unsigned fixed);
LLVMValueRef word_rows(struct routine_edit *r, LLVMValueRef before);
LLVMValueRef word_lane(struct routine_edit *r, LLVMValueRef before);
LLVMValueRef word_row(struct routine_edit *r, LLVMValueRef before);
void word_keep_row(struct routine_edit *r, LLVMValueRef before);
void word_new_block(struct routine_edit *r);
LLVMValueRef word_object(struct routine_edit *r);
/* The number of the routine's first site in the table of the whole object, and how many it has above that. */
LLVMValueRef word_what(struct routine_edit *r, LLVMValueRef before, uint32_t kind, LLVMValueRef cost); /* see skein_rt_span_call */
LLVMValueRef word_range(struct routine_edit *r, LLVMValueRef before);

/* call.c */
void site_measure(struct routine_edit *r, LLVMValueRef before, unsigned site, LLVMValueRef top, bool beyond);
LLVMValueRef site_begin_measure(struct routine_edit *r, LLVMValueRef before, unsigned site);
void site_event(struct routine_edit *r, const struct context *c, const struct site *site);
void site_begin_general(struct routine_edit *r, LLVMValueRef before, const struct context *c, unsigned site, unsigned kind,
                        LLVMValueRef cost, LLVMValueRef target); /* target: the pointer that is called; NULL: a function or a loop */

/* turn.c */
void loop_edit(struct routine_edit *r, size_t index);
void loop_classify(struct routine_edit *r, const struct span_tagged *loop, struct context *c);

/* edit.c */
const struct site *span_site_of(const struct routine_edit *r, LLVMValueRef instruction);

#endif
