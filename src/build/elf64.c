/* SPDX-License-Identifier: MIT */
/* elf64.c: sections of ELF files, bounds checked.
 *
 * libelf reads segments, notes and the dynamic section. Sections are found by hand, since adding, hiding and replacing
 * them works on the bytes of the section table, which libelf writes only when it writes the whole file anew. */
#include "build/elf64.h"

#include <elf.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The section table, once every offset in it was found to lie inside the file. Headers are copied out one at a time:
 * a file may place them at an odd address. */
struct sections {
	struct blob file;
	Elf64_Ehdr header;
	uint64_t count, names;
};

static bool inside(struct blob file, uint64_t offset, uint64_t size)
{
	return offset <= file.size && size <= file.size - offset;
}

static bool is_elf64(struct blob file, Elf64_Ehdr *header)
{
	if (file.size < sizeof *header)
		return false;
	memcpy(header, file.at, sizeof *header);
	return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
		header->e_ident[EI_DATA] == ELFDATA2LSB;
}

int elf64_type(struct blob file)
{
	Elf64_Ehdr header;
	return is_elf64(file, &header) ? header.e_type : -1;
}

static Elf64_Shdr section_header(const struct sections *s, uint64_t i)
{
	Elf64_Shdr header;
	memcpy(&header, s->file.at + s->header.e_shoff + i * sizeof header, sizeof header);
	return header;
}

/* A count or index that does not fit in 16 bits stands in section 0. */
static bool sections_open(struct sections *s, struct blob file)
{
	s->file = file;
	if (!is_elf64(file, &s->header) || s->header.e_shentsize != sizeof(Elf64_Shdr) || s->header.e_shoff == 0 ||
	    !inside(file, s->header.e_shoff, sizeof(Elf64_Shdr)))
		return false;
	Elf64_Shdr first = section_header(s, 0);
	s->count = s->header.e_shnum ? s->header.e_shnum : first.sh_size;
	s->names = s->header.e_shstrndx == SHN_XINDEX ? first.sh_link : s->header.e_shstrndx;
	return s->count <= file.size / sizeof(Elf64_Shdr) && inside(file, s->header.e_shoff, s->count * sizeof(Elf64_Shdr)) &&
		s->names < s->count;
}

static bool section_bytes(const struct sections *s, const Elf64_Shdr *header, struct blob *contents)
{
	if (header->sh_type == SHT_NOBITS || !inside(s->file, header->sh_offset, header->sh_size))
		return false;
	*contents = (struct blob){s->file.at + header->sh_offset, header->sh_size};
	return true;
}

/* A string inside a string table, or NULL when it does not end there. */
static const char *string_at(struct blob table, uint64_t offset)
{
	if (offset >= table.size || !memchr(table.at + offset, 0, table.size - offset))
		return NULL;
	return (const char *)table.at + offset;
}

/* The next section after *i with this name; starts with *i = 0, since section 0 has none. */
static bool next_named(const struct sections *s, const char *name, uint64_t *i, Elf64_Shdr *found)
{
	Elf64_Shdr header = section_header(s, s->names);
	struct blob names;

	if (!section_bytes(s, &header, &names))
		return false;
	while (++*i < s->count) {
		*found = section_header(s, *i);
		const char *text = string_at(names, found->sh_name);
		if (text && strcmp(text, name) == 0)
			return true;
	}
	return false;
}

bool elf64_section(struct blob file, const char *name, struct blob *contents)
{
	struct sections s;
	Elf64_Shdr header;
	uint64_t i = 0;

	return sections_open(&s, file) && next_named(&s, name, &i, &header) && section_bytes(&s, &header, contents);
}

static void see_symbols(struct blob file, const char *table_name, const char *strings_name,
                        void (*see)(void *context, const struct elf64_symbol *symbol), void *context)
{
	struct blob table, strings;
	Elf64_Sym symbol;

	if (!elf64_section(file, table_name, &table) || !elf64_section(file, strings_name, &strings))
		return;
	for (size_t at = 0; table.size - at >= sizeof symbol; at += sizeof symbol) {
		memcpy(&symbol, table.at + at, sizeof symbol);
		const char *name = string_at(strings, symbol.st_name);
		if (name && *name)
			see(context,
			    &(struct elf64_symbol){.name = name,
			                           .section = symbol.st_shndx,
			                           .value = symbol.st_value,
			                           .is_defined = symbol.st_shndx != SHN_UNDEF,
			                           .is_local = ELF64_ST_BIND(symbol.st_info) == STB_LOCAL,
			                           .is_function = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC,
			                           .is_resolved = ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC});
	}
}

void elf64_symbols(struct blob file, void (*see)(void *context, const struct elf64_symbol *symbol), void *context)
{
	see_symbols(file, ".symtab", ".strtab", see, context);
}

void elf64_dynamic_symbols(struct blob file, void (*see)(void *context, const struct elf64_symbol *symbol), void *context)
{
	see_symbols(file, ".dynsym", ".dynstr", see, context);
}

/* libelf's view of the file, for segments and the dynamic section; NULL if it is not such an ELF file. */
static Elf *view(struct blob file)
{
	Elf64_Ehdr header;
	elf_version(EV_CURRENT);
	return is_elf64(file, &header) ? elf_memory((char *)file.at, file.size) : NULL;
}

bool elf64_build_id(struct blob file, char hex[65])
{
	const void *id;
	Elf *elf = view(file);
	ssize_t bytes = elf ? dwelf_elf_gnu_build_id(elf, &id) : 0;
	bool found = bytes > 0 && bytes <= 32;

	for (ssize_t i = 0; found && i < bytes; i++)
		sprintf(hex + 2 * i, "%02x", ((const unsigned char *)id)[i]);
	hex[found ? 2 * bytes : 0] = 0;
	elf_end(elf);
	return found;
}

/* A path that does not lie in the file is empty. */
static char *interpreter_of(Elf *elf, struct blob file)
{
	size_t count = 0;
	GElf_Phdr segment;

	elf_getphdrnum(elf, &count);
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_INTERP)
			continue;
		bool inside =
			segment.p_offset <= file.size && segment.p_filesz <= file.size - segment.p_offset && segment.p_filesz <= PATH_MAX;
		return inside ? str_format("%.*s", (int)segment.p_filesz, (const char *)file.at + segment.p_offset) : str_copy("");
	}
	return NULL;
}

static void dynamic_entry(struct elf64_dynamic *dynamic, GElf_Sxword tag, const char *text)
{
	char **field = tag == DT_SONAME ? &dynamic->soname
		: tag == DT_RPATH       ? &dynamic->rpath
		: tag == DT_RUNPATH     ? &dynamic->runpath
					: NULL;

	if (!text)
		return;
	if (tag == DT_NEEDED)
		strv_add(&dynamic->needed, text);
	else if (field && !*field)
		*field = str_copy(text);
}

void elf64_dynamic(struct blob file, struct elf64_dynamic *dynamic)
{
	Elf *elf = view(file);
	GElf_Shdr header;
	GElf_Dyn entry;

	*dynamic = (struct elf64_dynamic){0};
	if (!elf)
		return;
	dynamic->interpreter = interpreter_of(elf, file);
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		Elf_Data *data;
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC || !(data = elf_getdata(section, NULL)))
			continue;
		dynamic->present = true;
		for (int i = 0; gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++)
			dynamic_entry(dynamic, entry.d_tag, elf_strptr(elf, header.sh_link, entry.d_un.d_val));
	}
	elf_end(elf);
}

void elf64_dynamic_free(struct elf64_dynamic *dynamic)
{
	strv_free(&dynamic->needed);
	free(dynamic->interpreter);
	free(dynamic->soname);
	free(dynamic->rpath);
	free(dynamic->runpath);
	*dynamic = (struct elf64_dynamic){0};
}

static int write_at(int fd, const void *bytes, size_t size, uint64_t offset)
{
	const char *p = bytes;
	while (size) {
		ssize_t n = pwrite(fd, p, size, (off_t)offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		p += n, size -= (size_t)n, offset += (uint64_t)n;
	}
	return 0;
}

/* What goes to the end of the file, put together in memory: contents, names, table. */
struct tail {
	FILE *stream;
	uint64_t base; /* offset in the file of its first byte */
};

static uint64_t tail_add(struct tail *tail, const void *bytes, size_t size)
{
	while ((tail->base + (uint64_t)ftell(tail->stream)) % 16)
		fputc(0, tail->stream);
	uint64_t offset = tail->base + (uint64_t)ftell(tail->stream);
	fwrite(bytes, 1, size, tail->stream);
	return offset;
}

static Elf64_Shdr added_header(const struct elf64_addition *more, uint64_t name, uint64_t offset)
{
	return (Elf64_Shdr){.sh_name = (Elf64_Word)name,
	                    .sh_type = more->type,
	                    .sh_flags = more->flags,
	                    .sh_offset = offset,
	                    .sh_size = more->contents.size,
	                    .sh_addralign = 1};
}

static Elf64_Ehdr compose_tail(struct tail *tail, const struct sections *s, struct blob names, const struct elf64_addition *more,
                               size_t count)
{
	Elf64_Shdr *table = mem_or_die(malloc((s->count + count) * sizeof *table));
	size_t names_bytes = names.size;
	Elf64_Ehdr header = s->header;
	char *text;
	FILE *longer = mem_or_die(open_memstream(&text, &names_bytes));

	for (uint64_t i = 0; i < s->count; i++)
		table[i] = section_header(s, i);
	fwrite(names.at, 1, names.size, longer);
	for (size_t i = 0; i < count; i++) {
		uint64_t offset = tail_add(tail, more[i].contents.at, more[i].contents.size);
		table[s->count + i] = added_header(&more[i], (uint64_t)ftell(longer), offset);
		fwrite(more[i].name, 1, strlen(more[i].name) + 1, longer);
	}
	fclose(longer);
	table[s->names].sh_offset = tail_add(tail, text, names_bytes);
	table[s->names].sh_size = names_bytes;
	uint64_t total = s->count + count;
	header.e_shnum = total < SHN_LORESERVE ? (Elf64_Half)total : 0;
	if (total >= SHN_LORESERVE)
		table[0].sh_size = total;
	header.e_shoff = tail_add(tail, table, total * sizeof *table);
	free(text);
	free(table);
	return header;
}

int elf64_add(const char *path, const struct elf64_addition *more, size_t count, struct fail *why)
{
	struct blob file, names;
	struct sections s;

	if (blob_read(path, &file, why) < 0)
		return -1;
	bool good = sections_open(&s, file);
	Elf64_Shdr names_header = good ? section_header(&s, s.names) : (Elf64_Shdr){0};
	/* Names that the loader maps cannot be moved. */
	if (!good || !section_bytes(&s, &names_header, &names) || names_header.sh_flags & SHF_ALLOC) {
		blob_free(&file);
		return fail_set(why, FAIL_CANNOT_RUN, "cannot add a section to %s: it is not a 64-bit ELF file with a section table", path);
	}
	char *bytes;
	size_t size;
	struct tail tail = {.stream = mem_or_die(open_memstream(&bytes, &size)), .base = file.size};
	Elf64_Ehdr header = compose_tail(&tail, &s, names, more, count);
	fclose(tail.stream);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int failed = fd < 0 || write_at(fd, bytes, size, file.size) < 0 || write_at(fd, &header, sizeof header, 0) < 0;
	int error = errno;
	if (fd >= 0 && close(fd) < 0 && !failed)
		failed = 1, error = errno;
	free(bytes);
	blob_free(&file);
	return failed ? fail_set(why, FAIL_INTERNAL, "cannot add a section to %s: %s", path, strerror(error)) : 0;
}

size_t elf64_hide(unsigned char *file, size_t size, const char *name)
{
	struct sections s;
	Elf64_Shdr header;
	size_t hidden = 0;

	if (!sections_open(&s, (struct blob){file, size}))
		return 0;
	for (uint64_t i = 0; next_named(&s, name, &i, &header); hidden++) {
		header.sh_name = 0;
		header.sh_type = SHT_PROGBITS;
		memcpy(file + s.header.e_shoff + i * sizeof header, &header, sizeof header);
	}
	return hidden;
}

bool elf64_replace(unsigned char *file, size_t size, const char *to, const char *from)
{
	struct sections s;
	Elf64_Shdr old, new;
	uint64_t i = 0, k = 0;

	if (!sections_open(&s, (struct blob){file, size}) || !next_named(&s, to, &i, &old) || !next_named(&s, from, &k, &new))
		return false;
	new.sh_name = old.sh_name;
	new.sh_type = old.sh_type;
	memcpy(file + s.header.e_shoff + k * sizeof new, &new, sizeof new);
	old.sh_name = 0;
	old.sh_type = SHT_PROGBITS;
	memcpy(file + s.header.e_shoff + i * sizeof old, &old, sizeof old);
	return true;
}
