/* SPDX-License-Identifier: MIT */
/* guess.c: guesses the caller of frames without a table: assembly without call frame information, generated code,
 * stubs that a linker does not describe. The calling convention leaves two hints: a return address stands behind a
 * call instruction, and code that keeps a frame pointer keeps it so that [FP] is the caller's and [FP + 8] the
 * return address. Tried in this order:
 *
 *     the end          code at an entry point, or the return address of a made-up context: the outermost frame
 *     a leaf           innermost frame only: the top of the stack, or one of the two words under it, returns behind a direct call that
 *                      goes to just before this address
 *     a frame pointer  it lies further up the stack, and its return address stands behind a call
 *     a small frame    the innermost one, or one of a file's code: one of the three words returns behind some call
 *
 * A guess may be wrong: from there on, memory is read only after asking the kernel. */
#include <string.h>
#include "arch/subject.h"
#include "unwind/memory.h"
#include "unwind/rule.h"

enum { ENTRY_BYTES = 128, LEAF_BYTES_MAX = 1 << 16, WORDS_MAX = 3 };

/* Does a call stand in front of this address? *target: where a direct one goes, or 0. */
static bool is_behind_call(uintptr_t ip, uintptr_t *target)
{
	unsigned char before[ARCH_CALL_BYTES_MAX + 1] = {0};
	*target = 0;
	if (ip < ARCH_PAGE_BYTES || ip >> ARCH_ADDRESS_BITS || !memory_copy(ip - ARCH_CALL_BYTES_MAX, before, ARCH_CALL_BYTES_MAX))
		return false;
	return arch_ends_with_call(before, ip, target);
}

/* Code rarely changes under a return address, and if it does, a guess is wrong: no more than that. */
static bool is_known_behind_call(struct unwind *u, uintptr_t ip)
{
	_Atomic uint64_t *known = &u->cache->calls[(ip ^ ip >> 9) % UNWIND_CALLS];
	uint64_t word = atomic_load_explicit(known, memory_order_relaxed);
	uintptr_t target;
	if (ip >> ARCH_ADDRESS_BITS || !ip)
		return false;
	if (word >> 1 != ip) {
		word = ip << 1 | is_behind_call(ip, &target);
		atomic_store_explicit(known, word, memory_order_relaxed);
	}
	return word & 1;
}

/* A return to the first byte of a function: the program put its address on a fresh stack. */
static bool is_made_up(struct unwind *u, const struct module *m)
{
	struct unwind_function f;
	return u->is_return && m && !is_known_behind_call(u, u->frame.ip) && table_find(&f, m, u->frame.ip, m->stays) &&
		f.start == u->frame.ip;
}

static bool is_end(struct unwind *u, const struct module *m)
{
	return (m && m->entry && u->frame.ip - m->entry < ENTRY_BYTES) || is_made_up(u, m);
}

static struct unwind_rule small(unsigned words)
{
	return (struct unwind_rule){.kind = KIND_PLAIN, .cfa_register = DWARF_SP, .cfa_offset = 8 * (int32_t)words, .deepest = 1};
}

/* How many words from the top of the stack on there are up to and with a return address, or 0. A function may have pushed a word, or made
 * room for one, as _init does; the head of a .plt that lld made, which has no table, pushes two. is_direct: the call must go to just before where u stands. */
static unsigned words_to_return(struct unwind *u, bool is_direct)
{
	uintptr_t ip, target;
	for (unsigned words = 1; words <= WORDS_MAX; words++) {
		if (!unwind_read(u, u->frame.sp + 8ul * (words - 1), &ip, sizeof ip) || !is_known_behind_call(u, ip))
			continue;
		if (!is_direct || (is_behind_call(ip, &target) && target && u->frame.ip - target < LEAF_BYTES_MAX))
			return words;
	}
	return 0;
}

static struct unwind_rule frame_pointer(void)
{
	return (struct unwind_rule){
		.kind = KIND_PLAIN, .cfa_register = DWARF_FP, .cfa_offset = 16, .restored = 1u << DWARF_FP, .saved = {0, 2}, .deepest = 2};
}

static bool has_frame_pointer(struct unwind *u)
{
	uintptr_t bp = u->registers[DWARF_FP], ip;
	if (!(u->known >> DWARF_FP & 1) || bp % 8 || bp < u->frame.sp)
		return false;
	bool is_on_stack = u->frame.sp >= u->stack_low && u->frame.sp < u->stack_high;
	if (is_on_stack && bp >= u->stack_high)
		return false;
	return unwind_read(u, bp + 8, &ip, sizeof ip) && is_known_behind_call(u, ip);
}

struct unwind_rule rule_guess(struct unwind *u, const struct module *m)
{
	unsigned words;
	if (is_end(u, m))
		return (struct unwind_rule){.kind = KIND_END};
	u->is_sure = false;
	if (!u->is_return && (words = words_to_return(u, true)))
		return small(words);
	if (has_frame_pointer(u))
		return frame_pointer();
	if ((!u->is_return || m) && (words = words_to_return(u, false)))
		return small(words);
	return (struct unwind_rule){.kind = KIND_LOST};
}
