/* SPDX-License-Identifier: MIT */
/* test_tables.c: .eh_frame and DWARF expressions against slow and obvious readings of them.
 *
 * Which function an address belongs to: all of .eh_frame is walked from its beginning. What an expression is worth: it
 * is made from a random tree, whose value is worked out while it is made. What is read directly and what is copied
 * through the kernel must be the same. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>
#include "unwind/bytes.h"
#include "unwind/expression.h"
#include "unwind/memory.h"

/* ---- which function ---- */

static int32_t read_i32(const unsigned char *at)
{
	int32_t value;
	memcpy(&value, at, sizeof value);
	return value;
}

/* The start of the FDE that has pc, or 0. Only libc's kind: addresses are four bytes, relative to where they stand. */
static uintptr_t slow_find(const struct module *m, uintptr_t pc, uintptr_t *end)
{
	const unsigned char *header = m->eh_frame_hdr;
	const unsigned char *at = header + 4 + read_i32(header + 4);
	for (uint32_t length; (length = (uint32_t)read_i32(at)) != 0; at += 4 + length) {
		if (read_i32(at + 4) == 0)
			continue;
		uintptr_t start = (uintptr_t)(at + 8) + (uintptr_t)(intptr_t)read_i32(at + 8);
		*end = start + (uint32_t)read_i32(at + 12);
		if (pc >= start && pc < *end)
			return start;
	}
	return 0;
}

static void functions_are_those_that_a_walk_over_all_finds(void **state)
{
	(void)state;
	struct module *m = module_at((uintptr_t)qsort);
	int found = 0, not_found = 0;
	assert_non_null(m);
	srand(1);
	for (int i = 0; i < 2000; i++) {
		/* libc's code lies around qsort; some of it is padding between functions. */
		uintptr_t pc = (uintptr_t)qsort - 100000 + (uintptr_t)(rand() % 1000000), end = 0, start = slow_find(m, pc, &end);
		struct unwind_function direct, copied;
		assert_int_equal(table_find(&direct, m, pc, true), start != 0);
		assert_int_equal(table_find(&copied, m, pc, false), start != 0);
		start ? found++ : not_found++;
		if (!start)
			continue;
		assert_true(direct.start == start && direct.end == end);
		copied.is_direct = true;
		assert_memory_equal(&direct, &copied, sizeof direct);
	}
	assert_true(found > 100 && not_found > 10);
}

static void rows_are_the_same_read_directly_and_through_the_kernel(void **state)
{
	(void)state;
	struct module *m = module_at((uintptr_t)qsort);
	srand(2);
	for (int i = 0; i < 1000; i++) {
		uintptr_t pc = (uintptr_t)qsort - 100000 + (uintptr_t)(rand() % 1000000);
		struct unwind_function f;
		struct unwind_row direct, copied;
		if (!table_find(&f, m, pc, true))
			continue;
		bool is_there = table_row(&f, pc, &direct);
		f.is_direct = false;
		assert_int_equal(table_row(&f, pc, &copied), is_there);
		if (is_there)
			assert_memory_equal(&direct, &copied, sizeof direct);
	}
}

/* Tables with any byte changed, or cut off, are refused or wrong, but never read outside. */
static void broken_tables_do_no_harm(void **state)
{
	(void)state;
	unsigned char *page = mmap(NULL, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(page + 4096, 4096, PROT_READ | PROT_WRITE);
	struct module *libc = module_at((uintptr_t)qsort);
	struct unwind_function f;
	struct unwind_row row;
	assert_true(table_find(&f, libc, (uintptr_t)qsort, true));
	struct module m = {.number = 1, .start = (uintptr_t)page + 4096, .end = (uintptr_t)page + 2 * 4096, .eh_frame_hdr = page + 4096};
	srand(3);
	for (int i = 0; i < 50000; i++) {
		/* header, one entry; a CIE at 64, the FDE at 128 or near the end of the page */
		unsigned char *base = page + 4096;
		int32_t fde = i % 2 ? 128 : 4096 - 24, words[] = {1 | 0x1b << 8 | 0x03 << 16 | 0x3b << 24, 60, 1, 1024, fde};
		static const unsigned char cie[] = {20, 0,    0,  0, 0,    0,    0, 0, 1,    'z', 'R', 0,
		                                    1,  0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1,   0,   0};
		int32_t head[] = {20, fde + 4 - 64, 1024 - (fde + 8), 256};
		static const unsigned char program[] = {0, 0x41, 0x0e, 16, 0x86, 2, 0, 0};
		memcpy(base, words, sizeof words);
		memcpy(base + 64, cie, sizeof cie);
		memcpy(base + fde, head, sizeof head);
		memcpy(base + fde + 16, program, sizeof program);
		if (i < 2) {
			assert_true(table_find(&f, &m, (uintptr_t)base + 1024 + 10, true) &&
			            table_row(&f, (uintptr_t)base + 1024 + 10, &row));
			assert_true(row.cfa_value == 16 && row.how[DWARF_FP] == HOW_AT_CFA && row.value[DWARF_FP] == -16);
		}
		for (int changes = rand() % 4; changes >= 0; changes--) {
			int where = rand() % 3;
			(where == 0           ? base
			         : where == 1 ? base + 64
			                      : base + fde)[rand() % 24] = (unsigned char)(rand() % 3 ? rand() : 0xff);
		}
		uintptr_t pc = (uintptr_t)base + 1024 + (uintptr_t)(rand() % 256);
		if (table_find(&f, &m, pc, rand() % 8 != 0))
			table_row(&f, pc, &row);
	}
	munmap(page, 3 * 4096);
}

/* ---- expressions ---- */

static struct {
	unsigned char code[4096];
	size_t count;
} out;
static struct unwind walk;
static uintptr_t memory[8];

static void emit(unsigned byte)
{
	out.code[out.count++] = (unsigned char)byte;
}

static void emit_fixed(uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		emit((unsigned)(value >> 8 * i) & 255);
}

static void emit_uleb(uint64_t value)
{
	for (; value >= 128; value >>= 7)
		emit((unsigned)value | 128);
	emit((unsigned)value);
}

static void emit_sleb(int64_t value)
{
	for (; value < -64 || value > 63; value >>= 7)
		emit(((unsigned)value & 127) | 128);
	emit((unsigned)value & 127);
}

static uint64_t random64(void)
{
	return ((uint64_t)rand() << 33 ^ (uint64_t)rand() << 11 ^ (uint64_t)rand()) >> rand() % 64;
}

static uintptr_t make_leaf(void)
{
	uint64_t value = random64();
	unsigned n = (unsigned)rand();
	switch (n % 12) {
	case 0: emit(0x30 + (unsigned)value % 32); return value % 32;
	case 1:
		emit(0x08);
		emit_fixed(value, 1);
		return (uint8_t)value;
	case 2:
		emit(0x09);
		emit_fixed(value, 1);
		return (uintptr_t)(int8_t)value;
	case 3:
		emit(0x0a);
		emit_fixed(value, 2);
		return (uint16_t)value;
	case 4:
		emit(0x0b);
		emit_fixed(value, 2);
		return (uintptr_t)(int16_t)value;
	case 5:
		emit(0x0c);
		emit_fixed(value, 4);
		return (uint32_t)value;
	case 6:
		emit(0x0d);
		emit_fixed(value, 4);
		return (uintptr_t)(int32_t)value;
	case 7:
		emit(0x0e);
		emit_fixed(value, 8);
		return value;
	case 8:
		emit(0x10);
		emit_uleb(value);
		return value;
	case 9:
		emit(0x11);
		emit_sleb((int64_t)(value - (value << 1)));
		return value - (value << 1);
	case 10:
		n = n / 12 % DWARF_REGISTERS;
		emit(0x70 + n);
		emit_sleb((int32_t)value);
		return walk.registers[n] + (uintptr_t)(int32_t)value;
	default:
		n = n / 12 % 8;
		emit(0x03);
		emit_fixed((uintptr_t)&memory[n], 8);
		emit(0x06);
		return memory[n];
	}
}

static uintptr_t make(int depth)
{
	if (depth == 0 || rand() % 8 == 0)
		return make_leaf();
	uintptr_t a = make(depth - 1), b;
	switch (rand() % 5) {
	case 0: emit(0x1f); return -a;
	case 1: emit(0x20); return ~a;
	case 2:
		b = random64();
		emit(0x23);
		emit_uleb(b);
		return a + b;
	case 3:
		emit(0x12);
		emit(0x22);
		return 2 * a;
	default: break;
	}
	b = make(depth - 1);
	switch (rand() % 16) {
	case 0: emit(0x1a); return a & b;
	case 1: emit(0x1c); return a - b;
	case 2: emit(0x1e); return a * b;
	case 3: emit(0x21); return a | b;
	case 4: emit(0x22); return a + b;
	case 5: emit(0x27); return a ^ b;
	case 6:
		emit(0x08);
		emit(60);
		emit(0x25);
		emit(0x24);
		return a << (b >> 60);
	case 7:
		emit(0x08);
		emit(60);
		emit(0x25);
		emit(0x26);
		return (uintptr_t)((intptr_t)a >> (b >> 60));
	case 8: emit(0x29); return a == b;
	case 9: emit(0x2a); return (intptr_t)a >= (intptr_t)b;
	case 10: emit(0x2b); return (intptr_t)a > (intptr_t)b;
	case 11: emit(0x2d); return (intptr_t)a < (intptr_t)b;
	case 12:
		emit(0x16);
		emit(0x1c);
		return b - a; /* swap, minus */
	case 13:
		emit(0x14);
		emit(0x1c);
		emit(0x22);
		return b - a + a;      /* over, minus, plus */
	case 14: emit(0x13); return a; /* drop */
	default:
		emit(0x2f);
		emit_fixed(1, 2);
		emit(0xff);
		emit(0x2e);
		return a != b; /* skip over what is no operation */
	}
}

static void expressions_are_worth_what_their_trees_are(void **state)
{
	(void)state;
	srand(5);
	for (unsigned i = 0; i < 8; i++)
		memory[i] = random64();
	for (int round = 0; round < 20000; round++) {
		for (unsigned i = 0; i < DWARF_REGISTERS; i++)
			walk.registers[i] = random64();
		walk.known = (1u << DWARF_REGISTERS) - 1;
		out.count = 2; /* the length, as two bytes */
		uintptr_t expected = make(6), value = 0;
		size_t length = out.count - 2;
		out.code[0] = (unsigned char)(length | 128);
		out.code[1] = (unsigned char)(length >> 7);
		struct unwind_function f = {.fde = (uintptr_t)out.code,
		                            .program = (uintptr_t)out.code,
		                            .program_end = (uintptr_t)out.code + out.count,
		                            .is_direct = round % 50 != 0};
		if (length >= 128 << 7)
			continue;
		if (expression_value(&walk, &f, f.fde, NULL, &value))
			assert_true(value == expected);
		else
			assert_true(length > 200); /* more operations than any table has */
	}
}

static void unknown_registers_and_absent_memory_have_no_value(void **state)
{
	(void)state;
	static const unsigned char cases[][4] = {{2, 0x73, 0}, {2, 0x30, 0x06}, {1, 0x22}, {1, 0xf0}, {0}, {3, 0x2f, 0xff, 0x7f}};
	walk.known = 1u << DWARF_SP;
	walk.good_page = UINTPTR_MAX;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uintptr_t at = (uintptr_t)cases[i], value;
		struct unwind_function f = {.fde = at, .program = at, .program_end = at + 4, .is_direct = true};
		assert_false(expression_value(&walk, &f, at, NULL, &value));
	}
}

int main(void)
{
	modules_start();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_those_that_a_walk_over_all_finds),
		cmocka_unit_test(rows_are_the_same_read_directly_and_through_the_kernel),
		cmocka_unit_test(broken_tables_do_no_harm),
		cmocka_unit_test(expressions_are_worth_what_their_trees_are),
		cmocka_unit_test(unknown_registers_and_absent_memory_have_no_value),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
