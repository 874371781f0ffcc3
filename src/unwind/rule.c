/* SPDX-License-Identifier: MIT */
/* rule.c: turns a row of the tables into a rule. */
#include "unwind/rule.h"

#include "unwind/expression.h"

static const uint8_t saved_registers[ARCH_SAVED] = {
#define X(index, number) number,
	ARCH_SAVED_LIST(X)
#undef X
};

/* Saved at base - 8 * n for an n that fits a byte? */
static bool save(struct unwind_rule *rule, unsigned index, int64_t below)
{
	if (below <= 0 || below % 8 || below / 8 > 255)
		return false;
	rule->saved[index] = (uint8_t)(below / 8);
	rule->restored |= (uint16_t)(1u << saved_registers[index]);
	if (rule->saved[index] > rule->deepest)
		rule->deepest = rule->saved[index];
	return true;
}

static bool is_usual(const struct unwind_row *row)
{
	return row->how[DWARF_RA] == HOW_AT_CFA && row->value[DWARF_RA] == -8 && row->how[DWARF_SP] == HOW_SAME;
}

static bool plain_saves(struct unwind_rule *rule, const struct unwind_row *row)
{
	for (unsigned i = 0; i < ARCH_SAVED; i++) {
		unsigned reg = saved_registers[i];
		if (row->how[reg] != HOW_SAME && (row->how[reg] != HOW_AT_CFA || !save(rule, i, -(int64_t)row->value[reg])))
			return false;
	}
	return true;
}

static bool realigned_saves(struct unwind_rule *rule, const struct unwind_function *f, const struct unwind_row *row)
{
	for (unsigned i = 0; i < ARCH_SAVED; i++) {
		unsigned reg = saved_registers[i], base;
		int64_t offset;
		bool is_word_there;
		if (row->how[reg] == HOW_SAME)
			continue;
		if (row->how[reg] != HOW_AT_EXPRESSION ||
		    !expression_is_simple(f, f->fde + (uintptr_t)(intptr_t)row->value[reg], &base, &offset, &is_word_there))
			return false;
		if (base != DWARF_FP || is_word_there || !save(rule, i, 8 - offset))
			return false;
	}
	return true;
}

/* The linker's expression for .plt depends on the stack pointer and on the code address, which is the same whenever the rule is used:
 * at one address it is the stack pointer plus an offset. Two stack pointers are tried to check this. */
static bool is_stack_pointer_plus(struct unwind *u, const struct unwind_function *f, uintptr_t at, int64_t *offset)
{
	uintptr_t sp = u->registers[DWARF_SP], known = u->known, one, two;
	u->known = RULE_SP_BIT | 1u << DWARF_RA;
	bool is_there = expression_value(u, f, at, NULL, &one);
	u->registers[DWARF_SP] = sp + 1048;
	is_there = is_there && expression_value(u, f, at, NULL, &two) && two - one == 1048;
	u->registers[DWARF_SP] = sp;
	u->known = (uint32_t)known;
	*offset = is_there ? (int64_t)(one - sp) : 0;
	return is_there && *offset > 0 && *offset < 4096;
}

static struct unwind_rule of_kind(enum unwind_kind kind)
{
	return (struct unwind_rule){.kind = (uint8_t)kind, .deepest = 1 /* the return address */};
}

static struct unwind_rule with_expression(struct unwind *u, const struct unwind_function *f, const struct unwind_row *row)
{
	struct unwind_rule rule = of_kind(KIND_PLAIN);
	uintptr_t at = f->fde + (uintptr_t)(intptr_t)row->cfa_value;
	unsigned reg;
	int64_t offset;
	bool is_word_there;
	if (expression_is_simple(f, at, &reg, &offset, &is_word_there) && is_word_there && reg == DWARF_FP && offset == (int32_t)offset) {
		rule.kind = KIND_REALIGNED;
		rule.cfa_register = DWARF_FP;
		rule.cfa_offset = (int32_t)offset;
		return realigned_saves(&rule, f, row) ? rule : of_kind(KIND_SLOW);
	}
	if (!is_stack_pointer_plus(u, f, at, &offset))
		return of_kind(KIND_SLOW);
	rule.cfa_register = DWARF_SP;
	rule.cfa_offset = (int32_t)offset;
	return plain_saves(&rule, row) ? rule : of_kind(KIND_SLOW);
}

struct unwind_rule rule_make(struct unwind *u, const struct module *m, uintptr_t pc)
{
	struct unwind_function f;
	struct unwind_row row;
	if (!table_find(&f, m, pc, m->stays || u->is_sure) || !table_row(&f, pc, &row))
		return of_kind(KIND_NONE);
	if (row.how[DWARF_RA] == HOW_UNDEFINED)
		return of_kind(KIND_END);
	if (f.is_signal_frame || !is_usual(&row))
		return of_kind(KIND_SLOW);
	if (row.cfa_is_expression)
		return with_expression(u, &f, &row);
	struct unwind_rule rule = of_kind(KIND_PLAIN);
	rule.cfa_register = row.cfa_register;
	rule.cfa_offset = row.cfa_value;
	return plain_saves(&rule, &row) ? rule : of_kind(KIND_SLOW);
}
