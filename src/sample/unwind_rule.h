/* SPDX-License-Identifier: MIT */
/* unwind_rule.h: rules in a few bytes, and the cache of them.
 *
 * A rule says where a frame ends (its CFA), where it keeps the registers that its caller wants back, and so where the caller is. Nearly all
 * that compilers write has one of two forms, which fit struct unwind_rule (unwind.h); the return address is at CFA - 8 in both:
 *
 *     KIND_PLAIN      CFA = a register + offset           registers are saved at CFA - 8 * saved
 *     KIND_REALIGNED  CFA = the word at rbp + offset       registers are saved at rbp + 8 - 8 * saved
 *
 * KIND_SLOW is any other: the tables are read each time. KIND_END has no caller, KIND_LOST one that cannot be found, and KIND_NONE is not
 * in any table: what such a frame is is guessed each time (rule_guess), and comes out as one of the others. */
#ifndef SKEIN_SAMPLE_UNWIND_RULE_H
#define SKEIN_SAMPLE_UNWIND_RULE_H

#include "sample/unwind.h"
#include "sample/unwind_table.h"

enum unwind_kind { KIND_PLAIN, KIND_REALIGNED, KIND_SLOW, KIND_END, KIND_LOST, KIND_NONE };

/* DWARF's numbers of those that a function gives back as they were, in the order of unwind_rule.saved. */
#define RULE_SAVED_LIST(X) X(0, 3) X(1, 6) X(2, 12) X(3, 13) X(4, 14) X(5, 15)
#define RULE_CALLEE_SAVED 0xf0c8u /* them and rsp, as bits */
#define RULE_RBP 1                /* index of rbp there */
#define RULE_RSP_BIT 0x80u
#define RULE_FOLLOWED 0x100c0u    /* rsp, rbp and the code address: known in every frame */

struct unwind_entry {
	uintptr_t key;  /* the code address and the generation; 0: nothing here */
	uint64_t place;
	struct unwind_rule rule;
};

#define UNWIND_SETS 1024u
#define UNWIND_CALLS 512u
struct unwind_cache {
	_Alignas(64) uintptr_t epoch; /* a key has only 15 bits of the generation: this has the others, for all entries */
	struct {
		_Alignas(64) struct unwind_entry way[2];
	} set[UNWIND_SETS];
	_Atomic uint64_t calls[UNWIND_CALLS]; /* 2 * an address + whether a call stands in front of it; only guesses ask */
};
_Static_assert(sizeof(struct unwind_cache) == UNWIND_CACHE_BYTES, "unwind.h tells how much memory a cache needs");
_Static_assert(sizeof(struct unwind_entry) == 32, "two share a cache line");

/* The rule at pc; u stands at the frame, since some expressions can be done with at once. */
struct unwind_rule rule_make(struct unwind *u, const struct module *m, uintptr_t pc);

/* What to do with a frame that no table knows. m: its module or NULL. */
struct unwind_rule rule_guess(struct unwind *u, const struct module *m);

#endif
