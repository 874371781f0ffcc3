/* SPDX-License-Identifier: MIT */
/* plt.c: finds the callee of a stub of the procedure linkage table.
 *
 * Problem: calls into other files go through stubs that have no symbols, in up to four sections (.plt, .plt.got, .plt.sec, .iplt).
 * Idea: a stub jumps through an entry of the global offset table (`jmp *entry(%rip)`, perhaps behind endbr64 or with
 * bnd); the relocation that fills that entry names the callee. A stub that only pushes the number of a relocation
 * (`push $n`) names it by that. */
#include "analyse/symbols/elf.h"

#include <stdlib.h>
#include <string.h>
#include "arch/arch.h"

enum { STUB_BYTES = 16 };

static void read_slots(struct symbols_elf *e, const char *section_name, size_t *room)
{
	GElf_Shdr header, symbols_header;
	GElf_Rela rela;
	GElf_Sym symbol;
	Elf_Scn *section = symbols_debug_section(e->elf, section_name, &header);
	Elf_Scn *symbols = section ? elf_getscn(e->elf, header.sh_link) : NULL;
	if (!symbols || header.sh_type != SHT_RELA || !gelf_getshdr(symbols, &symbols_header) ||
	    (symbols_header.sh_type != SHT_DYNSYM && symbols_header.sh_type != SHT_SYMTAB))
		return;
	Elf_Data *data = elf_getdata(section, NULL), *table = elf_getdata(symbols, NULL);
	size_t count = data ? data->d_size / sizeof(Elf64_Rela) : 0;
	for (size_t i = 0; i < count; i++) {
		const char *name = NULL;
		if (!gelf_getrela(data, (int)i, &rela))
			continue;
		if (GELF_R_SYM(rela.r_info) && table && gelf_getsym(table, (int)GELF_R_SYM(rela.r_info), &symbol))
			name = elf_strptr(e->elf, symbols_header.sh_link, symbol.st_name);
		else if (GELF_R_TYPE(rela.r_info) == ARCH_ELF_INDIRECT) {
			const struct symbols_name *resolver = symbols_elf_name_at(e, (uint64_t)rela.r_addend);
			name = resolver ? resolver->linkage : NULL;
		}
		if (e->slot_count == *room) {
			*room = *room ? 2 * *room : 64;
			e->slots = memory_resize(e->slots, *room, sizeof *e->slots);
			e->slot_addresses = memory_resize(e->slot_addresses, *room, sizeof *e->slot_addresses);
		}
		e->slots[e->slot_count] = name ? name : "";
		e->slot_addresses[e->slot_count++] = rela.r_offset;
	}
}

static void read_all_slots(struct symbols_elf *e)
{
	size_t room = 0;
	if (e->slots)
		return;
	read_slots(e, ".rela.plt", &room);
	e->lazy_count = e->slot_count;
	read_slots(e, ".rela.dyn", &room);
	if (!e->slots)
		e->slots = memory_zeroed(1, sizeof *e->slots);
}

static const char *slot_name(const struct symbols_elf *e, uint64_t address)
{
	for (size_t i = 0; i < e->slot_count; i++)
		if (e->slot_addresses[i] == address)
			return e->slots[i];
	return "";
}

/* The callee by the code of one stub. */
static const char *decode(const struct symbols_elf *e, uint64_t begins, const unsigned char *code, size_t bytes)
{
	static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	int32_t operand;
	size_t at = bytes >= 4 && memcmp(code, endbr64, 4) == 0 ? 4 : 0;
	if (at < bytes && code[at] == 0xf2) /* prefix bnd */
		at++;
	if (at + 6 <= bytes && code[at] == 0xff && code[at + 1] == 0x25) {
		memcpy(&operand, code + at + 2, 4);
		return slot_name(e, begins + at + 6 + (uint64_t)(int64_t)operand);
	}
	if (at + 5 <= bytes && code[at] == 0x68) {
		memcpy(&operand, code + at + 1, 4);
		return operand >= 0 && (size_t)operand < e->lazy_count ? e->slots[operand] : "";
	}
	return "";
}

const char *symbols_plt_callee(struct symbols_elf *e, uint64_t address, uint64_t *begins)
{
	const struct symbols_section *section = symbols_elf_section(e, address);
	unsigned char code[STUB_BYTES];
	if (!section || (strncmp(section->name, ".plt", 4) != 0 && strcmp(section->name, ".iplt") != 0))
		return NULL;
	uint64_t each = section->entry_bytes == 8 ? 8 : STUB_BYTES;
	*begins = section->low + (address - section->low) / each * each;
	read_all_slots(e);
	return decode(e, *begins, code, symbols_elf_read(e, *begins, code, each));
}

const char *symbols_plt_slot(struct symbols_elf *e, uint64_t address)
{
	read_all_slots(e);
	return slot_name(e, address);
}
