/* SPDX-License-Identifier: MIT */
/* The names in an ELF file with DWARF: no damage costs more than names. Addresses around the entry point of the file are asked for. */
#include "fuzz/fuzz.h"

#include <elf.h>
#include "analyse/symbols/symbols.h"

enum { BEFORE = 96, BEHIND = 160 };

static void ask(struct symbols *s, uint64_t address)
{
	const struct symbols_place *p = symbols_at(s, address, address % 2);
	fuzz_hold(p->count > 0);
	fuzz_read(p->file);
	fuzz_read(p->overhead ? p->overhead : "");
	for (size_t i = 0; i < p->count; i++) {
		fuzz_read(p->scopes[i].linkage);
		fuzz_read(p->scopes[i].name);
		fuzz_read(p->scopes[i].file);
		fuzz_read(p->scopes[i].call_file);
	}
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	Elf64_Ehdr header = {0};
	struct symbols *s = symbols_open(fuzz_file("program", bytes, size), "");
	memcpy(&header, bytes, size < sizeof header ? size : sizeof header);
	for (uint64_t i = 0; i < BEFORE + BEHIND; i += 3)
		ask(s, header.e_entry - BEFORE + i);
	fuzz_read(symbols_variable(s, header.e_entry));
	fuzz_read(symbols_variable(s, header.e_shoff & ~UINT64_C(4095)));
	symbols_close(s);
	return 0;
}
