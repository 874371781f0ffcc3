/* SPDX-License-Identifier: MIT */
/* thunk.h: a spawned call on its way into a function of its own; what the two files that do so tell each other.
 *
 * thunk_result.c  what takes the call's result: which instructions move into the thunk, and which go before the call
 * thunk.c         the thunk itself */
#ifndef SKEIN_PASS_THUNK_H
#define SKEIN_PASS_THUNK_H

#include "pass/pass.h"

#define THUNK_LINE_ROOM 256

enum thunk_fate { THUNK_STAYS, THUNK_MOVES_IN, THUNK_GOES_BEFORE };

struct spawned {
	LLVMValueRef call;
	LLVMValueRef line[THUNK_LINE_ROOM]; /* the instructions behind it */
	enum thunk_fate fate[THUNK_LINE_ROOM];
	unsigned count;
	LLVMValueRef *own; /* temporaries that become the thunk's */
	unsigned own_count;
	LLVMValueRef *from, *to; /* values of the caller and what stands for them in the thunk */
	unsigned mapped;
	LLVMValueRef *values; /* what is passed: first the call's arguments, which may be passed as copies, then the rest */
	unsigned value_count, argument_count;
	bool serial; /* the caller takes the result up behind the call */
};

/* Gives each instruction of the line its fate; if the result cannot move, it passes through a variable and the call is serial. */
void thunk_follow_result(struct spawned *s);
bool thunk_moves_in(const struct spawned *s, LLVMValueRef value);
bool thunk_owns(const struct spawned *s, LLVMValueRef pointer);

#endif
