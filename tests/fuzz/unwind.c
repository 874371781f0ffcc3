/* SPDX-License-Identifier: MIT */
/* .eh_frame_hdr with .eh_frame behind it, as the sampler reads them in a signal handler. The bytes end where memory ends, so that
 * reading behind them is a fault. What is read directly and what is copied through the kernel must be the same. */
#include "fuzz/fuzz.h"

#include <sys/mman.h>
#include "unwind/expression.h"
#include "unwind/rule.h"

enum { ROOM = 1 << 16, WORDS = 64, MOST_FUNCTIONS = 8 };

static uintptr_t stack[WORDS];

/* The end of the memory that holds input; behind it there is none, nor before its beginning. */
static unsigned char *memory_end(void)
{
	static unsigned char *end;
	if (!end) {
		unsigned char *at = mmap(NULL, ROOM + 2 * ARCH_PAGE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (at == MAP_FAILED || mprotect(at + ARCH_PAGE_BYTES, ROOM, PROT_READ | PROT_WRITE) != 0)
			exit(1);
		end = at + ARCH_PAGE_BYTES + ROOM;
	}
	return end;
}

/* A walk that stands in the middle of a stack, every register pointing to some place in it. */
static struct unwind stand(void)
{
	struct unwind u = {.stack_low = (uintptr_t)stack,
	                   .stack_high = (uintptr_t)(stack + WORDS),
	                   .good_page = UINTPTR_MAX,
	                   .known = (1u << DWARF_REGISTERS) - 1,
	                   .is_sure = true};
	for (unsigned i = 0; i < WORDS; i++)
		stack[i] = (uintptr_t)(stack + i * 7 % WORDS);
	for (unsigned i = 0; i < DWARF_REGISTERS; i++)
		u.registers[i] = (uintptr_t)(stack + i);
	return u;
}

static void evaluate(const struct unwind_function *f, const struct unwind_row *row)
{
	struct unwind u = stand();
	uintptr_t cfa = (uintptr_t)(stack + WORDS / 2), value;
	if (row->cfa_is_expression)
		expression_value(&u, f, f->fde + (uintptr_t)(intptr_t)row->cfa_value, NULL, &value);
	for (unsigned reg = 0; reg < DWARF_REGISTERS; reg++)
		if (row->how[reg] == HOW_AT_EXPRESSION || row->how[reg] == HOW_IS_EXPRESSION)
			expression_value(&u, f, f->fde + (uintptr_t)(intptr_t)row->value[reg], &cfa, &value);
}

static void look_up(const struct module *m, uintptr_t pc)
{
	struct unwind_function direct, copied;
	struct unwind_row row, other;
	struct unwind u = stand();
	bool is_found = table_find(&direct, m, pc, true);
	fuzz_hold(table_find(&copied, m, pc, false) == is_found);
	if (is_found) {
		copied.is_direct = true;
		fuzz_hold(memcmp(&direct, &copied, sizeof direct) == 0);
		copied.is_direct = false;
		bool has_row = table_row(&direct, pc, &row);
		fuzz_hold(table_row(&copied, pc, &other) == has_row);
		fuzz_hold(!has_row || memcmp(&row, &other, sizeof row) == 0);
		if (has_row)
			evaluate(&direct, &row);
	}
	rule_make(&u, m, pc);
}

/* Asks for the functions that the header lists first: at their beginnings, and at two places behind them. */
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	enum { HEADER = 12, PAIR = 8 };
	if (size > ROOM)
		return 0;
	unsigned char *at = memory_end() - size;
	struct module m = {.number = 1, .start = (uintptr_t)at, .end = (uintptr_t)at + size, .eh_frame_hdr = at, .stays = true};
	if (size)
		memcpy(at, bytes, size);
	for (size_t i = 0; i < MOST_FUNCTIONS && HEADER + (i + 1) * PAIR <= size; i++) {
		int32_t start;
		memcpy(&start, at + HEADER + i * PAIR, sizeof start);
		for (unsigned further = 0; further < 24; further += 8)
			look_up(&m, (uintptr_t)at + (uintptr_t)(intptr_t)start + further);
	}
	return 0;
}
