/* SPDX-License-Identifier: MIT */
/* outlined.c: tells whether a body that gcc made of an OpenMP construct, f._omp_fn.0, is that of a parallel region or of a
 * task.
 *
 * Problem: gcc gives both the same name, and the debug information does not tell.
 * Idea: the address of the body is the first argument of GOMP_parallel… or of GOMP_task…. In the machine code, find where
 * the address gets into a register (`lea body(%rip), %reg`, `mov $body, %reg`); if that is not the register of the first
 * argument, where it is moved on; and the next call or jump to an entry point of the runtime, by name.
 * Cost: one pass over the code of the file, when the first body is asked for. A body whose address goes another way, through
 * memory, is of no known construct. */
#include "analyse/symbols/elf.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ARGUMENT = 7 /* the number of its register */, AHEAD = 1024, OPERAND = 4 };

struct code {
	struct symbols_elf *elf;
	unsigned char *bytes;
	size_t count;
	uint64_t address;
};

static int32_t operand_at(const struct code *c, size_t at)
{
	int32_t operand;
	memcpy(&operand, c->bytes + at, OPERAND);
	return operand;
}

static enum symbols_construct construct_of(const char *entry_point)
{
	if (strncmp(entry_point, "GOMP_parallel", 13) == 0)
		return SYMBOLS_PARALLEL;
	return strcmp(entry_point, "GOMP_task") == 0 || strncmp(entry_point, "GOMP_taskloop", 13) == 0 ? SYMBOLS_TASK
												       : SYMBOLS_NO_CONSTRUCT;
}

/* The function that is called or jumped to by the instruction at `at`; "" if there is none. */
static const char *callee_at(const struct code *c, size_t at)
{
	uint64_t begins;
	if (at + 5 <= c->count && (c->bytes[at] & 0xfe) == 0xe8) { /* call, jmp */
		uint64_t target = c->address + at + 5 + (uint64_t)(int64_t)operand_at(c, at + 1);
		const char *name = symbols_plt_callee(c->elf, target, &begins);
		const struct symbols_name *symbol = name ? NULL : symbols_elf_name_at(c->elf, target);
		return name ? name : symbol ? symbol->linkage : "";
	}
	if (at + 6 <= c->count && c->bytes[at] == 0xff && (c->bytes[at + 1] == 0x15 || c->bytes[at + 1] == 0x25)) /* through a slot */
		return symbols_plt_slot(c->elf, c->address + at + 6 + (uint64_t)(int64_t)operand_at(c, at + 2));
	return "";
}

/* Whether a register is copied to that of the first argument. */
static bool moves_on(const struct code *c, size_t at, unsigned reg)
{
	return at + 3 <= c->count && c->bytes[at] == (reg & 8 ? 0x4c : 0x48) && c->bytes[at + 1] == 0x89 &&
		c->bytes[at + 2] == (0xc0 | (reg & 7) << 3 | FIRST_ARGUMENT);
}

/* A call changes the first argument, so the next one is the right one; other registers may keep the address for longer. */
static enum symbols_construct follow(const struct code *c, size_t at, unsigned reg)
{
	size_t end = at + AHEAD < c->count ? at + AHEAD : c->count;
	while (reg != FIRST_ARGUMENT && at < end && !moves_on(c, at, reg))
		at++;
	for (; at < end; at++) {
		enum symbols_construct found = construct_of(callee_at(c, at));
		if (found != SYMBOLS_NO_CONSTRUCT)
			return found;
	}
	return SYMBOLS_NO_CONSTRUCT;
}

/* The address that an instruction with its operand at `at` puts into a register; 0: it does something else. */
static uint64_t loaded_at(const struct code *c, size_t at, unsigned *reg)
{
	const unsigned char *b = c->bytes + at;
	if (at >= 3 && b[-2] == 0x8d && (b[-1] & 0xc7) == 0x05 && (b[-3] & 0xfb) == 0x48) { /* lea operand(%rip), %reg */
		*reg = ((unsigned)b[-1] >> 3 & 7) | (b[-3] & 4u) << 1;
		return c->address + at + OPERAND + (uint64_t)(int64_t)operand_at(c, at);
	}
	if (at >= 2 && (b[-1] & 0xf8) == 0xb8) { /* mov $operand, %reg */
		*reg = (b[-1] & 7u) | (b[-2] == 0x41 ? 8u : 0);
		return (uint32_t)operand_at(c, at);
	}
	return 0;
}

static void add(struct symbols_elf *e, uint64_t address, enum symbols_construct construct)
{
	MEMORY_GROW(e->bodies, e->body_count, e->body_room);
	e->bodies[e->body_count++] = (struct symbols_body){address, construct};
}

static void read_section(struct symbols_elf *e, const struct symbols_section *section)
{
	size_t said = (size_t)(section->high - section->low), bytes = said < e->image.size ? said : e->image.size;
	struct code c = {e, memory_resize(NULL, bytes + 1, 1), 0, section->low};
	unsigned reg;
	c.count = symbols_elf_read(e, section->low, c.bytes, bytes);
	for (size_t at = 0; at + OPERAND <= c.count; at++) {
		uint64_t address = loaded_at(&c, at, &reg);
		const struct symbols_name *name = address ? symbols_elf_name_at(e, address) : NULL;
		if (!name || !strstr(name->linkage, SYMBOLS_GCC_BODY))
			continue;
		enum symbols_construct construct = follow(&c, at + OPERAND, reg);
		if (construct != SYMBOLS_NO_CONSTRUCT)
			add(e, address, construct);
	}
	free(c.bytes);
}

enum symbols_construct symbols_outlined(struct symbols_elf *e, uint64_t address)
{
	if (!e->bodies_read)
		for (size_t i = 0; i < e->section_count; i++)
			read_section(e, &e->sections[i]);
	e->bodies_read = true;
	for (size_t i = 0; i < e->body_count; i++)
		if (e->bodies[i].address == address)
			return e->bodies[i].construct;
	return SYMBOLS_NO_CONSTRUCT;
}
