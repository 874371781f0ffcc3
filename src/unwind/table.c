/* SPDX-License-Identifier: MIT */
/* table.c: .eh_frame_hdr, CIE and FDE (Linux Standard Base, Core 5.0, section 10.6), and DWARF's call frame instructions (DWARF 4,
 * section 6.4).
 *
 * The linker sorts the functions of an object by address into .eh_frame_hdr: a binary search, 17 steps in a large library. Then the
 * programs of the CIE and the FDE are run up to the address. Some 300 ns when the tables are in the processor's caches.
 * Only the form of table that linkers write is read (four bytes, relative to the header); an object with another has no rules. */
#include "unwind/table.h"

#include <string.h>
#include "unwind/bytes.h"
#include "unwind/memory.h"

enum { PCREL_SDATA4 = 0x1b, DATAREL_SDATA4 = 0x3b, UDATA4 = 0x03, OMIT = 0xff, HEADER_BYTES = 12, NESTED_STATES = 3 };

struct pair {
	int32_t start, fde; /* distances from the header */
};

static bool read_at(uintptr_t from, void *to, size_t bytes, bool is_direct)
{
	if (!is_direct)
		return memory_copy(from, to, bytes);
	memcpy(to, (const void *)from, bytes);
	return true;
}

/* The FDE whose start is the last one not behind pc; 0: there is none. */
static uintptr_t search(const struct module *m, uintptr_t pc, bool is_direct)
{
	uintptr_t header = (uintptr_t)m->eh_frame_hdr;
	struct {
		uint8_t version, eh_frame, count, table;
		int32_t where;
		uint32_t entries;
	} head;
	if (!header || header < m->start || header + HEADER_BYTES > m->end || !read_at(header, &head, HEADER_BYTES, is_direct))
		return 0;
	if (head.version != 1 || (head.eh_frame & 15) != (PCREL_SDATA4 & 15) || head.count != UDATA4 || head.table != DATAREL_SDATA4)
		return 0;
	if (head.entries > (m->end - header - HEADER_BYTES) / sizeof(struct pair))
		return 0;
	intptr_t want = (intptr_t)(pc - header);
	struct pair pair = {0, 0};
	uint32_t low = 0, high = head.entries; /* starts before low are not behind pc, those from high on are */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (!read_at(header + HEADER_BYTES + middle * sizeof pair, &pair, sizeof pair, is_direct))
			return 0;
		if (pair.start <= want)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || !read_at(header + HEADER_BYTES + (low - 1) * sizeof pair, &pair, sizeof pair, is_direct))
		return 0;
	return header + (uintptr_t)(intptr_t)pair.fde;
}

/* Stands behind the length and the word that follows it, with the entry's end as its limit. */
static bool open_entry(struct bytes *b, const struct module *m, uintptr_t address, uintptr_t *word_at, uint32_t *word)
{
	if (address < m->start || address >= m->end)
		return false;
	bytes_seek(b, address, m->end);
	uint64_t length = bytes_fixed(b, 4);
	uintptr_t begin = bytes_address(b);
	if (b->failed || length < 4 || length >= 0xfffffff0u || length > m->end - begin)
		return false;
	b->limit = begin + length;
	if (b->is_direct || b->next > b->limit)
		bytes_seek(b, begin, begin + length);
	*word_at = begin;
	*word = (uint32_t)bytes_fixed(b, 4);
	return !b->failed;
}

struct cie {
	unsigned pointer_encoding;
	bool has_augmentation_data;
};

static void read_augmentation(struct unwind_function *f, struct cie *cie, struct bytes *b, const char *letters)
{
	cie->has_augmentation_data = letters[0] == 'z';
	if (!cie->has_augmentation_data)
		return;
	uint64_t bytes = bytes_uleb(b);
	uintptr_t end = bytes_address(b) + bytes;
	for (const char *c = letters + 1; *c; c++) {
		if (*c == 'R')
			cie->pointer_encoding = bytes_u8(b);
		else if (*c == 'L')
			bytes_u8(b);
		else if (*c == 'P')
			bytes_encoded(b, bytes_u8(b) & 0x0f, 0);
		else if (*c == 'S')
			f->is_signal_frame = true;
		else if (*c != 'B')
			break; /* unknown: what follows is passed over by its length */
	}
	bytes_seek(b, end, b->limit);
}

static bool read_cie(struct unwind_function *f, struct cie *cie, struct bytes *b, const struct module *m, uintptr_t address)
{
	uintptr_t word_at;
	uint32_t id;
	char letters[8];
	size_t count = 0;
	if (!open_entry(b, m, address, &word_at, &id) || id != 0)
		return false;
	unsigned version = bytes_u8(b);
	while (count < sizeof letters && (letters[count] = (char)bytes_u8(b)))
		count++;
	if ((version != 1 && version != 3) || count == sizeof letters || (count && letters[0] != 'z'))
		return false;
	f->code_align = bytes_uleb(b);
	f->data_align = bytes_sleb(b);
	if ((version == 1 ? bytes_u8(b) : bytes_uleb(b)) != DWARF_RA)
		return false;
	read_augmentation(f, cie, b, letters);
	f->first = bytes_address(b);
	f->first_end = b->limit;
	return !b->failed;
}

bool table_find(struct unwind_function *f, const struct module *m, uintptr_t pc, bool is_direct)
{
	struct bytes b = {.is_direct = is_direct};
	struct cie cie = {0};
	uintptr_t word_at;
	uint32_t back;
	*f = (struct unwind_function){.is_direct = is_direct};
	f->fde = search(m, pc, is_direct);
	if (!f->fde || !open_entry(&b, m, f->fde, &word_at, &back) || back == 0 || !read_cie(f, &cie, &b, m, word_at - back))
		return false;
	if (!open_entry(&b, m, f->fde, &word_at, &back))
		return false;
	f->start = bytes_encoded(&b, cie.pointer_encoding, (uintptr_t)m->eh_frame_hdr);
	f->end = f->start + bytes_encoded(&b, cie.pointer_encoding & 0x0f, 0);
	if (cie.has_augmentation_data)
		bytes_skip(&b, bytes_uleb(&b));
	f->program = bytes_address(&b);
	f->program_end = b.limit;
	return !b.failed && pc >= f->start && pc < f->end;
}

/* One run over the instructions of a CIE or an FDE. */
struct run {
	const struct unwind_function *f;
	struct bytes b;
	struct unwind_row *row;
	const struct unwind_row *initial; /* what the CIE left, for restore; NULL while it runs */
	struct unwind_row states[NESTED_STATES];
	unsigned depth;
	uintptr_t at;
};

static void set(struct run *r, uint64_t reg, enum unwind_how how, int64_t value)
{
	if (reg < DWARF_REGISTERS) { /* other registers (xmm) are not needed */
		r->row->how[reg] = (uint8_t)how;
		r->row->value[reg] = (int32_t)value;
	}
}

/* An offset in bytes. Tables may be garbage: products wrap around. */
static int64_t scaled(const struct run *r, uint64_t factor)
{
	return (int64_t)(factor * (uint64_t)r->f->data_align);
}

static void restore(struct run *r, uint64_t reg)
{
	if (!r->initial)
		r->b.failed = true;
	else if (reg < DWARF_REGISTERS)
		set(r, reg, r->initial->how[reg], r->initial->value[reg]);
}

/* Stands at an expression: its distance from the FDE; goes behind it. */
static int32_t expression(struct run *r)
{
	int32_t at = (int32_t)(intptr_t)(bytes_address(&r->b) - r->f->fde);
	bytes_skip(&r->b, bytes_uleb(&r->b));
	return at;
}

static void define_cfa(struct run *r, uint64_t reg, int64_t offset)
{
	r->row->cfa_is_expression = false;
	r->row->cfa_register = (uint8_t)(reg < DWARF_RA ? reg : DWARF_RA);
	r->row->cfa_value = (int32_t)offset;
}

static void remember(struct run *r)
{
	if (r->depth < NESTED_STATES)
		r->states[r->depth++] = *r->row;
	else
		r->b.failed = true;
}

static void recall(struct run *r)
{
	if (r->depth)
		*r->row = r->states[--r->depth];
	else
		r->b.failed = true;
}

/* Instructions whose low six bits are 0 to 0x3f, the high two being 0. False: the location passed pc. */
static void extended(struct run *r, unsigned op)
{
	struct bytes *b = &r->b;
	uint64_t reg;
	switch (op) {
		/* clang-format off */
	case 0x00: break;
	case 0x01: r->at = bytes_fixed(b, 8); break;
	case 0x02: r->at += bytes_fixed(b, 1) * r->f->code_align; break;
	case 0x03: r->at += bytes_fixed(b, 2) * r->f->code_align; break;
	case 0x04: r->at += bytes_fixed(b, 4) * r->f->code_align; break;
	case 0x05: reg = bytes_uleb(b); set(r, reg, HOW_AT_CFA, scaled(r, bytes_uleb(b))); break;
	case 0x06: restore(r, bytes_uleb(b)); break;
	case 0x07: set(r, bytes_uleb(b), HOW_UNDEFINED, 0); break;
	case 0x08: set(r, bytes_uleb(b), HOW_SAME, 0); break;
	case 0x09: reg = bytes_uleb(b); set(r, reg, HOW_REGISTER, (int64_t)bytes_uleb(b)); break;
	case 0x0a: remember(r); break;
	case 0x0b: recall(r); break;
	case 0x0c: reg = bytes_uleb(b); define_cfa(r, reg, (int64_t)bytes_uleb(b)); break;
	case 0x0d: define_cfa(r, bytes_uleb(b), r->row->cfa_value); break;
	case 0x0e: define_cfa(r, r->row->cfa_register, (int64_t)bytes_uleb(b)); break;
	case 0x0f: r->row->cfa_value = expression(r); r->row->cfa_is_expression = true; break;
	case 0x10: reg = bytes_uleb(b); set(r, reg, HOW_AT_EXPRESSION, expression(r)); break;
	case 0x11: reg = bytes_uleb(b); set(r, reg, HOW_AT_CFA, scaled(r, (uint64_t)bytes_sleb(b))); break;
	case 0x12: reg = bytes_uleb(b); define_cfa(r, reg, scaled(r, (uint64_t)bytes_sleb(b))); break;
	case 0x13: define_cfa(r, r->row->cfa_register, scaled(r, (uint64_t)bytes_sleb(b))); break;
	case 0x14: reg = bytes_uleb(b); set(r, reg, HOW_IS_CFA, scaled(r, bytes_uleb(b))); break;
	case 0x15: reg = bytes_uleb(b); set(r, reg, HOW_IS_CFA, scaled(r, (uint64_t)bytes_sleb(b))); break;
	case 0x16: reg = bytes_uleb(b); set(r, reg, HOW_IS_EXPRESSION, expression(r)); break;
	case 0x2e: bytes_uleb(b); break; /* size of arguments: for exceptions that land in this frame */
	case 0x2f: reg = bytes_uleb(b); set(r, reg, HOW_AT_CFA, scaled(r, -bytes_uleb(b))); break;
	default: b->failed = true;
		/* clang-format on */
	}
}

static bool run_until(struct run *r, uintptr_t program, uintptr_t end, uintptr_t pc)
{
	bytes_seek(&r->b, program, end);
	while (bytes_more(&r->b) && r->at <= pc) {
		unsigned op = bytes_u8(&r->b), low = op & 0x3f;
		if (op >> 6 == 1)
			r->at += low * r->f->code_align;
		else if (op >> 6 == 2)
			set(r, low, HOW_AT_CFA, scaled(r, bytes_uleb(&r->b)));
		else if (op >> 6 == 3)
			restore(r, low);
		else
			extended(r, low);
	}
	return !r->b.failed;
}

bool table_row(const struct unwind_function *f, uintptr_t pc, struct unwind_row *row)
{
	struct run r = {.f = f, .b = {.is_direct = f->is_direct}, .row = row, .at = f->start};
	memset(row, 0, sizeof *row);
	row->cfa_register = DWARF_RA; /* none yet */
	if (!run_until(&r, f->first, f->first_end, UINTPTR_MAX))
		return false;
	struct unwind_row initial = *row;
	r.initial = &initial;
	return run_until(&r, f->program, f->program_end, pc) && (row->cfa_is_expression || row->cfa_register < DWARF_RA);
}
