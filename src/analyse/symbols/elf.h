/* SPDX-License-Identifier: MIT */
/* elf.h: names of addresses by the symbol tables of an ELF file and its separate debug file, without DWARF.
 *
 *     struct symbols_elf e;
 *     if (!symbols_elf_open(&e, path, build_id)) …                    gone, no ELF file for x86-64, or another build: nothing to close
 *     const struct symbols_name *n = symbols_elf_name(&e, address);   NULL: in no symbol
 *     symbols_elf_close(&e);
 *
 * The vdso has no file; asked for by its name ("[vdso]" or "linux-vdso…") it is read from this process, whose kernel is the same.
 * Nothing is ever fetched from a network. */
#ifndef SKEIN_SYMBOLS_ELF_H
#define SKEIN_SYMBOLS_ELF_H

#include <gelf.h>
#include <stdbool.h>
#include "analyse/symbols/image.h"
#include "analyse/symbols/ranges.h"
#include "analyse/symbols/symbols.h"
#include "base/memory.h"

struct symbols_name {
	const char *linkage;
	uint64_t address, size; /* size 0: not known; the symbol ends at the next symbol or at the end of its section */
	bool is_public;
	uint8_t rank; /* of several names for one address, that with the highest rank is taken */
};

struct symbols_section {
	const char *name;
	uint64_t low, high;
	uint64_t entry_bytes; /* size of an entry, if the section is a table; 0: not a table, or not known */
};

/* What gcc calls the body of an OpenMP construct contains this. */
#define SYMBOLS_GCC_BODY "._omp_fn."
struct symbols_body {
	uint64_t address;
	enum symbols_construct construct;
};

struct symbols_elf {
	Elf *elf, *debug, *mini; /* the file, its separate debug file and what .gnu_debugdata unpacks to; NULL: none */
	struct symbols_image image, debug_image, mini_image;
	struct symbols_section *sections; /* sections with code */
	size_t section_count, section_room;
	struct symbols_ranges in_section;
	struct symbols_ranges code; /* segments that can be executed */
	struct symbols_name *names; /* one per address, sorted */
	size_t name_count, name_room;
	struct symbols_ranges sized, unsized; /* numbers are of names */
	uint64_t *starts;                     /* where routines begin, by the unwind tables; sorted */
	size_t start_count, start_room;
	/* names of the symbols in entries of the global offset table; NULL until a stub is looked up */
	const char **slots;
	uint64_t *slot_addresses;
	size_t slot_count;
	size_t lazy_count;           /* the first slots, which are those of .rela.plt */
	struct symbols_body *bodies; /* once one was asked for */
	size_t body_count, body_room;
	bool bodies_read;
	struct pool pool;
};

bool symbols_elf_open(struct symbols_elf *e, const char *path, const char *build_id);
void symbols_elf_close(struct symbols_elf *e);
const struct symbols_name *symbols_elf_name(const struct symbols_elf *e, uint64_t address);
const struct symbols_name *symbols_elf_name_at(const struct symbols_elf *e, uint64_t address); /* the symbol that begins exactly there */
const char *symbols_elf_variable(const struct symbols_elf *e, uint64_t address);               /* NULL: in no variable */
char *symbols_elf_own(struct pool *pool, const char *symbol); /* the name without its version, and as it was before a re-link in parts */
const struct symbols_section *symbols_elf_section(const struct symbols_elf *e, uint64_t address);
bool symbols_elf_is_code(const struct symbols_elf *e, uint64_t low, uint64_t high);
/* The start of the routine around an address; the address itself if not known. */
uint64_t symbols_elf_start(const struct symbols_elf *e, uint64_t address);
/* The start of the next routine; the address itself if not known. */
uint64_t symbols_elf_start_after(const struct symbols_elf *e, uint64_t address);

/* Copies at most `bytes` bytes at an address in the file; returns how many there are. */
size_t symbols_elf_read(const struct symbols_elf *e, uint64_t address, void *to, size_t bytes);

/* Finds the separate debug file of e->elf and unpacks .gnu_debugdata (debug.c). */
void symbols_debug_find(struct symbols_elf *e, const char *path);
bool symbols_debug_id(Elf *elf, char hex[129]); /* the build-id */
Elf_Scn *symbols_debug_section(Elf *elf, const char *name, GElf_Shdr *header);

/* The callee of a stub of the procedure linkage table, and where the stub begins (plt.c). NULL: not a stub; "": not
 * known. */
const char *symbols_plt_callee(struct symbols_elf *e, uint64_t address, uint64_t *begins);

/* The symbol whose address the loader puts into an entry of the global offset table; "": not known. */
const char *symbols_plt_slot(struct symbols_elf *e, uint64_t address);

/* The construct of the body that begins at an address, and has a name that gcc gives to bodies (outlined.c). */
enum symbols_construct symbols_outlined(struct symbols_elf *e, uint64_t address);

#endif
