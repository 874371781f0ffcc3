/* SPDX-License-Identifier: MIT */
/* expression.h: DWARF expressions in call frame information (DWARF 4, section 2.5 and 6.4).
 *
 *     uintptr_t value;
 *     if (expression_value(u, f, f->fde + row.cfa_value, NULL, &value)) …
 *
 * An expression may use the registers that are known in the frame, its code address (register 16), and memory, which is read by
 * unwind_read. One with an operation that compilers do not write there, or that does not end well, has no value. */
#ifndef SKEIN_UNWIND_EXPRESSION_H
#define SKEIN_UNWIND_EXPRESSION_H

#include "unwind/table.h"
#include "unwind/unwind.h"

/* first: what lies on the stack of values at the beginning (the CFA), or NULL. */
bool expression_value(struct unwind *u, const struct unwind_function *f, uintptr_t at, const uintptr_t *first, uintptr_t *value);

/* The commonest ones: a register plus an offset, or the word that is there. */
bool expression_is_simple(const struct unwind_function *f, uintptr_t at, unsigned *reg, int64_t *offset, bool *is_word_there);

#endif
