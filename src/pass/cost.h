/* SPDX-License-Identifier: MIT */
/* cost.h: the `insn` clock: what instructions and foreign functions cost, and which foreign functions return without
 * calling anything of the subject. */
#ifndef SKEIN_PASS_COST_H
#define SKEIN_PASS_COST_H

#include "pass/pass.h"

unsigned cost_of(LLVMValueRef instruction); /* 0 for what leaves no code */
enum cost_model {
	COST_ANY, /* of any foreign function: never in an answer of cost_price */
	COST_FIXED,
	COST_SIZE,
	COST_RESULT,
	COST_TEXT
};
enum { COST_FOREIGN = 64, COST_ALLOCATION = 48, COST_ARITHMETIC = 24, COST_SHORT = 8 };
struct cost_price {
	enum cost_model model;
	unsigned fixed;
	unsigned argument; /* the argument with the size or the text */
};
struct cost_price cost_price(const char *function);
bool cost_is_quiet(const char *function);

#endif
