/* SPDX-License-Identifier: MIT */
/* modules.c: a table of files that only grows.
 *
 * Problem: a signal handler wants to know what file an address belongs to while another thread, or the one that it
 * interrupted, is in the middle of dlopen, dlclose or this very code; and an object may be unmapped while its headers
 * are being read.
 * Idea: _dl_find_object tells what is mapped, without a lock. What was seen is kept in an array that is only added to;
 * an open hash table of indices, each set once by compare-and-swap, finds it by where it was mapped. A module that was
 * last seen in an older generation is compared with what is mapped there now (path, build-id and program headers, read
 * through the kernel) before it is believed.
 * Cost: some 50 ns when nothing was closed meanwhile, some 10 us for each module that may have been. Two threads that
 * see a file first at the same time leave a number unused. */
#include "unwind/modules.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include "arch/subject.h"
#include "core/hash.h"
#include "raw/kernel.h"
#include "raw/writer.h"
#include "threads/helpers.h"
#include "unwind/memory.h"

enum { SLOTS = 4 * MODULES_MAX, BUILD_ID_MAX = 64, PATH_LIMIT = 4096, NOTES_MAX = 16, PHDRS_MAX = 64, TRIES = 3, CONTEXT_END_BYTES = 32 };

static struct {
	struct module all[MODULES_MAX];
	atomic_uint count;
	_Atomic uint32_t slots[SLOTS]; /* index + 1, or 0 */
	_Atomic uint32_t generation;
	uintptr_t vdso;
	uintptr_t program_header; /* of the program, at its first byte */
	uintptr_t context_end;
	char program[PATH_LIMIT];
} modules;

const bool modules_are_here = true;

/* What the file at an address says of itself. */
struct image {
	uintptr_t start, end, bias, entry, path;
	size_t path_bytes; /* without its zero */
	uint64_t path_hash;
	unsigned char build_id[BUILD_ID_MAX];
	size_t build_id_bytes;
	uint64_t identity;
};

/* Length of a string that may not be there, and its hash. */
static size_t measure_path(uintptr_t path, uint64_t *hash)
{
	char piece[64];
	for (size_t length = 0; length < PATH_LIMIT - sizeof piece;) {
		size_t bytes = sizeof piece - (path + length) % sizeof piece; /* never over the end of a page */
		if (!memory_copy(path + length, piece, bytes))
			return 0;
		const char *zero = memchr(piece, 0, bytes);
		size_t used = zero ? (size_t)(zero - piece) : bytes;
		*hash = hash_bytes(*hash, piece, used);
		length += used;
		if (zero)
			return length;
	}
	return 0;
}

static void read_build_id(struct image *image, uintptr_t notes, size_t bytes)
{
	uintptr_t end = notes + bytes;
	for (int i = 0; i < NOTES_MAX && end - notes >= sizeof(ElfW(Nhdr)) && end > notes; i++) {
		ElfW(Nhdr) note;
		if (!memory_copy(notes, &note, sizeof note))
			return;
		uintptr_t text = notes + sizeof note + ((note.n_namesz + 3u) & ~(size_t)3);
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && note.n_descsz <= BUILD_ID_MAX &&
		    memory_copy(text, image->build_id, note.n_descsz)) {
			image->build_id_bytes = note.n_descsz;
			return;
		}
		notes = text + ((note.n_descsz + 3u) & ~(size_t)3);
	}
}

static bool has_header(uintptr_t at, ElfW(Ehdr) * elf)
{
	return memory_copy(at, elf, sizeof *elf) && memcmp(elf->e_ident, ELFMAG, SELFMAG) == 0 && elf->e_phentsize == sizeof(ElfW(Phdr));
}

/* An object with holes between its segments is found by each of them. The header is where the first one begins, which is at the bias unless
 * the program has fixed addresses. */
static bool find_header(const struct image *image, uintptr_t *at, ElfW(Ehdr) * elf)
{
	uintptr_t tries[] = {image->start, image->bias, image->path == (uintptr_t)modules.program ? modules.program_header : 0};
	for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
		if (tries[i] && has_header(*at = tries[i], elf))
			return true;
	return false;
}

static void read_headers(struct image *image)
{
	ElfW(Ehdr) elf;
	ElfW(Phdr) segment;
	uintptr_t at;
	if (!find_header(image, &at, &elf))
		return;
	image->entry = elf.e_entry ? image->bias + elf.e_entry : 0;
	for (unsigned i = 0; i < elf.e_phnum && i < PHDRS_MAX; i++) {
		if (!memory_copy(at + elf.e_phoff + i * sizeof segment, &segment, sizeof segment))
			return;
		image->identity = hash_bytes(image->identity, &segment, sizeof segment);
		uintptr_t from = image->bias + segment.p_vaddr, to = from + segment.p_memsz;
		if (segment.p_type == PT_NOTE && !image->build_id_bytes)
			read_build_id(image, from, segment.p_memsz);
		if (segment.p_type == PT_LOAD) {
			image->start = from < image->start ? from & -(uintptr_t)ARCH_PAGE_BYTES : image->start;
			image->end = to > image->end ? to : image->end;
		}
	}
}

static bool image_read(struct image *image, const struct dl_find_object *object)
{
	struct link_map map;
	memset(image, 0, sizeof *image);
	if (!memory_copy((uintptr_t)object->dlfo_link_map, &map, offsetof(struct link_map, l_ld)))
		return false;
	image->start = (uintptr_t)object->dlfo_map_start;
	image->end = (uintptr_t)object->dlfo_map_end;
	image->bias = map.l_addr;
	image->path = (uintptr_t)object->dlfo_map_start == modules.vdso ? (uintptr_t)"[vdso]" : (uintptr_t)map.l_name;
	image->path_bytes = measure_path(image->path, &image->identity);
	if (!image->path_bytes) {
		image->path = (uintptr_t)modules.program; /* the program's own name is empty */
		image->path_bytes = measure_path(image->path, &image->identity);
	}
	image->path_hash = image->identity;
	read_headers(image);
	image->identity = hash_bytes(image->identity, image->build_id, image->build_id_bytes);
	return true;
}

/* An OpenMP runtime, by its name: it has frames on the stack before it has told anybody that it is one. */
static bool is_runtime(const char *path)
{
	static const char *const names[] = {"libomp.so", "libgomp.so", "libiomp5.so"};
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(base, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

bool module_is_runtime(uint32_t number)
{
	return number - 1 < MODULES_MAX && modules.all[number - 1].is_runtime;
}

/* Returns false, and records no path, if the file was closed meanwhile: the path of the next one may be in the same place. */
static bool record(struct module *m, const struct image *image)
{
	size_t text_bytes = 2 * image->build_id_bytes + 1 + image->path_bytes + 1;
	struct raw_module *r = raw_add(RAW_PENDING, sizeof *r + text_bytes);
	if (!r)
		return true;
	r->number = m->number;
	r->text_bytes = (uint32_t)text_bytes;
	r->start = m->start;
	r->end = m->end;
	r->bias = m->bias;
	char *to = r->text;
	for (size_t i = 0; i < image->build_id_bytes; i++) {
		*to++ = "0123456789abcdef"[image->build_id[i] >> 4];
		*to++ = "0123456789abcdef"[image->build_id[i] & 15];
	}
	*to++ = 0;
	bool is_there = memory_copy(image->path, to, image->path_bytes) && hash_bytes(0, to, image->path_bytes) == image->path_hash;
	if (!is_there)
		memset(to, 0, image->path_bytes);
	m->is_runtime = is_runtime(to);
	raw_done(&r->record, RAW_MODULE);
	atomic_store(&m->is_recorded, true);
	return is_there;
}

static bool is_at(const struct module *m, const struct dl_find_object *object)
{
	return m->link_map == object->dlfo_link_map && m->eh_frame_hdr == object->dlfo_eh_frame &&
		m->start <= (uintptr_t)object->dlfo_map_start && m->end >= (uintptr_t)object->dlfo_map_end;
}

static uint32_t first_slot(const struct dl_find_object *object)
{
	uint64_t key = (uint64_t)(uintptr_t)object->dlfo_eh_frame ^ (uint64_t)(uintptr_t)object->dlfo_link_map << 7;
	return (uint32_t)(hash_spread(key) >> 40) % SLOTS;
}

static struct module *create(const struct dl_find_object *object, const struct image *image, uint32_t generation)
{
	unsigned index = atomic_fetch_add(&modules.count, 1);
	if (index >= MODULES_MAX) {
		atomic_fetch_sub(&modules.count, 1);
		return NULL;
	}
	struct module *m = &modules.all[index];
	m->number = index + 1;
	atomic_store(&m->generation, generation);
	m->start = image->start;
	m->end = image->end;
	m->bias = image->bias;
	m->eh_frame_hdr = object->dlfo_eh_frame;
	m->link_map = object->dlfo_link_map;
	m->code = (uintptr_t)object->dlfo_map_start;
	m->entry = image->entry;
	m->identity = image->identity;
	return m;
}

/* The module that was seen at this place in this generation already. */
static struct module *find_seen(const struct dl_find_object *object, uint32_t generation)
{
	for (uint32_t at = first_slot(object), slot;; at = (at + 1) % SLOTS) {
		if (!(slot = atomic_load_explicit(&modules.slots[at], memory_order_acquire)))
			return NULL;
		struct module *m = &modules.all[slot - 1];
		if (is_at(m, object) && (m->stays || atomic_load_explicit(&m->generation, memory_order_relaxed) == generation))
			return m;
	}
}

/* The module that is at this place now: one that was there before, or a new one. */
static struct module *find_or_add(const struct dl_find_object *object, const struct image *image, uint32_t generation)
{
	struct module *fresh = NULL;
	for (uint32_t at = first_slot(object);; at = (at + 1) % SLOTS) {
		uint32_t slot = atomic_load_explicit(&modules.slots[at], memory_order_acquire);
		if (!slot) {
			if (!fresh && (!(fresh = create(object, image, generation)) || !record(fresh, image)))
				return NULL;
			if (atomic_compare_exchange_strong(&modules.slots[at], &slot, fresh->number))
				return fresh;
		}
		struct module *m = &modules.all[slot - 1];
		if (is_at(m, object) && m->identity == image->identity) {
			atomic_store_explicit(&m->generation, generation, memory_order_relaxed);
			return m;
		}
	}
}

/* A file that is closed while it is read may be half of one and half of another: then its generation has changed, and it is read again. */
struct module *module_at(uintptr_t ip)
{
	for (int i = 0; i < TRIES; i++) {
		uint32_t generation = modules_generation();
		struct dl_find_object object;
		struct image image;
		if (_dl_find_object((void *)ip, &object) != 0)
			return NULL;
		struct module *m = find_seen(&object, generation);
		if (m)
			return m;
		if (image_read(&image, &object) && modules_generation() == generation)
			return find_or_add(&object, &image, generation);
	}
	return NULL;
}

bool module_is_context_end(uintptr_t ip)
{
	return ip - modules.context_end < CONTEXT_END_BYTES;
}

uint32_t modules_generation(void)
{
	return atomic_load_explicit(&modules.generation, memory_order_acquire);
}

void modules_closed(void)
{
	atomic_fetch_add(&modules.generation, 1);
}

static int add_loaded(struct dl_phdr_info *info, size_t bytes, void *unused)
{
	(void)bytes, (void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		struct module *m = module_at(info->dlpi_addr + segment->p_vaddr);
		if (m)
			m->stays = true;
	}
	return 0;
}

static void nothing(void)
{
}

/* The address is private to the C library, but a context made for the purpose contains it. */
static uintptr_t find_context_end(void)
{
	static char stack[4096];
	static ucontext_t context;
	if (helpers.getcontext(&context) != 0)
		return 0;
	context.uc_stack.ss_sp = stack;
	context.uc_stack.ss_size = sizeof stack;
	helpers.makecontext(&context, nothing, 0);
	return *(uintptr_t *)arch_context_sp(&context);
}

void modules_start(void)
{
	int error = errno;
	/* Asks the kernel directly: interposed calls give the subject the name of the program that this one was made
	 * from. */
	long length = kernel_call(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", modules.program, sizeof modules.program - 1);
	modules.program[length > 0 ? length : 0] = 0;
	modules.vdso = helpers.getauxval(AT_SYSINFO_EHDR);
	modules.program_header = helpers.getauxval(AT_PHDR) & -(uintptr_t)ARCH_PAGE_BYTES;
	modules.context_end = find_context_end();
	helpers.dl_iterate_phdr(add_loaded, NULL);
	errno = error;
}

/* A thread of the parent may have stood between a module's number and its record. */
void modules_restart(void)
{
	unsigned count = atomic_load(&modules.count);
	for (unsigned i = 0; i < count && i < MODULES_MAX; i++) {
		struct module *m = &modules.all[i];
		struct dl_find_object object;
		struct image image;
		if (m->number && !atomic_load(&m->is_recorded) && _dl_find_object((void *)m->code, &object) == 0 && is_at(m, &object) &&
		    image_read(&image, &object))
			record(m, &image);
	}
}
