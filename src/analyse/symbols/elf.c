/* SPDX-License-Identifier: MIT */
/* elf.c: sections, symbols and routines' beginnings of an ELF file.
 *
 * Problem: a stripped file has few symbols, many addresses have several, hand-written code has symbols without a size.
 * Idea: take .symtab of the file, of its debug file and of its compressed one, and .dynsym; keep the best name for each
 * address. A symbol without a size ends where the next one begins, or its section ends, and counts only where no symbol
 * with a size does. Where no symbol is, the table that unwinding searches (.eh_frame_hdr) still tells where each
 * routine begins.
 * Cost: a sort of the symbols when the file is opened; a binary search per look-up. */
#include "analyse/symbols/elf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include "arch/arch.h"
#include "keys/plan.h"

/* ---- segments and sections ---- */

static void read_segments(struct symbols_elf *e)
{
	size_t count = 0;
	GElf_Phdr segment;
	elf_getphdrnum(e->elf, &count);
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(e->elf, (int)i, &segment) && segment.p_type == PT_LOAD && segment.p_flags & PF_X &&
		    segment.p_vaddr + segment.p_filesz > segment.p_vaddr)
			symbols_ranges_add(&e->code, segment.p_vaddr, segment.p_vaddr + segment.p_filesz, (uint32_t)i);
	symbols_ranges_sort(&e->code);
}

static void read_sections(struct symbols_elf *e)
{
	size_t names;
	GElf_Shdr header;
	if (elf_getshdrstrndx(e->elf, &names) < 0)
		return;
	for (Elf_Scn *s = elf_nextscn(e->elf, NULL); s; s = elf_nextscn(e->elf, s)) {
		if (!gelf_getshdr(s, &header) || !(header.sh_flags & SHF_ALLOC) || !(header.sh_flags & SHF_EXECINSTR) ||
		    header.sh_addr + header.sh_size < header.sh_addr)
			continue;
		const char *name = elf_strptr(e->elf, names, header.sh_name);
		symbols_ranges_add(&e->in_section, header.sh_addr, header.sh_addr + header.sh_size, (uint32_t)e->section_count);
		MEMORY_GROW(e->sections, e->section_count, e->section_room);
		e->sections[e->section_count++] = (struct symbols_section){.name = pool_text(&e->pool, name ? name : ""),
		                                                           .low = header.sh_addr,
		                                                           .high = header.sh_addr + header.sh_size,
		                                                           .entry_bytes = header.sh_entsize};
	}
	symbols_ranges_sort(&e->in_section);
}

const struct symbols_section *symbols_elf_section(const struct symbols_elf *e, uint64_t address)
{
	const struct symbols_range *hit = symbols_ranges_find(&e->in_section, address);
	return hit ? &e->sections[hit->what] : NULL;
}

/* Code that linkers left out of a file keeps its debug information, with addresses near 0 or behind the end of the
 * file. */
bool symbols_elf_is_code(const struct symbols_elf *e, uint64_t low, uint64_t high)
{
	const struct symbols_range *hit = low >= sizeof(Elf64_Ehdr) ? symbols_ranges_find(&e->code, low) : NULL;
	return hit && low < high && high <= hit->high;
}

size_t symbols_elf_read(const struct symbols_elf *e, uint64_t address, void *to, size_t bytes)
{
	size_t count = 0;
	GElf_Phdr segment;
	elf_getphdrnum(e->elf, &count);
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(e->elf, (int)i, &segment) || segment.p_type != PT_LOAD || address < segment.p_vaddr ||
		    address - segment.p_vaddr >= segment.p_filesz)
			continue;
		uint64_t skip = address - segment.p_vaddr;
		if (bytes > segment.p_filesz - skip)
			bytes = segment.p_filesz - skip;
		uint64_t offset = segment.p_offset + skip;
		if (offset < skip || offset > e->image.size || bytes > e->image.size - offset)
			return 0;
		memcpy(to, e->image.bytes + offset, bytes);
		return bytes;
	}
	return 0;
}

/* ---- names ---- */

/* The usual name is the public one with the fewest underscores: of __libc_malloc, malloc and __malloc it is malloc. */
static uint8_t rank_of(const GElf_Sym *symbol, const char *name)
{
	size_t underscores = strspn(name, "_");
	return (uint8_t)((symbol->st_size > 0) << 6 | (GELF_ST_TYPE(symbol->st_info) != STT_NOTYPE) << 5 |
	                 (GELF_ST_BIND(symbol->st_info) != STB_LOCAL) << 4 | (underscores < 15 ? 15 - underscores : 0));
}

char *symbols_elf_own(struct pool *pool, const char *symbol)
{
	char *mine = pool_text(pool, symbol), *ending;
	mine[strcspn(mine, "@")] = 0;
	ending = strstr(mine, PLAN_PARTS_ENDING);
	if (ending && strspn(ending + strlen(PLAN_PARTS_ENDING), ".0123456789") == strlen(ending + strlen(PLAN_PARTS_ENDING)))
		*ending = 0;
	return mine;
}

static bool is_routine(const struct symbols_elf *e, const GElf_Sym *symbol)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info);
	return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS &&
		symbols_elf_is_code(e, symbol->st_value, symbol->st_value + 1) &&
		(type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_NOTYPE && symbols_elf_section(e, symbol->st_value)));
}

static void add_symbol(struct symbols_elf *e, const GElf_Sym *symbol, const char *name)
{
	if (!name || !*name || strncmp(name, ".L", 2) == 0 || !is_routine(e, symbol))
		return;
	char *mine = symbols_elf_own(&e->pool, name);
	MEMORY_GROW(e->names, e->name_count, e->name_room);
	e->names[e->name_count++] = (struct symbols_name){mine, symbol->st_value, symbol->st_size,
	                                                  GELF_ST_BIND(symbol->st_info) != STB_LOCAL, rank_of(symbol, mine)};
}

static void read_symbols(struct symbols_elf *e, Elf *elf, GElf_Word kind)
{
	GElf_Shdr header;
	GElf_Sym symbol;
	for (Elf_Scn *s = elf ? elf_nextscn(elf, NULL) : NULL; s; s = elf_nextscn(elf, s)) {
		if (!gelf_getshdr(s, &header) || header.sh_type != kind)
			continue;
		Elf_Data *data = elf_getdata(s, NULL);
		size_t count = data ? data->d_size / sizeof(Elf64_Sym) : 0;
		for (size_t i = 1; i < count; i++)
			if (gelf_getsym(data, (int)i, &symbol))
				add_symbol(e, &symbol, elf_strptr(elf, header.sh_link, symbol.st_name));
	}
}

static int by_address(const void *a, const void *b)
{
	const struct symbols_name *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	return strcmp(x->linkage, y->linkage);
}

static void sort_names(struct symbols_elf *e)
{
	size_t kept = 0;
	if (e->name_count)
		qsort(e->names, e->name_count, sizeof *e->names, by_address);
	for (size_t i = 0; i < e->name_count; i++)
		if (kept == 0 || e->names[kept - 1].address != e->names[i].address)
			e->names[kept++] = e->names[i];
	e->name_count = kept;
	for (size_t i = 0; i < kept; i++) {
		const struct symbols_name *n = &e->names[i];
		const struct symbols_section *section = symbols_elf_section(e, n->address);
		uint64_t end = section ? section->high : n->address + 1;
		if (n->size)
			symbols_ranges_add(&e->sized, n->address, n->address + n->size, (uint32_t)i);
		else
			symbols_ranges_add(&e->unsized, n->address, i + 1 < kept && n[1].address < end ? n[1].address : end, (uint32_t)i);
	}
	symbols_ranges_sort(&e->sized);
	symbols_ranges_sort(&e->unsized);
}

const struct symbols_name *symbols_elf_name(const struct symbols_elf *e, uint64_t address)
{
	const struct symbols_range *hit = symbols_ranges_find(&e->sized, address);
	if (!hit)
		hit = symbols_ranges_find(&e->unsized, address);
	return hit ? &e->names[hit->what] : NULL;
}

const struct symbols_name *symbols_elf_name_at(const struct symbols_elf *e, uint64_t address)
{
	const struct symbols_name *n = symbols_elf_name(e, address);
	return n && n->address == address ? n : NULL;
}

/* Few variables are ever asked for, so nothing is kept sorted. A variable that begins later is a part of the other. */
static void find_variable(Elf *elf, GElf_Word kind, uint64_t address, const char **name, uint64_t *from)
{
	GElf_Shdr header;
	GElf_Sym symbol;
	for (Elf_Scn *s = elf ? elf_nextscn(elf, NULL) : NULL; s; s = elf_nextscn(elf, s)) {
		if (!gelf_getshdr(s, &header) || header.sh_type != kind)
			continue;
		Elf_Data *data = elf_getdata(s, NULL);
		size_t count = data ? data->d_size / sizeof(Elf64_Sym) : 0;
		for (size_t i = 1; i < count; i++) {
			if (!gelf_getsym(data, (int)i, &symbol) || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT ||
			    address < symbol.st_value || address - symbol.st_value >= symbol.st_size || (*name && symbol.st_value <= *from))
				continue;
			const char *text = elf_strptr(elf, header.sh_link, symbol.st_name);
			if (text && *text) {
				*name = text;
				*from = symbol.st_value;
			}
		}
	}
}

const char *symbols_elf_variable(const struct symbols_elf *e, uint64_t address)
{
	const char *name = NULL;
	uint64_t from = 0;
	find_variable(e->elf, SHT_SYMTAB, address, &name, &from);
	find_variable(e->elf, SHT_DYNSYM, address, &name, &from);
	find_variable(e->debug, SHT_SYMTAB, address, &name, &from);
	return name;
}

/* ---- beginnings of routines ---- */

/* The only form of .eh_frame_hdr that linkers write: its own address first, then the count, then pairs of 32-bit
 * distances from its beginning. */
struct unwind_table {
	uint8_t version, eh_frame_form, count_form, pair_form;
	int32_t eh_frame;
	uint32_t count;
};

enum { FORM_COUNT = 0x03, FORM_PAIR = 0x3b };

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static void read_starts(struct symbols_elf *e)
{
	size_t count = 0;
	GElf_Phdr segment;
	struct unwind_table table;
	elf_getphdrnum(e->elf, &count);
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(e->elf, (int)i, &segment) || segment.p_type != PT_GNU_EH_FRAME ||
		    symbols_elf_read(e, segment.p_vaddr, &table, sizeof table) < sizeof table || table.version != 1 ||
		    table.count_form != FORM_COUNT || table.pair_form != FORM_PAIR || table.count > e->image.size / sizeof(int32_t[2]))
			continue;
		int32_t(*pairs)[2] = memory_resize(NULL, table.count, sizeof *pairs);
		size_t got = symbols_elf_read(e, segment.p_vaddr + sizeof table, pairs, table.count * sizeof *pairs) / sizeof *pairs;
		for (size_t k = 0; k < got; k++) {
			MEMORY_GROW(e->starts, e->start_count, e->start_room);
			e->starts[e->start_count++] = segment.p_vaddr + (uint64_t)(int64_t)pairs[k][0];
		}
		free(pairs);
	}
	if (e->start_count)
		qsort(e->starts, e->start_count, sizeof *e->starts, by_number);
}

/* How many routines begin at or before an address. */
static size_t starts_until(const struct symbols_elf *e, uint64_t address)
{
	size_t from = 0, to = e->start_count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (e->starts[middle] <= address)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

uint64_t symbols_elf_start(const struct symbols_elf *e, uint64_t address)
{
	size_t until = starts_until(e, address);
	const struct symbols_range *mine = symbols_ranges_find(&e->code, address);
	return until > 0 && mine && e->starts[until - 1] >= mine->low ? e->starts[until - 1] : address;
}

uint64_t symbols_elf_start_after(const struct symbols_elf *e, uint64_t address)
{
	size_t until = starts_until(e, address);
	const struct symbols_range *mine = symbols_ranges_find(&e->code, address);
	if (until == 0 || !mine)
		return address;
	return until < e->start_count && e->starts[until] < mine->high ? e->starts[until] : mine->high;
}

/* ---- the file ---- */

static bool is_vdso(const char *path)
{
	return strcmp(path, "[vdso]") == 0 || strncmp(path, "linux-vdso", 10) == 0;
}

static bool read_vdso(struct symbols_image *image)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR);
	if (header)
		symbols_image_copy(image, header, header->e_shoff + (size_t)header->e_shnum * header->e_shentsize);
	return header;
}

static bool is_ours(Elf *elf, const char *build_id)
{
	GElf_Ehdr header;
	char mine[129];
	if (elf_kind(elf) != ELF_K_ELF || gelf_getclass(elf) != ELFCLASS64 || !gelf_getehdr(elf, &header) ||
	    header.e_machine != ARCH_ELF_MACHINE || (header.e_type != ET_EXEC && header.e_type != ET_DYN))
		return false;
	symbols_debug_id(elf, mine);
	return !*build_id || strcmp(mine, build_id) == 0;
}

bool symbols_elf_open(struct symbols_elf *e, const char *path, const char *build_id)
{
	*e = (struct symbols_elf){0};
	elf_version(EV_CURRENT);
	if (is_vdso(path) ? read_vdso(&e->image) : symbols_image_open(&e->image, path))
		e->elf = elf_memory(e->image.bytes, e->image.size);
	if (!e->elf || !is_ours(e->elf, build_id)) {
		symbols_elf_close(e);
		return false;
	}
	symbols_debug_find(e, path);
	read_segments(e);
	read_sections(e);
	read_symbols(e, e->elf, SHT_SYMTAB);
	read_symbols(e, e->elf, SHT_DYNSYM);
	read_symbols(e, e->debug, SHT_SYMTAB);
	read_symbols(e, e->mini, SHT_SYMTAB);
	sort_names(e);
	read_starts(e);
	return true;
}

void symbols_elf_close(struct symbols_elf *e)
{
	elf_end(e->mini);
	elf_end(e->debug);
	elf_end(e->elf);
	symbols_image_close(&e->image);
	symbols_image_close(&e->debug_image);
	symbols_image_close(&e->mini_image);
	free(e->sections);
	free(e->names);
	free(e->starts);
	free(e->slots);
	free(e->bodies);
	free(e->slot_addresses);
	symbols_ranges_free(&e->in_section);
	symbols_ranges_free(&e->code);
	symbols_ranges_free(&e->sized);
	symbols_ranges_free(&e->unsized);
	pool_free(&e->pool);
	*e = (struct symbols_elf){0};
}
