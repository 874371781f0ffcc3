/* SPDX-License-Identifier: MIT */
/* slow.c: applies rules that do not fit a few bytes, by reading the tables each time: signal frames, return
 * addresses in registers, frames whose end only an expression tells. */
#include "unwind/expression.h"
#include "unwind/rule.h"

/* A register by any rule of DWARF's. False: its value is not known. */
static bool find_register(struct unwind *u, const struct unwind_function *f, const struct unwind_row *row, uintptr_t cfa, unsigned reg,
                          uintptr_t *value)
{
	uintptr_t offset = (uintptr_t)(intptr_t)row->value[reg], address;
	bool is_there = true;
	switch (row->how[reg]) {
	case HOW_SAME:
		*value = reg == DWARF_SP ? cfa : u->registers[reg];
		return reg == DWARF_SP || (reg != DWARF_RA && u->known >> reg & 1);
	case HOW_AT_CFA: *value = rule_read(u, cfa + offset, &is_there); return is_there;
	case HOW_IS_CFA: *value = cfa + offset; return true;
	case HOW_REGISTER:
		*value = offset < DWARF_REGISTERS ? u->registers[offset] : 0;
		return offset < DWARF_REGISTERS && u->known >> offset & 1;
	case HOW_AT_EXPRESSION:
		is_there = expression_value(u, f, f->fde + offset, &cfa, &address);
		*value = is_there ? rule_read(u, address, &is_there) : 0;
		return is_there;
	case HOW_IS_EXPRESSION: return expression_value(u, f, f->fde + offset, &cfa, value);
	default: return false;
	}
}

/* The tables' row for the frame where u stands; 0 or its CFA. */
static uintptr_t find_row(struct unwind *u, struct unwind_function *f, struct unwind_row *row)
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
	/* A function may have taken its return address off the stack (vfork, a landing exception), but only if it
	 * makes no calls. */
	return f->is_signal_frame || cfa > u->frame.sp || (cfa == u->frame.sp && !u->is_return) ? cfa : 0;
}

uintptr_t rule_slow_cfa(struct unwind *u)
{
	struct unwind_function f;
	struct unwind_row row;
	return find_row(u, &f, &row);
}

bool rule_slow_leave(struct unwind *u, bool *is_signal_frame)
{
	struct unwind_function f;
	struct unwind_row row;
	uintptr_t cfa = find_row(u, &f, &row), values[DWARF_REGISTERS];
	uint32_t known = 0;
	if (!cfa)
		return false;
	for (unsigned reg = 0; reg < DWARF_REGISTERS; reg++)
		if (find_register(u, &f, &row, cfa, reg, &values[reg]))
			known |= 1u << reg;
	for (unsigned reg = 0; reg < DWARF_REGISTERS; reg++)
		if (known >> reg & 1)
			u->registers[reg] = values[reg];
	u->known = known;
	*is_signal_frame = f.is_signal_frame;
	return known & RULE_SP_BIT && known >> DWARF_RA & 1;
}
