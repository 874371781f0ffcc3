/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "valgrind/modules.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include <elf.h>

enum { NUMBER_MAX = 0xfffe, NOTES_MAX = 4096, HEADERS_MAX = 64 };

static struct module nowhere;
struct module *modules = &nowhere;

static Bool begins(const HChar *text, const HChar *with)
{
	return VG_(strncmp)(text, with, VG_(strlen)(with)) == 0;
}

static Bool read_at(Int file, uint64_t at, void *into, SizeT bytes)
{
	return VG_(lseek)(file, (Off64T)at, VKI_SEEK_SET) == (Off64T)at && VG_(read)(file, into, (Int)bytes) == (Int)bytes;
}

static void to_hex(HChar *hex, const UChar *bytes, SizeT count)
{
	static const HChar digits[] = "0123456789abcdef";
	for (SizeT i = 0; i < count; i++) {
		*hex++ = digits[bytes[i] >> 4];
		*hex++ = digits[bytes[i] & 15];
	}
	*hex = 0;
}

static void find_build_id(const UChar *notes, SizeT bytes, HChar *hex)
{
	while (bytes >= sizeof(Elf64_Nhdr)) {
		const Elf64_Nhdr *note = (const void *)notes;
		SizeT name = ((SizeT)note->n_namesz + 3) & ~(SizeT)3, text = ((SizeT)note->n_descsz + 3) & ~(SizeT)3;
		if (sizeof *note + name + text > bytes)
			return;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && VG_(memcmp)(note + 1, "GNU", 4) == 0 &&
		    note->n_descsz <= 20) {
			to_hex(hex, (const UChar *)(note + 1) + name, note->n_descsz);
			return;
		}
		notes += sizeof *note + name + text;
		bytes -= sizeof *note + name + text;
	}
}

static void read_file(struct module *m)
{
	Int file = VG_(fd_open)(m->path, VKI_O_RDONLY, 0);
	if (file < 0)
		return;
	Elf64_Ehdr head;
	Elf64_Phdr part;
	static UChar notes[NOTES_MAX] __attribute__((aligned(8)));
	if (read_at(file, 0, &head, sizeof head) && VG_(memcmp)(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_phentsize == sizeof part) {
		m->is_static = head.e_type == ET_EXEC;
		for (UInt i = 0; i < head.e_phnum && i < HEADERS_MAX; i++) {
			if (!read_at(file, head.e_phoff + i * sizeof part, &part, sizeof part))
				break;
			m->is_static = m->is_static && part.p_type != PT_DYNAMIC;
			if (part.p_type == PT_NOTE && !m->build_id[0] && part.p_filesz <= sizeof notes &&
			    read_at(file, part.p_offset, notes, part.p_filesz))
				find_build_id(notes, part.p_filesz, m->build_id);
		}
	}
	VG_(close)(file);
}

static void classify(struct module *m)
{
	const HChar *name = VG_(basename)(m->path);
	m->is_loader = begins(name, "ld-linux") || begins(name, "ld.so") || begins(name, "ld-2.");
	m->is_threads = begins(name, "libgomp") || begins(name, "libomp") || begins(name, "libiomp5");
	m->is_library = m->is_threads || m->is_loader || begins(name, "libc.so") || begins(name, "libc-2.") || begins(name, "libpthread");
}

static struct module *add(const DebugInfo *info)
{
	if (modules->number >= NUMBER_MAX)
		return &nowhere;
	struct module *m = VG_(calloc)("skein.module", 1, sizeof *m);
	m->number = modules->number + 1;
	m->start = VG_(DebugInfo_get_text_avma)(info);
	m->end = m->start + VG_(DebugInfo_get_text_size)(info);
	m->bias = (Addr)VG_(DebugInfo_get_text_bias)(info);
	m->path = VG_(strdup)("skein.module", VG_(DebugInfo_get_filename)(info));
	read_file(m);
	classify(m);
	m->next = modules;
	modules = m;
	return m;
}

struct module *modules_at(Addr address)
{
	if (!nowhere.path)
		nowhere.path = VG_(strdup)("skein.module", "");
	const DebugInfo *info = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), address);
	if (!info)
		return &nowhere;
	Addr start = VG_(DebugInfo_get_text_avma)(info);
	for (struct module *m = modules; m; m = m->next)
		if (!m->is_gone && m->start == start && m != &nowhere)
			return m;
	return add(info);
}

Bool modules_unmapped(Addr start, SizeT bytes)
{
	Bool any = False;
	for (struct module *m = modules; m; m = m->next)
		if (!m->is_gone && m->start < start + bytes && start < m->end)
			any = m->is_gone = True;
	return any;
}
