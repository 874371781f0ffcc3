/* SPDX-License-Identifier: MIT */
/* guess.c: frames that no table knows.
 *
 * Assembly without call frame information, code that the subject has generated, the stubs of a linker that describes none. What is left
 * is what the processor's habits leave: a return address stands behind a call instruction, and code that keeps a frame pointer keeps it
 * so that [rbp] is the caller's and [rbp + 8] the return address. Tried in this order:
 *
 *     the end          code at an entry point, or what a made-up context returns to: nobody called it
 *     a leaf           innermost frame only: the top of the stack, or the word under it, returns behind a direct call that goes to just
 *                      before
 *                      this address
 *     a frame pointer  rbp lies further up the stack, and its return address stands behind a call
 *     a small frame    the innermost one, or one of a file's code: one of the two words returns behind some call
 *
 * A guess is not sure: from there on nothing is read without asking the kernel first. */
#include <string.h>
#include "sample/unwind/memory.h"
#include "sample/unwind/rule.h"

enum { ENTRY_BYTES = 128, CALL_BYTES_MAX = 7, LEAF_BYTES_MAX = 1 << 16, WORDS_MAX = 2 };

/* How long an indirect call is whose second byte is `modrm` (and third `sib`), without prefixes; 0: it is no call. */
static unsigned indirect_call_bytes(unsigned modrm, unsigned sib)
{
	unsigned mode = modrm >> 6, base = modrm & 7;
	if ((modrm >> 3 & 7) != 2)
		return 0;
	if (mode == 3)
		return 2;
	unsigned bytes = base == 4 ? 3 : 2;
	if (mode == 1)
		return bytes + 1;
	if (mode == 2 || base == 5 || (base == 4 && (sib & 7) == 5))
		return bytes + 4;
	return bytes;
}

/* Does a call stand in front of this address? *target: where a direct one goes, or 0. */
static bool is_behind_call(uintptr_t ip, uintptr_t *target)
{
	unsigned char b[CALL_BYTES_MAX + 1] = {0};
	int32_t distance;
	*target = 0;
	if (ip < MEMORY_PAGE || ip >> 47 || !memory_copy(ip - CALL_BYTES_MAX, b, CALL_BYTES_MAX))
		return false;
	if (b[CALL_BYTES_MAX - 5] == 0xe8) {
		memcpy(&distance, &b[CALL_BYTES_MAX - 4], sizeof distance);
		*target = ip + (uintptr_t)(intptr_t)distance;
		return true;
	}
	for (unsigned bytes = 2; bytes <= CALL_BYTES_MAX; bytes++) {
		const unsigned char *call = &b[CALL_BYTES_MAX - bytes];
		if (call[0] == 0xff && indirect_call_bytes(call[1], call[2]) == bytes)
			return true;
	}
	return false;
}

/* Code rarely changes under a return address, and if it does, a guess is wrong: no more than that. */
static bool is_known_behind_call(struct unwind *u, uintptr_t ip)
{
	_Atomic uint64_t *known = &u->cache->calls[(ip ^ ip >> 9) % UNWIND_CALLS];
	uint64_t word = atomic_load_explicit(known, memory_order_relaxed);
	uintptr_t target;
	if (ip >> 47 || !ip)
		return false;
	if (word >> 1 != ip) {
		word = ip << 1 | is_behind_call(ip, &target);
		atomic_store_explicit(known, word, memory_order_relaxed);
	}
	return word & 1;
}

/* A return to the first byte of a function: somebody laid its address on a fresh stack. */
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
	return (struct unwind_rule){.kind = KIND_PLAIN, .cfa_register = DWARF_RSP, .cfa_offset = 8 * (int32_t)words, .deepest = 1};
}

/* How many words from the top of the stack on there are up to and with a return address, or 0. A function may have pushed a word, or made
 * room for one, as _init does. is_direct: the call must go to just before where u stands. */
static unsigned words_to_return(struct unwind *u, bool is_direct)
{
	uintptr_t ip, target;
	for (unsigned words = 1; words <= WORDS_MAX; words++) {
		if (!unwind_read(u, u->frame.sp + 8 * (words - 1), &ip, sizeof ip) || !is_known_behind_call(u, ip))
			continue;
		if (!is_direct || (is_behind_call(ip, &target) && target && u->frame.ip - target < LEAF_BYTES_MAX))
			return words;
	}
	return 0;
}

static struct unwind_rule frame_pointer(void)
{
	return (struct unwind_rule){.kind = KIND_PLAIN,
	                            .cfa_register = DWARF_RBP,
	                            .cfa_offset = 16,
	                            .restored = 1u << DWARF_RBP,
	                            .saved = {0, 2},
	                            .deepest = 2};
}

static bool has_frame_pointer(struct unwind *u)
{
	uintptr_t bp = u->registers[DWARF_RBP], ip;
	if (!(u->known >> DWARF_RBP & 1) || bp % 8 || bp < u->frame.sp)
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
