/* SPDX-License-Identifier: MIT */
/* unwind.c: walks the frames of a stack.
 *
 * Problem: some 40 frames, a thousand times a second, in a signal handler: only a few nanoseconds per frame.
 * Idea: what .eh_frame says about an address never changes while its module is there, and fits sixteen bytes. Each thread has a cache of
 * such rules, two to a cache line, by code address; with the rule it keeps the place, so that a step needs one look-up: it reads the
 * return address and the saved registers, finds the rule of the caller, and computes its CFA.
 * Cost: about 7 ns per frame when its rule is in the cache, some 600 ns when it is not
 * (build/tests/unwind/test_unwind time).
 *
 * Only its thread uses the cache, but a signal handler may walk while the thread itself does (unwind_here), and meet
 * an entry that is half written or half read. So an entry is stored with its key mixed with all else that is in it:
 * half of one fits no key.
 *
 * A walk cannot go in circles: the CFA of a caller lies above that of its callee. Only a signal frame may lead to another stack, and of
 * these there are SIGNALS_MAX at most. */
#include "unwind/unwind.h"

#include <stddef.h>
#include <string.h>
#include "arch/subject.h"
#include "unwind/rule.h"

enum { SIGNALS_MAX = 16 };
#define KEY_SHIFT 48
#define KEY_GENERATIONS 0x8000u
#define KEY_USED (UINT64_C(1) << 63) /* set in every key, so that no key is 0, not even that of address 0 */

/* ---- the cache ---- */

static struct unwind_entry *entries_of(struct unwind_cache *cache, uintptr_t pc)
{
	return cache->set[(pc ^ pc >> 10 ^ pc >> 20) % UNWIND_SETS].way;
}

/* The rule as two words. */
struct words {
	uint64_t low, high;
};

static inline uint64_t get(const _Atomic uint64_t *word)
{
	return atomic_load_explicit(word, memory_order_relaxed);
}

static inline void put(_Atomic uint64_t *word, uint64_t value)
{
	atomic_store_explicit(word, value, memory_order_relaxed);
}

/* All of an entry but its key, in one word. Products, because sums by XOR cancel: places of one module differ from each other by the
 * same bits as addresses do, so that the place of one entry would fit the rule of another. */
static inline uint64_t mix(uint64_t place, struct words rule)
{
	return place * UINT64_C(0x9e3779b97f4a7c15) + rule.low * UINT64_C(0xc2b2ae3d27d4eb4f) + rule.high * UINT64_C(0x165667b19e3779f9);
}

static inline bool entry_read(struct unwind *u, const struct unwind_entry *e, uintptr_t key)
{
	uint64_t place = get(&e->place);
	struct words rule = {get(&e->rule[0]), get(&e->rule[1])};
	if ((get(&e->tag) ^ mix(place, rule)) != key)
		return false;
	u->place = place;
	memcpy(&u->rule, &rule, sizeof u->rule);
	return true;
}

/* The newest entry comes first; the one that was there before it stays second. */
static void remember(struct unwind *u, uintptr_t pc, uint64_t place, const struct unwind_rule *rule)
{
	struct unwind_entry *way = entries_of(u->cache, pc);
	struct words words;
	memcpy(&words, rule, sizeof words);
	put(&way[1].tag, get(&way[0].tag));
	put(&way[1].place, get(&way[0].place));
	put(&way[1].rule[0], get(&way[0].rule[0]));
	put(&way[1].rule[1], get(&way[0].rule[1]));
	put(&way[0].tag, pc ^ u->key ^ mix(place, words));
	put(&way[0].place, place);
	put(&way[0].rule[0], words.low);
	put(&way[0].rule[1], words.high);
}

/* ---- arriving at a frame ---- */

static uintptr_t unusual_cfa(struct unwind *u);
static void guess(struct unwind *u);

static __attribute__((noinline)) void look_up(struct unwind *u)
{
	uintptr_t ip = u->frame.ip, pc = ip - u->is_return;
	struct module *m = pc >> ARCH_ADDRESS_BITS ? NULL : module_at(pc);
	u->place = module_place(m, ip);
	u->rule = (struct unwind_rule){.kind = KIND_NONE};
	if (module_is_context_end(ip))
		u->rule.kind = KIND_END;
	else if (m)
		u->rule = rule_make(u, m, pc);
	if (m)
		remember(u, pc, u->place - u->is_return, &u->rule);
}

static __attribute__((noinline)) void guess(struct unwind *u)
{
	bool has_module = u->place >> RAW_PLACE_SHIFT;
	u->rule = rule_guess(u, has_module ? module_at(u->frame.ip - u->is_return) : NULL);
}

static inline __attribute__((always_inline)) void arrive(struct unwind *u, uintptr_t ip, uintptr_t sp, uintptr_t bp, bool is_return)
{
	uintptr_t pc = ip - is_return, key = pc ^ u->key, cfa;
	const struct unwind_entry *way = entries_of(u->cache, pc);
	u->frame.ip = u->registers[DWARF_RA] = ip;
	u->frame.sp = u->registers[DWARF_SP] = sp;
	u->frame.bp = u->registers[DWARF_FP] = bp;
	u->is_return = is_return;
	if (__builtin_expect(entry_read(u, &way[0], key) || entry_read(u, &way[1], key), 1))
		u->place += is_return;
	else
		look_up(u);
	if (__builtin_expect(u->rule.kind == KIND_PLAIN && u->rule.cfa_register == DWARF_SP, 1))
		cfa = sp + (uintptr_t)(intptr_t)u->rule.cfa_offset;
	else if (u->rule.kind == KIND_PLAIN && u->rule.cfa_register == DWARF_FP)
		cfa = bp + (uintptr_t)(intptr_t)u->rule.cfa_offset;
	else
		cfa = unusual_cfa(u);
	u->frame.cfa = cfa > sp || u->rule.kind == KIND_SLOW ? cfa : 0;
}

/* ---- leaving it ---- */

/* Few rules ask for more than the stack and the frame pointer, so only these are followed, until one does. Then the walk is done again from its beginning
 * with all of them. */
static void follow_all(struct unwind *u)
{
	uint32_t steps = u->steps;
	if (u->is_full)
		return;
	u->is_full = true;
	u->known = u->began_known;
	u->steps = 0;
	memcpy(u->registers, u->began, sizeof u->registers);
	arrive(u, u->registers[DWARF_RA], u->registers[DWARF_SP], u->registers[DWARF_FP], u->began_at_return);
	while (u->steps < steps)
		if (unwind_step(u) != UNWIND_FRAME) {
			u->rule.kind = KIND_LOST;
			return;
		}
}

static __attribute__((noinline)) uintptr_t unusual_cfa(struct unwind *u)
{
	bool is_there = true;
	if (u->rule.kind == KIND_NONE)
		guess(u);
	const struct unwind_rule *rule = &u->rule;
	if (rule->kind == KIND_SLOW || (rule->kind == KIND_PLAIN && rule->cfa_register != DWARF_SP && rule->cfa_register != DWARF_FP))
		follow_all(u);
	uintptr_t base = u->registers[rule->cfa_register] + (uintptr_t)(intptr_t)rule->cfa_offset, cfa;
	switch (rule->kind) {
	case KIND_PLAIN: return u->known >> rule->cfa_register & 1 ? base : 0;
	case KIND_REALIGNED: cfa = rule_read(u, base, &is_there); return is_there ? cfa : 0;
	case KIND_SLOW: return rule_slow_cfa(u);
	default: return 0;
	}
}

static enum unwind_step move_on(struct unwind *u, uintptr_t ip, uintptr_t sp, bool is_return)
{
	if (!ip)
		return UNWIND_END;
	u->steps++;
	arrive(u, ip, sp, u->registers[DWARF_FP], is_return);
	return UNWIND_FRAME;
}

/* Return address and registers of a frame that may be on any stack, or on none. */
static bool careful_restore(struct unwind *u, uintptr_t base, uintptr_t *ip)
{
	bool is_there = true;
	*ip = rule_read(u, u->frame.cfa - 8, &is_there);
#define X(index, number)          \
	if (u->rule.saved[index]) \
		u->registers[number] = rule_read(u, base - 8ul * u->rule.saved[index], &is_there);
	ARCH_SAVED_LIST(X)
#undef X
	return is_there;
}

/* Any step but the commonest. */
static __attribute__((noinline)) enum unwind_step other_step(struct unwind *u)
{
	const struct unwind_rule *rule = &u->rule;
	uintptr_t cfa = u->frame.cfa, ip;
	bool is_signal_frame;
	if (rule->kind == KIND_SLOW) {
		if (!rule_slow_leave(u, &is_signal_frame) || (is_signal_frame && ++u->signals > SIGNALS_MAX))
			return UNWIND_LOST;
		return move_on(u, u->registers[DWARF_RA], u->registers[DWARF_SP], !is_signal_frame);
	}
	if (rule->kind > KIND_REALIGNED)
		return rule->kind == KIND_END ? UNWIND_END : UNWIND_LOST;
	if (!cfa || !careful_restore(u, rule->kind == KIND_REALIGNED ? u->registers[DWARF_FP] + 8 : cfa, &ip))
		return UNWIND_LOST;
	u->known |= rule->restored | RULE_SP_BIT;
	return move_on(u, ip, cfa, true);
}

enum unwind_step unwind_step(struct unwind *u)
{
	const struct unwind_rule *rule = &u->rule;
	uintptr_t cfa = u->frame.cfa, above = cfa - u->stack_low;
	bool is_inside = above <= u->stack_high - u->stack_low && above >= 8ul * rule->deepest;
	if (__builtin_expect(rule->kind != KIND_PLAIN || u->is_full || !is_inside || cfa & 7, 0))
		return other_step(u);
	uintptr_t ip = *(const uintptr_t *)(cfa - 8), bp = u->frame.bp;
	if (rule->saved[ARCH_SAVED_FP])
		bp = *(const uintptr_t *)(cfa - 8ul * rule->saved[ARCH_SAVED_FP]);
	if (__builtin_expect(!ip, 0))
		return UNWIND_END;
	u->known = RULE_FOLLOWED;
	u->steps++;
	arrive(u, ip, cfa, bp, true);
	return UNWIND_FRAME;
}

/* ---- beginning ---- */

static void prepare(struct unwind *u, struct unwind_cache *cache, uintptr_t stack_low, uintptr_t stack_high, uintptr_t sp)
{
	uintptr_t generation = modules_generation();
	if (cache->epoch != generation / KEY_GENERATIONS) {
		memset(cache, 0, sizeof *cache);
		cache->epoch = generation / KEY_GENERATIONS;
	}
	u->key = generation % KEY_GENERATIONS << KEY_SHIFT | KEY_USED;
	u->cache = cache;
	/* Below the stack pointer there may be pages that the stack has not grown into. */
	bool is_inside = sp >= stack_low && sp < stack_high;
	u->stack_low = is_inside && sp - ARCH_RED_ZONE_BYTES > stack_low ? sp - ARCH_RED_ZONE_BYTES : stack_low;
	u->stack_high = stack_high;
	u->good_page = UINTPTR_MAX;
	u->is_sure = modules_are_here;
	u->is_full = false;
	u->signals = 0;
	u->steps = 0;
}

/* The registers are in place. */
static void begin(struct unwind *u, bool is_return)
{
	u->began_known = u->known;
	u->began_at_return = is_return;
	memcpy(u->began, u->registers, sizeof u->began);
	arrive(u, u->registers[DWARF_RA], u->registers[DWARF_SP], u->registers[DWARF_FP], is_return);
}

void unwind_begin(struct unwind *u, struct unwind_cache *cache, uintptr_t stack_low, uintptr_t stack_high, const ucontext_t *context)
{
	arch_context_registers(context, u->registers);
	u->known = (1u << DWARF_REGISTERS) - 1;
	prepare(u, cache, stack_low, stack_high, u->registers[DWARF_SP]);
	begin(u, false);
}

void unwind_apart(struct unwind *u, struct unwind_cache *cache, const uintptr_t registers[DWARF_REGISTERS], uint32_t known)
{
	memcpy(u->registers, registers, sizeof u->registers);
	u->known = known;
	prepare(u, cache, 0, 0, u->registers[DWARF_SP]);
	begin(u, false);
}

void unwind_from(struct unwind *u, struct unwind_cache *cache, uintptr_t stack_low, uintptr_t stack_high, const struct arch_caller *caller);
void unwind_from(struct unwind *u, struct unwind_cache *cache, uintptr_t stack_low, uintptr_t stack_high, const struct arch_caller *caller)
{
	arch_caller_registers(caller, u->registers);
	u->known = ARCH_KEPT_BITS | 1u << DWARF_RA;
	prepare(u, cache, stack_low, stack_high, u->registers[DWARF_SP]);
	begin(u, true);
}

void unwind_above(struct unwind *u, struct unwind_cache *cache, uintptr_t stack_low, uintptr_t stack_high, uintptr_t frame)
{
	const uintptr_t *saved = (const uintptr_t *)frame;
	u->registers[DWARF_FP] = saved[0];
	u->registers[DWARF_SP] = frame + 2 * sizeof *saved;
	u->known = 1u << DWARF_FP | 1u << DWARF_SP | 1u << DWARF_RA;
	prepare(u, cache, stack_low, stack_high, u->registers[DWARF_SP]);
	u->registers[DWARF_RA] = saved[1];
	begin(u, true);
}

ARCH_CALL_WITH_CALLER(unwind_here, unwind_from);
