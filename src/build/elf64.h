/* SPDX-License-Identifier: MIT */
/* elf64.h: the little of ELF that a build needs: find a section, add one, hide one, read the dynamic section.
 *
 * Works on bytes in memory, so that a member of an archive is as good as a file, and takes nothing on trust: every
 * offset is checked against the size, and what does not fit is as if it were not there. 64-bit little-endian only.
 *
 * Sections are added behind everything else in the file, with a new section table and a longer copy of the names.
 * No byte of what the compiler or linker wrote moves (objcopy would write the file anew), the header changes last. */
#ifndef SKEIN_ELF64_H
#define SKEIN_ELF64_H

#include <stdbool.h>
#include <stdint.h>
#include "base/blob.h"
#include "base/strv.h"

#define ELF64_LLVM_LTO 0x6fff4c0cu /* SHT_LLVM_LTO, the type of a .llvm.lto section */

int elf64_type(struct blob file); /* ET_REL, ET_EXEC, ET_DYN …; -1: not such an ELF file */
bool elf64_section(struct blob file, const char *name, struct blob *contents);
bool elf64_build_id(struct blob file, char hex[65]);

/* Each symbol of the symbol table that has a name. */
struct elf64_symbol {
	const char *name;
	uint64_t section, value; /* where it is */
	bool is_defined, is_local, is_function;
	bool is_resolved; /* an indirect function: what it is is decided when the program is loaded */
};
void elf64_symbols(struct blob file, void (*see)(void *context, const struct elf64_symbol *symbol), void *context);
/* Symbols that other objects of a process can see or must have. */
void elf64_dynamic_symbols(struct blob file, void (*see)(void *context, const struct elf64_symbol *symbol), void *context);

struct elf64_dynamic {
	struct strv needed;
	char *soname, *rpath, *runpath; /* NULL when there is none */
	char *interpreter;              /* the loader that is asked for; NULL: none */
	bool present;                   /* there is a dynamic section at all */
};
void elf64_dynamic(struct blob file, struct elf64_dynamic *dynamic);
void elf64_dynamic_free(struct elf64_dynamic *dynamic);

struct elf64_addition {
	const char *name;
	uint32_t type;
	uint64_t flags;
	struct blob contents;
};
int elf64_add(const char *path, const struct elf64_addition *more, size_t count, struct fail *why);

/* Takes name and type from every section of that name, so that no tool knows it again. Returns how many. */
size_t elf64_hide(unsigned char *file, size_t size, const char *name);

/* Gives the name and type of section `to`, which is hidden, to section `from`. False: they are not both there. */
bool elf64_replace(unsigned char *file, size_t size, const char *to, const char *from);

#endif
