/* SPDX-License-Identifier: MIT */
/* table.h: what .eh_frame says about one code address.
 *
 *     struct unwind_function f;
 *     struct unwind_row row;
 *     if (table_find(&f, module, pc, is_direct) && table_row(&f, pc, &row)) …
 *
 * table_find looks up the function (FDE) in the sorted table of .eh_frame_hdr; table_row runs its program up to pc. is_direct: the module
 * cannot go away; otherwise every byte is read through the kernel. Tables that make no sense give false. Safe in signal handlers. */
#ifndef SKEIN_UNWIND_TABLE_H
#define SKEIN_UNWIND_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/subject.h"
#include "unwind/modules.h"

enum unwind_how {
	HOW_SAME, /* not touched */
	HOW_UNDEFINED,
	HOW_AT_CFA,        /* saved at CFA + value */
	HOW_IS_CFA,        /* is CFA + value */
	HOW_REGISTER,      /* is in register `value` */
	HOW_AT_EXPRESSION, /* saved where the expression says */
	HOW_IS_EXPRESSION
};

/* Where an expression stands: as distance from the function's FDE. */
struct unwind_row {
	int32_t value[DWARF_REGISTERS];
	uint8_t how[DWARF_REGISTERS];
	uint8_t cfa_register;
	bool cfa_is_expression;
	int32_t cfa_value; /* offset, or expression */
};

struct unwind_function {
	uintptr_t start, end;
	uintptr_t fde;
	uintptr_t first, first_end; /* program of the CIE */
	uintptr_t program, program_end;
	uint64_t code_align;
	int64_t data_align;
	bool is_signal_frame; /* the caller did not call, but was interrupted */
	bool is_direct;
};

bool table_find(struct unwind_function *f, const struct module *m, uintptr_t pc, bool is_direct);
bool table_row(const struct unwind_function *f, uintptr_t pc, struct unwind_row *row);

#endif
