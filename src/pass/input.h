/* SPDX-License-Identifier: MIT */
/* input.h: what the files of the `input` lens tell each other.
 *
 * The plan: CELL=log2 of a cell's bytes (2), COST=instructions (else basic blocks), LOCKS=1 (atomic operations that synchronise are input, too). */
#ifndef SKEIN_PASS_INPUT_H
#define SKEIN_PASS_INPUT_H

#include "pass/pass.h"

struct input_pass {
	struct program *p;
	struct editor e;
	unsigned cell_log2;
	bool instructions;     /* cost is counted in these */
	bool locks;
	LLVMValueRef me, mine; /* of the routine that is edited: the thread, and its frame */
	LLVMValueRef from;     /* where it was called from, or NULL */
	LLVMValueRef counter;  /* cost that the thread has not been told of */
};

/* input_access.c: which instructions access memory that others can know of. */
enum input_what {
	INPUT_READ, INPUT_WRITE,    /* a load, a store */
	INPUT_READ_RANGE, INPUT_WRITE_RANGE, /* of an intrinsic that copies or fills */
	INPUT_MASKED,               /* a masked or gathering intrinsic */
	INPUT_SYNC,                 /* behind it the thread syncs */
	INPUT_SYNC_FIRST,           /* before it */
	INPUT_VA_START, INPUT_VA_COPY
};
struct input_spot {
	LLVMValueRef at;
	enum input_what what;
	LLVMValueRef pointer, length; /* of ranges */
};
struct input_spots {
	struct input_spot *at;
	size_t count;
};
void input_find(const struct input_pass *s, LLVMValueRef function, struct input_spots *spots);
void input_edit_access(struct input_pass *s, const struct input_spot *spot);

/* input_models.c: what functions without hooks do to memory. */
bool input_is_quiet(LLVMValueRef call);               /* it neither synchronises nor calls back with other threads' values */
void input_edit_model(struct input_pass *s, LLVMValueRef call); /* inserts what is known of it */

LLVMValueRef input_u64(const struct input_pass *s, unsigned long long value);

#endif
