/* SPDX-License-Identifier: MIT */
/* expression.c: a machine with a stack of words. Bounded by the length of the stack and a number of operations. */
#include "unwind/expression.h"

#include "unwind/bytes.h"

enum { DEPTH = 16, OPERATIONS_MAX = 256 };
enum { OP_DEREF = 0x06, OP_LIT0 = 0x30, OP_LIT31 = 0x4f, OP_BREG0 = 0x70, OP_BREG31 = 0x8f };

struct machine {
	struct unwind *u;
	struct bytes b;
	uintptr_t begin;
	uintptr_t stack[DEPTH];
	unsigned depth;
	bool failed;
};

static void push(struct machine *m, uintptr_t value)
{
	if (m->depth < DEPTH)
		m->stack[m->depth++] = value;
	else
		m->failed = true;
}

static uintptr_t pop(struct machine *m)
{
	if (m->depth)
		return m->stack[--m->depth];
	m->failed = true;
	return 0;
}

static uintptr_t pick(struct machine *m, unsigned index)
{
	if (index < m->depth)
		return m->stack[m->depth - 1 - index];
	m->failed = true;
	return 0;
}

static void push_register(struct machine *m, uint64_t reg, int64_t offset)
{
	if (reg >= DWARF_REGISTERS || !(m->u->known >> reg & 1))
		m->failed = true;
	else
		push(m, m->u->registers[reg] + (uintptr_t)offset);
}

static void dereference(struct machine *m, unsigned bytes)
{
	uintptr_t value = 0;
	if (bytes > sizeof value || !unwind_read(m->u, pop(m), &value, bytes))
		m->failed = true;
	push(m, value);
}

static void branch(struct machine *m, bool taken)
{
	int16_t distance = (int16_t)bytes_fixed(&m->b, 2);
	uintptr_t to = bytes_address(&m->b) + (uintptr_t)(intptr_t)distance;
	if (taken && (to < m->begin || to > m->b.limit))
		m->failed = true;
	else if (taken)
		bytes_seek(&m->b, to, m->b.limit);
}

/* Operations on the two topmost words; false: it is none of them. */
static bool binary(struct machine *m, unsigned op)
{
	bool is_one = (op >= 0x1a && op <= 0x1e) || op == 0x21 || op == 0x22 || (op >= 0x24 && op <= 0x27) || (op >= 0x29 && op <= 0x2e);
	if (!is_one)
		return false;
	uintptr_t right = pop(m), left = pop(m);
	intptr_t a = (intptr_t)left, b = (intptr_t)right;
	switch (op) {
		/* clang-format off */
	case 0x1a: push(m, left & right); break;
	case 0x1c: push(m, left - right); break;
	case 0x1e: push(m, left * right); break;
	case 0x21: push(m, left | right); break;
	case 0x22: push(m, left + right); break;
	case 0x24: push(m, right < 64 ? left << right : 0); break;
	case 0x25: push(m, right < 64 ? left >> right : 0); break;
	case 0x26: push(m, (uintptr_t)(a >> (right < 64 ? right : 63))); break;
	case 0x27: push(m, left ^ right); break;
	case 0x29: push(m, a == b); break;
	case 0x2a: push(m, a >= b); break;
	case 0x2b: push(m, a > b); break;
	case 0x2c: push(m, a <= b); break;
	case 0x2d: push(m, a < b); break;
	case 0x2e: push(m, a != b); break;
	default: m->failed = true; /* divisions */
		/* clang-format on */
	}
	return true;
}

/* Operations that move words about; false: it is none of them. */
static bool arrange(struct machine *m, unsigned op)
{
	uintptr_t a, b, c;
	switch (op) {
	case 0x12: push(m, pick(m, 0)); return true;
	case 0x13: pop(m); return true;
	case 0x14: push(m, pick(m, 1)); return true;
	case 0x15: push(m, pick(m, bytes_u8(&m->b))); return true;
	case 0x16:
		a = pop(m), b = pop(m);
		push(m, a);
		push(m, b);
		return true;
	case 0x17:
		a = pop(m), b = pop(m), c = pop(m);
		push(m, a);
		push(m, c);
		push(m, b);
		return true;
	default: return false;
	}
}

static void operate(struct machine *m, unsigned op)
{
	struct bytes *b = &m->b;
	uint64_t reg, value;
	if (op >= OP_LIT0 && op <= OP_LIT31)
		push(m, op - OP_LIT0);
	else if (op >= OP_BREG0 && op <= OP_BREG31)
		push_register(m, op - OP_BREG0, bytes_sleb(b));
	else if (!binary(m, op) && !arrange(m, op))
		switch (op) {
			/* clang-format off */
		case 0x03: case 0x0e: case 0x0f: push(m, bytes_fixed(b, 8)); break;
		case OP_DEREF: dereference(m, 8); break;
		case 0x94: dereference(m, bytes_u8(b)); break;
		case 0x08: push(m, bytes_fixed(b, 1)); break;
		case 0x09: push(m, (uintptr_t)(int8_t)bytes_fixed(b, 1)); break;
		case 0x0a: push(m, bytes_fixed(b, 2)); break;
		case 0x0b: push(m, (uintptr_t)(int16_t)bytes_fixed(b, 2)); break;
		case 0x0c: push(m, bytes_fixed(b, 4)); break;
		case 0x0d: push(m, (uintptr_t)(int32_t)bytes_fixed(b, 4)); break;
		case 0x10: push(m, bytes_uleb(b)); break;
		case 0x11: push(m, (uintptr_t)bytes_sleb(b)); break;
		case 0x1f: push(m, -pop(m)); break;
		case 0x20: push(m, ~pop(m)); break;
		case 0x23: value = pop(m); push(m, value + bytes_uleb(b)); break;
		case 0x28: branch(m, pop(m) != 0); break;
		case 0x2f: branch(m, true); break;
		case 0x92: reg = bytes_uleb(b); push_register(m, reg, bytes_sleb(b)); break;
		case 0x96: break;
		default: m->failed = true;
			/* clang-format on */
		}
}

static bool open(struct bytes *b, const struct unwind_function *f, uintptr_t at)
{
	uintptr_t end = at < f->first_end && at >= f->first ? f->first_end : f->program_end;
	b->is_direct = f->is_direct;
	b->failed = false;
	bytes_seek(b, at, end);
	uint64_t bytes = bytes_uleb(b);
	uintptr_t begin = bytes_address(b);
	if (b->failed || bytes > end - begin)
		return false;
	bytes_seek(b, begin, begin + bytes);
	return true;
}

bool expression_value(struct unwind *u, const struct unwind_function *f, uintptr_t at, const uintptr_t *first, uintptr_t *value)
{
	struct machine m;
	m.u = u;
	m.depth = 0;
	m.failed = false;
	if (!open(&m.b, f, at))
		return false;
	m.begin = bytes_address(&m.b);
	if (first)
		push(&m, *first);
	for (int i = 0; bytes_more(&m.b) && !m.failed; i++) {
		if (i == OPERATIONS_MAX)
			return false;
		operate(&m, bytes_u8(&m.b));
	}
	*value = pop(&m);
	return !m.failed && !m.b.failed;
}

bool expression_is_simple(const struct unwind_function *f, uintptr_t at, unsigned *reg, int64_t *offset, bool *is_word_there)
{
	struct bytes b;
	if (!open(&b, f, at))
		return false;
	unsigned op = bytes_u8(&b);
	if (op < OP_BREG0 || op > OP_BREG31)
		return false;
	*reg = op - OP_BREG0;
	*offset = bytes_sleb(&b);
	*is_word_there = bytes_more(&b);
	return (!*is_word_there || (bytes_u8(&b) == OP_DEREF && !bytes_more(&b))) && !b.failed;
}
