/* SPDX-License-Identifier: MIT */
/* unwind.c: the walk.
 *
 * Problem: some 40 frames, a thousand times a second, in a signal handler: no more than a few nanoseconds a frame.
 * Idea: what .eh_frame says about an address never changes while its module is there, and fits sixteen bytes. Each thread has a cache of
 * such rules, two to a cache line, by code address; with the rule it keeps the place, so that a step needs one look-up: it reads the
 * return address and the saved registers, finds the rule of the caller, and computes its CFA.
 * Cost: about 6 ns a frame when its rule is in the cache, about 1 us when it is not.
 *
 * The cache is its thread's alone, but a signal handler may walk while the thread itself does (unwind_here). An entry is void while it is
 * written, and its key is looked at before and after it is read.
 *
 * A walk cannot go in circles: the CFA of a caller lies above that of its callee. Only a signal frame may lead to another stack, and of
 * these there are SIGNALS_MAX at most. */
#include "sample/unwind.h"

#include <stddef.h>
#include <string.h>
#include "sample/unwind_expression.h"
#include "sample/unwind_memory.h"
#include "sample/unwind_rule.h"

enum { SIGNALS_MAX = 16, RED_ZONE_BYTES = 128 };
#define KEY_SHIFT 48

static bool is_on_stack(const struct unwind *u, uintptr_t low, uintptr_t high)
{
	return low >= u->stack_low && high <= u->stack_high && low <= high;
}

bool unwind_read(struct unwind *u, uintptr_t address, void *to, size_t bytes)
{
	if (!is_on_stack(u, address, address + bytes)) {
		if (address + bytes < address)
			return false;
		for (uintptr_t page = address & -(uintptr_t)MEMORY_PAGE; page < address + bytes; page += MEMORY_PAGE) {
			if (page != u->good_page && !memory_is_there(page))
				return false;
			u->good_page = page;
		}
	}
	memcpy(to, (const void *)address, bytes);
	return true;
}

static uintptr_t read_word(struct unwind *u, uintptr_t address, bool *is_there)
{
	uintptr_t word = 0;
	if (address % sizeof word || !unwind_read(u, address, &word, sizeof word))
		*is_there = false;
	return word;
}

/* ---- the cache ---- */

static struct unwind_entry *entries_of(struct unwind_cache *cache, uintptr_t pc)
{
	return cache->set[(pc ^ pc >> 10 ^ pc >> 20) % UNWIND_SETS].way;
}

static void entry_write(struct unwind_entry *e, uintptr_t key, uint64_t place, struct unwind_rule rule)
{
	*(volatile uintptr_t *)&e->key = 0;
	atomic_signal_fence(memory_order_seq_cst);
	e->place = place;
	e->rule = rule;
	atomic_signal_fence(memory_order_seq_cst);
	*(volatile uintptr_t *)&e->key = key;
}

static inline bool entry_read(const struct unwind_entry *e, uintptr_t key, uint64_t *place, struct unwind_rule *rule)
{
	if (*(const volatile uintptr_t *)&e->key != key)
		return false;
	atomic_signal_fence(memory_order_seq_cst);
	*place = e->place;
	*rule = e->rule;
	atomic_signal_fence(memory_order_seq_cst);
	return *(const volatile uintptr_t *)&e->key == key;
}

/* The newest entry comes first; the one that was there before it stays second. */
static void remember(struct unwind *u, uintptr_t pc, uint64_t place, struct unwind_rule rule)
{
	struct unwind_entry *way = entries_of(u->cache, pc);
	struct unwind_entry old = way[0];
	entry_write(&way[1], old.key, old.place, old.rule);
	entry_write(&way[0], pc ^ u->key, place, rule);
}

/* ---- arriving at a frame ---- */

static uintptr_t slow_cfa(struct unwind *u);

static inline uintptr_t find_cfa(struct unwind *u)
{
	const struct unwind_rule *rule = &u->rule;
	uintptr_t base = u->registers[rule->cfa_register] + (uintptr_t)(intptr_t)rule->cfa_offset, cfa = 0;
	bool is_there = true;
	if (__builtin_expect(rule->kind == KIND_PLAIN, 1))
		cfa = base;
	else if (rule->kind == KIND_REALIGNED)
		cfa = read_word(u, base, &is_there);
	else if (rule->kind == KIND_SLOW)
		return slow_cfa(u);
	else
		return 0;
	return is_there && cfa > u->frame.sp && u->known >> rule->cfa_register & 1 ? cfa : 0;
}

static __attribute__((noinline)) void look_up(struct unwind *u)
{
	uintptr_t ip = u->frame.ip, pc = ip - u->is_return;
	struct module *m = pc >> 47 ? NULL : module_at(pc);
	u->place = module_place(m, ip);
	u->rule = (struct unwind_rule){.kind = KIND_NONE};
	if (module_is_context_end(ip))
		u->rule.kind = KIND_END;
	else if (m)
		u->rule = rule_make(u, m, pc);
	if (m)
		remember(u, pc, u->place - u->is_return, u->rule);
}

static __attribute__((noinline)) void guess(struct unwind *u)
{
	uintptr_t pc = u->frame.ip - u->is_return;
	u->rule = rule_guess(u, pc >> 47 ? NULL : module_at(pc));
}

static inline void arrive(struct unwind *u, uintptr_t ip, bool is_return)
{
	uintptr_t pc = ip - is_return, key = pc ^ u->key;
	const struct unwind_entry *way = entries_of(u->cache, pc);
	u->frame.ip = u->registers[DWARF_RA] = ip;
	u->frame.sp = u->registers[DWARF_RSP];
	u->frame.bp = u->registers[DWARF_RBP];
	u->is_return = is_return;
	if (entry_read(&way[0], key, &u->place, &u->rule) || entry_read(&way[1], key, &u->place, &u->rule))
		u->place += is_return;
	else
		look_up(u);
	if (__builtin_expect(u->rule.kind == KIND_NONE, 0))
		guess(u);
	u->frame.cfa = find_cfa(u);
}

/* ---- leaving it ---- */

/* A register by any rule of DWARF's. False: its value is not known. */
static bool slow_register(struct unwind *u, const struct unwind_function *f, const struct unwind_row *row, uintptr_t cfa, unsigned reg, uintptr_t *value)
{
	uintptr_t offset = (uintptr_t)(intptr_t)row->value[reg], address;
	bool is_there = true;
	switch (row->how[reg]) {
	case HOW_SAME:
		*value = reg == DWARF_RSP ? cfa : u->registers[reg];
		return reg == DWARF_RSP || (reg != DWARF_RA && u->known >> reg & 1);
	case HOW_AT_CFA:
		*value = read_word(u, cfa + offset, &is_there);
		return is_there;
	case HOW_IS_CFA:
		*value = cfa + offset;
		return true;
	case HOW_REGISTER:
		*value = offset < DWARF_REGISTERS ? u->registers[offset] : 0;
		return offset < DWARF_REGISTERS && u->known >> offset & 1;
	case HOW_AT_EXPRESSION:
		is_there = expression_value(u, f, f->fde + offset, &cfa, &address);
		*value = is_there ? read_word(u, address, &is_there) : 0;
		return is_there;
	case HOW_IS_EXPRESSION:
		return expression_value(u, f, f->fde + offset, &cfa, value);
	default:
		return false;
	}
}

/* The tables' row for the frame where u stands; 0 or its CFA. */
static uintptr_t slow_row(struct unwind *u, struct unwind_function *f, struct unwind_row *row)
{
	uintptr_t pc = u->frame.ip - u->is_return, cfa;
	const struct module *m = module_at(pc);
	if (!m || !table_find(f, m, pc, m->stays || u->is_sure) || !table_row(f, pc, row))
		return 0;
	if (row->cfa_is_expression) {
		if (!expression_value(u, f, f->fde + (uintptr_t)(intptr_t)row->cfa_value, NULL, &cfa))
			return 0;
	} else {
		if (!(u->known >> row->cfa_register & 1))
			return 0;
		cfa = u->registers[row->cfa_register] + (uintptr_t)(intptr_t)row->cfa_value;
	}
	return f->is_signal_frame || cfa > u->frame.sp ? cfa : 0;
}

static __attribute__((noinline)) uintptr_t slow_cfa(struct unwind *u)
{
	struct unwind_function f;
	struct unwind_row row;
	return slow_row(u, &f, &row);
}

static __attribute__((noinline)) enum unwind_step slow_step(struct unwind *u)
{
	struct unwind_function f;
	struct unwind_row row;
	uintptr_t cfa = slow_row(u, &f, &row), values[DWARF_REGISTERS];
	uint32_t known = 0;
	if (!cfa || (f.is_signal_frame && ++u->signals > SIGNALS_MAX))
		return UNWIND_LOST;
	for (unsigned reg = 0; reg < DWARF_REGISTERS; reg++)
		if (slow_register(u, &f, &row, cfa, reg, &values[reg]))
			known |= 1u << reg;
	if (!(known & RULE_RSP_BIT) || !(known >> DWARF_RA & 1))
		return UNWIND_LOST;
	for (unsigned reg = 0; reg < DWARF_REGISTERS; reg++)
		if (known >> reg & 1)
			u->registers[reg] = values[reg];
	u->known = f.is_signal_frame ? known : (known & RULE_CALLEE_SAVED) | 1u << DWARF_RA;
	if (!u->registers[DWARF_RA])
		return UNWIND_END;
	arrive(u, u->registers[DWARF_RA], !f.is_signal_frame);
	return UNWIND_FRAME;
}

/* As the quick way, for frames that are not on the stack that was given. */
static __attribute__((noinline)) bool careful_restore(struct unwind *u, uintptr_t base, uintptr_t *ip)
{
	bool is_there = true;
	*ip = read_word(u, u->frame.cfa - 8, &is_there);
#define X(index, number)                                                                                              \
	if (u->rule.saved[index])                                                                                       \
		u->registers[number] = read_word(u, base - 8u * u->rule.saved[index], &is_there);
	RULE_SAVED_LIST(X)
#undef X
	return is_there;
}

enum unwind_step unwind_step(struct unwind *u)
{
	const struct unwind_rule *rule = &u->rule;
	uintptr_t cfa = u->frame.cfa, base = cfa, ip;
	if (__builtin_expect(rule->kind > KIND_REALIGNED, 0))
		return rule->kind == KIND_SLOW ? slow_step(u) : rule->kind == KIND_END ? UNWIND_END : UNWIND_LOST;
	if (rule->kind == KIND_REALIGNED)
		base = u->registers[DWARF_RBP] + 8;
	if (__builtin_expect(is_on_stack(u, (base < cfa ? base : cfa) - 8u * rule->deepest - 8u, cfa) && !((cfa | base) & 7), 1)) {
		ip = *(const uintptr_t *)(cfa - 8);
#define X(index, number)                                                                                              \
	do {                                                                                                            \
		const uintptr_t *saved = (const uintptr_t *)(base - 8u * rule->saved[index]);                                 \
		u->registers[number] = *(rule->saved[index] ? saved : &u->registers[number]);                                 \
	} while (0);
		RULE_SAVED_LIST(X)
#undef X
	} else if (!cfa || !careful_restore(u, base, &ip)) {
		return UNWIND_LOST;
	}
	u->registers[DWARF_RSP] = cfa;
	u->known = (u->known & RULE_CALLEE_SAVED) | rule->restored | RULE_RSP_BIT | 1u << DWARF_RA;
	if (!ip)
		return UNWIND_END;
	arrive(u, ip, true);
	return UNWIND_FRAME;
}

/* ---- beginning ---- */

static void prepare(struct unwind *u, struct unwind_cache *cache, uintptr_t stack_low, uintptr_t stack_high, uintptr_t sp)
{
	uintptr_t generation = modules_generation();
	if (cache->epoch != generation >> 16) {
		memset(cache, 0, sizeof *cache);
		cache->epoch = generation >> 16;
	}
	u->key = (generation & 0xffff) << KEY_SHIFT;
	u->cache = cache;
	/* Below the stack pointer there may be pages that the stack has not grown into. */
	bool is_inside = sp >= stack_low && sp < stack_high;
	u->stack_low = is_inside && sp - RED_ZONE_BYTES > stack_low ? sp - RED_ZONE_BYTES : stack_low;
	u->stack_high = stack_high;
	u->good_page = 0;
	u->is_sure = true;
	u->signals = 0;
}

void unwind_begin(struct unwind *u, struct unwind_cache *cache, uintptr_t stack_low, uintptr_t stack_high, const ucontext_t *context)
{
	static const uint8_t numbers[DWARF_REGISTERS] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8, REG_R9,
	                                                 REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
	for (unsigned i = 0; i < DWARF_REGISTERS; i++)
		u->registers[i] = (uintptr_t)context->uc_mcontext.gregs[numbers[i]];
	u->known = (1u << DWARF_REGISTERS) - 1;
	prepare(u, cache, stack_low, stack_high, u->registers[DWARF_RSP]);
	arrive(u, u->registers[DWARF_RA], false);
}

/* What unwind_here finds in the processor, in the order in which it pushes it. */
struct caller {
	uintptr_t r15, r14, r13, r12, rbp, rbx, rip;
};

void unwind_from(struct unwind *u, struct unwind_cache *cache, uintptr_t stack_low, uintptr_t stack_high, const struct caller *caller);
void unwind_from(struct unwind *u, struct unwind_cache *cache, uintptr_t stack_low, uintptr_t stack_high, const struct caller *caller)
{
	u->registers[3] = caller->rbx;
	u->registers[DWARF_RBP] = caller->rbp;
	u->registers[DWARF_RSP] = (uintptr_t)(caller + 1);
	u->registers[12] = caller->r12;
	u->registers[13] = caller->r13;
	u->registers[14] = caller->r14;
	u->registers[15] = caller->r15;
	u->known = RULE_CALLEE_SAVED | 1u << DWARF_RA;
	prepare(u, cache, stack_low, stack_high, u->registers[DWARF_RSP]);
	arrive(u, caller->rip, true);
}

/* In assembly, so that the registers are still those of the caller. */
__asm__(
	".pushsection .text\n"
	".globl unwind_here\n"
	".hidden unwind_here\n"
	".hidden unwind_from\n"
	".type unwind_here, @function\n"
	"unwind_here:\n"
	"	.cfi_startproc\n"
	"	pushq %rbx\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq %rbp\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq %r12\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq %r13\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq %r14\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	pushq %r15\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	movq %rsp, %r8\n"
	"	subq $8, %rsp\n" /* calls want it a multiple of 16 */
	"	.cfi_adjust_cfa_offset 8\n"
	"	call unwind_from\n"
	"	addq $56, %rsp\n"
	"	.cfi_adjust_cfa_offset -56\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size unwind_here, . - unwind_here\n"
	".popsection\n");
