/* SPDX-License-Identifier: MIT */
/* loops_code.c: divides machine code into blocks and edges.
 *
 * Idea: decode from end to end and cut where jumps begin and end. A jump into the middle of an instruction, which
 * hand-written code has, makes a block like any other. Bytes that are not an instruction, or an unknown one, are
 * skipped.
 * Cost: about a microsecond per instruction. */
#include "analyse/symbols/loops_code.h"

#include <capstone/capstone.h>
#include <stdlib.h>

#include "base/memory.h"

/* Facts by offset in the code. */
struct marks {
	bool *begins;          /* a block begins here */
	bool *works;           /* an instruction begins here, and is not padding */
	enum loops_flow *flow; /* of the instruction that begins here */
	uint32_t *target;      /* offset of the target */
	uint32_t *block;       /* the block that begins here */
};

/* ---- instructions ---- */

static bool has_group(const cs_insn *i, uint8_t group)
{
	for (uint8_t k = 0; k < i->detail->groups_count; k++)
		if (i->detail->groups[k] == group)
			return true;
	return false;
}

static enum loops_flow flow_of(const cs_insn *i, uint64_t address, uint64_t bytes, uint32_t *target)
{
	const cs_x86 *x86 = &i->detail->x86;
	*target = LOOPS_NONE;
	if (i->id == X86_INS_RET || i->id == X86_INS_RETF || i->id == X86_INS_IRETQ || i->id == X86_INS_HLT || i->id == X86_INS_UD2 ||
	    i->id == X86_INS_UD0 || i->id == X86_INS_INT3)
		return LOOPS_STOP;
	if (!has_group(i, CS_GRP_JUMP))
		return LOOPS_ON;
	if (x86->op_count != 1 || x86->operands[0].type != X86_OP_IMM)
		return i->id == X86_INS_JMP ? LOOPS_TABLE : LOOPS_STOP;
	uint64_t offset = (uint64_t)x86->operands[0].imm - address;
	if (offset < bytes)
		*target = (uint32_t)offset;
	return i->id == X86_INS_JMP ? LOOPS_JUMP : LOOPS_BRANCH;
}

static void decode(struct marks *m, const unsigned char *code, uint64_t address, size_t bytes)
{
	csh capstone;
	if (cs_open(CS_ARCH_X86, CS_MODE_64, &capstone) != CS_ERR_OK)
		return;
	cs_option(capstone, CS_OPT_DETAIL, CS_OPT_ON);
	cs_insn *i = cs_malloc(capstone);
	const uint8_t *at = code;
	uint64_t here = address;
	for (size_t left = bytes; i && left > 0;) {
		size_t offset = (size_t)(at - code);
		if (!cs_disasm_iter(capstone, &at, &left, &here, i)) {
			at++;
			left--;
			here++;
			continue;
		}
		m->works[offset] = i->id != X86_INS_NOP;
		m->flow[offset] = flow_of(i, address, bytes, &m->target[offset]);
		if (m->flow[offset] == LOOPS_ON)
			continue;
		if (m->target[offset] != LOOPS_NONE)
			m->begins[m->target[offset]] = true;
		if (left > 0)
			m->begins[at - code] = true;
	}
	if (i)
		cs_free(i, 1);
	cs_close(&capstone);
}

/* ---- blocks ---- */

static void cut(struct loops_code *c, struct marks *m, uint64_t address, size_t bytes)
{
	size_t room = 0;
	m->begins[0] = true;
	for (size_t at = 0; at < bytes; at++) {
		if (m->begins[at]) {
			if (c->count)
				c->blocks[c->count - 1].high = address + at;
			MEMORY_GROW(c->blocks, c->count, room);
			m->block[at] = c->count;
			c->blocks[c->count++] = (struct loops_code_block){.low = address + at,
			                                                  .high = address + bytes,
			                                                  .flow = LOOPS_ON,
			                                                  .target = LOOPS_NONE};
		}
		struct loops_code_block *b = &c->blocks[c->count - 1];
		b->works |= m->works[at];
		if (m->flow[at] != LOOPS_ON) {
			b->flow = m->flow[at];
			b->target = m->target[at];
			b->branch = address + at;
		}
	}
	for (uint32_t i = 0; i < c->count; i++) {
		if (c->blocks[i].flow == LOOPS_ON)
			c->blocks[i].branch = c->blocks[i].high - 1;
		if (c->blocks[i].target != LOOPS_NONE)
			c->blocks[i].target = m->block[c->blocks[i].target];
	}
}

bool loops_code_falls_through(const struct loops_code *c, uint32_t block)
{
	return (c->blocks[block].flow == LOOPS_ON || c->blocks[block].flow == LOOPS_BRANCH) && block + 1 < c->count;
}

/* ---- edges ---- */

static void add_edge(struct loops_code *c, uint32_t to)
{
	MEMORY_GROW(c->to, c->edge_count, c->edge_room);
	c->to[c->edge_count++] = to;
}

static void connect_blocks(struct loops_code *c, const uint32_t *leads)
{
	for (uint32_t i = 0; i < c->count; i++) {
		c->first[i] = (uint32_t)c->edge_count;
		if (c->blocks[i].target != LOOPS_NONE)
			add_edge(c, c->blocks[i].target);
		if (loops_code_falls_through(c, i))
			add_edge(c, i + 1);
		if (leads[i] != LOOPS_NONE) {
			add_edge(c, c->count + leads[i]);
			c->table_branches[leads[i]] = c->blocks[i].branch;
		}
	}
}

static void connect(struct loops_code *c)
{
	uint32_t *led, *leads, groups = loops_tables_group(c, &led, &leads);
	uint32_t *head = memory_resize(NULL, groups, sizeof *head), *next = memory_resize(NULL, c->count, sizeof *next);
	c->node_count = c->count + groups;
	c->first = memory_resize(NULL, (size_t)c->node_count + 1, sizeof *c->first);
	c->table_branches = memory_zeroed(groups, sizeof *c->table_branches);
	connect_blocks(c, leads);
	for (uint32_t g = 0; g < groups; g++)
		head[g] = LOOPS_NONE;
	for (uint32_t i = c->count; i-- > 0;)
		if (led[i] != LOOPS_NONE) {
			next[i] = head[led[i]];
			head[led[i]] = i;
		}
	for (uint32_t g = 0; g < groups; g++) {
		c->first[c->count + g] = (uint32_t)c->edge_count;
		for (uint32_t i = head[g]; i != LOOPS_NONE; i = next[i])
			add_edge(c, i);
	}
	c->first[c->node_count] = (uint32_t)c->edge_count;
	free(led);
	free(leads);
	free(head);
	free(next);
}

void loops_code_read(struct loops_code *c, const unsigned char *code, uint64_t address, size_t bytes)
{
	*c = (struct loops_code){0};
	if (bytes == 0)
		return;
	struct marks m = {.begins = memory_zeroed(bytes, sizeof *m.begins),
	                  .works = memory_zeroed(bytes, sizeof *m.works),
	                  .flow = memory_zeroed(bytes, sizeof *m.flow),
	                  .target = memory_zeroed(bytes, sizeof *m.target),
	                  .block = memory_zeroed(bytes, sizeof *m.block)};
	decode(&m, code, address, bytes);
	cut(c, &m, address, bytes);
	connect(c);
	free(m.begins);
	free(m.works);
	free(m.flow);
	free(m.target);
	free(m.block);
}

void loops_code_free(struct loops_code *c)
{
	free(c->blocks);
	free(c->first);
	free(c->to);
	free(c->table_branches);
	*c = (struct loops_code){0};
}
