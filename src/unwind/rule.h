/* SPDX-License-Identifier: MIT */
/* rule.h: rules in a few bytes, and the cache of them.
 *
 * A rule says where a frame ends (its CFA), where it keeps the registers that its caller wants back, and so where the caller is. Nearly all
 * that compilers write has one of two forms, which fit struct unwind_rule (unwind.h); the return address is at CFA - 8 in both:
 *
 *     KIND_PLAIN      CFA = a register + offset           registers are saved at CFA - 8 * saved
 *     KIND_REALIGNED  CFA = the word at FP + offset        registers are saved at FP + 8 - 8 * saved
 *
 * KIND_SLOW is any other: the tables are read each time. KIND_END has no caller, KIND_LOST one that cannot be found, and KIND_NONE is not
 * in any table: such a frame is guessed each time (rule_guess), with one of the other kinds as the result. */
#ifndef SKEIN_UNWIND_RULE_H
#define SKEIN_UNWIND_RULE_H

#include "unwind/table.h"
#include "unwind/unwind.h"

enum unwind_kind { KIND_PLAIN, KIND_REALIGNED, KIND_SLOW, KIND_END, KIND_LOST, KIND_NONE };

#define RULE_SP_BIT (1u << DWARF_SP)
#define RULE_FOLLOWED (RULE_SP_BIT | 1u << DWARF_FP | 1u << DWARF_RA) /* known in every frame */

/* All zero: nothing here. */
struct unwind_entry {
	_Atomic uint64_t tag; /* key (code address and generation), mixed with place and rule */
	_Atomic uint64_t place;
	_Atomic uint64_t rule[2]; /* a struct unwind_rule */
};

#define UNWIND_SETS 1024u
#define UNWIND_CALLS 512u
struct unwind_cache {
	_Alignas(
		ARCH_CACHE_LINE_BYTES) uintptr_t epoch; /* a key has only 15 bits of the generation: this has the others, for all entries */
	struct {
		_Alignas(ARCH_CACHE_LINE_BYTES) struct unwind_entry way[2];
	} set[UNWIND_SETS];
	_Atomic uint64_t calls[UNWIND_CALLS]; /* 2 * an address + whether a call stands in front of it; only guesses ask */
};
_Static_assert(sizeof(struct unwind_cache) == UNWIND_CACHE_BYTES, "unwind.h tells how much memory a cache needs");
_Static_assert(sizeof(struct unwind_rule) == 2 * sizeof(uint64_t), "it is stored as two words");
_Static_assert(sizeof(struct unwind_entry) == 32, "two share a cache line");

/* The rule at pc; u stands at the frame, since some expressions can be done with at once. */
struct unwind_rule rule_make(struct unwind *u, const struct module *m, uintptr_t pc);

/* KIND_SLOW: the CFA of the frame where u stands, or 0; and all registers and known as they are in its caller, or false. */
uintptr_t rule_slow_cfa(struct unwind *u);
bool rule_slow_leave(struct unwind *u, bool *is_signal_frame);

/* What to do with a frame that no table knows. m: its module or NULL. */
struct unwind_rule rule_guess(struct unwind *u, const struct module *m);

/* A word of a stack; *is_there becomes false where there is none. */
static inline uintptr_t rule_read(struct unwind *u, uintptr_t address, bool *is_there)
{
	uintptr_t word = 0;
	if (address % sizeof word || !unwind_read(u, address, &word, sizeof word))
		*is_there = false;
	return word;
}

#endif
