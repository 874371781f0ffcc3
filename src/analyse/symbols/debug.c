/* SPDX-License-Identifier: MIT */
/* debug.c: finds the debug information of a stripped file.
 *
 * Distributions keep it in a file of its own, found by build-id (/usr/lib/debug/.build-id/1f/0a….debug) or by the name
 * and checksum in .gnu_debuglink, beside the file, in .debug beside it, or at the same path under /usr/lib/debug. Some
 * also leave a small symbol table in the file itself, compressed (.gnu_debugdata). A debug file counts only if it has
 * the same build-id or, where there is none, the checksum. */
#include "analyse/symbols/elf.h"

#include <libgen.h>
#include <limits.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define DEBUG_FOLDER "/usr/lib/debug"

enum { MINI_LIMIT = 256 << 20 };

Elf_Scn *symbols_debug_section(Elf *elf, const char *name, GElf_Shdr *header)
{
	size_t names;
	if (!elf || elf_getshdrstrndx(elf, &names) < 0)
		return NULL;
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		const char *mine = gelf_getshdr(s, header) ? elf_strptr(elf, names, header->sh_name) : NULL;
		if (mine && strcmp(mine, name) == 0)
			return s;
	}
	return NULL;
}

static bool id_in_notes(Elf_Data *data, char hex[129])
{
	GElf_Nhdr note;
	size_t name, text;
	for (size_t at = 0; data && (at = gelf_getnote(data, at, &note, &name, &text)) > 0;) {
		const char *bytes = data->d_buf;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof "GNU" || memcmp(bytes + name, "GNU", sizeof "GNU") != 0 ||
		    note.n_descsz > 64)
			continue;
		for (size_t i = 0; i < note.n_descsz; i++)
			snprintf(hex + 2 * i, 3, "%02x", (unsigned char)bytes[text + i]);
		return note.n_descsz > 0;
	}
	return false;
}

/* Reads the build-id from the segments, which a loaded file always has, else from the sections, which a debug file
 * always has. */
bool symbols_debug_id(Elf *elf, char hex[129])
{
	size_t count = 0;
	GElf_Phdr segment;
	GElf_Shdr header;
	hex[0] = 0;
	elf_getphdrnum(elf, &count);
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_NOTE &&
		    id_in_notes(elf_getdata_rawchunk(elf, (int64_t)segment.p_offset, segment.p_filesz,
		                                     segment.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR),
		                hex))
			return true;
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s))
		if (gelf_getshdr(s, &header) && header.sh_type == SHT_NOTE && id_in_notes(elf_getdata(s, NULL), hex))
			return true;
	return false;
}

static bool checksum_is(const struct symbols_image *image, uint32_t wanted)
{
	return crc32_z(crc32_z(0, NULL, 0), (const unsigned char *)image->bytes, image->size) == wanted;
}

/* Takes the debug file if it belongs to this build: by build-id or, where there is none, by checksum. */
static bool take(struct symbols_elf *e, const char *path, const char *id, const uint32_t *checksum)
{
	char other[129];
	struct symbols_image image;
	Elf *elf = symbols_image_open(&image, path) ? elf_memory(image.bytes, image.size) : NULL;
	if (elf && elf_kind(elf) == ELF_K_ELF &&
	    (*id && symbols_debug_id(elf, other) ? strcmp(id, other) == 0 : checksum && checksum_is(&image, *checksum))) {
		e->debug = elf;
		e->debug_image = image;
		return true;
	}
	elf_end(elf);
	symbols_image_close(&image);
	return false;
}

static bool by_id(struct symbols_elf *e, const char *id)
{
	char path[PATH_MAX];
	if (strlen(id) < 4)
		return false;
	snprintf(path, sizeof path, DEBUG_FOLDER "/.build-id/%.2s/%s.debug", id, id + 2);
	return take(e, path, id, NULL);
}

static bool by_link(struct symbols_elf *e, const char *path, const char *id)
{
	GElf_Shdr header;
	Elf_Scn *section = symbols_debug_section(e->elf, ".gnu_debuglink", &header);
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
	const char *name = data ? data->d_buf : NULL;
	size_t length = name ? strnlen(name, data->d_size) : 0;
	size_t at = (length + 4) & ~(size_t)3;
	if (length == 0 || length > NAME_MAX || at + 4 > data->d_size || memchr(name, '/', length))
		return false;
	uint32_t checksum;
	memcpy(&checksum, name + at, 4);

	static const char *const ways[] = {"%s/%s", "%s/.debug/%s", DEBUG_FOLDER "%s/%s"};
	char real[PATH_MAX], try[2 * PATH_MAX];
	if (!realpath(path, real))
		return false;
	char *folder = dirname(real);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		snprintf(try, sizeof try, ways[i], strcmp(folder, "/") == 0 ? "" : folder, name);
		if (take(e, try, id, &checksum))
			return true;
	}
	return false;
}

/* The whole of a compressed section, or NULL. */
static unsigned char *unpack(const unsigned char *from, size_t bytes, size_t *unpacked)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret result = lzma_stream_decoder(&stream, MINI_LIMIT, 0);
	unsigned char *to = NULL;
	size_t room = 0;
	stream.next_in = from;
	stream.avail_in = bytes;
	while (result == LZMA_OK && room < MINI_LIMIT) {
		size_t had = room;
		room = room ? 2 * room : 1 << 16;
		to = memory_resize(to, room, 1);
		stream.next_out = to + had;
		stream.avail_out = room - had;
		while (result == LZMA_OK && stream.avail_out > 0)
			result = lzma_code(&stream, LZMA_FINISH);
	}
	*unpacked = (size_t)stream.total_out;
	lzma_end(&stream);
	if (result == LZMA_STREAM_END)
		return to;
	free(to);
	return NULL;
}

static void unpack_mini(struct symbols_elf *e)
{
	GElf_Shdr header;
	Elf_Scn *section = symbols_debug_section(e->elf, ".gnu_debugdata", &header);
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
	size_t bytes;
	unsigned char *unpacked = data && data->d_buf ? unpack(data->d_buf, data->d_size, &bytes) : NULL;
	if (!unpacked)
		return;
	symbols_image_copy(&e->mini_image, unpacked, bytes);
	free(unpacked);
	e->mini = elf_memory(e->mini_image.bytes, bytes);
	if (e->mini && elf_kind(e->mini) != ELF_K_ELF) {
		elf_end(e->mini);
		e->mini = NULL;
	}
}

void symbols_debug_find(struct symbols_elf *e, const char *path)
{
	char id[129];
	GElf_Shdr header;
	symbols_debug_id(e->elf, id);
	if (symbols_debug_section(e->elf, ".debug_info", &header) || symbols_debug_section(e->elf, ".zdebug_info", &header))
		return;
	if (!by_id(e, id) && !by_link(e, path, id))
		unpack_mini(e);
}
