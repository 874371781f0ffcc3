/* SPDX-License-Identifier: MIT */
#include "run/attach/files.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <time.h>
#include "analyse/symbols/image.h"
#include "arch/arch.h"
#include "base/memory.h"
#include "unwind/memory.h"
#include "unwind/unwind.h"

enum { MOST_HEADERS = 64, MOST_NOTES = 16, BUILD_ID_MAX = 64 };
#define LOOK_AGAIN_NS 100000000u /* for an address that was in no area a moment ago */

/* A line of /proc/PID/maps. */
struct area {
	uintptr_t start, end;
	uint64_t offset, inode;
	bool is_written, is_code;
	struct file *file; /* NULL: memory */
};

/* A file that is mapped, or was. */
struct file {
	struct module module;
	uint64_t inode;
	const char *path, *found; /* found: where skein sees it */
	char build_id[2 * BUILD_ID_MAX + 1];
	bool is_tried;
	struct symbols_image image;
};

static struct {
	pid_t pid;
	struct area *areas;
	size_t area_count, area_room;
	struct file **files;
	size_t file_count, file_room;
	uint32_t generation;
	bool is_stale;
	uint64_t looked_ns;
	struct pool pool;
	uintptr_t stack;
	const unsigned char *stack_bytes;
	size_t stack_count;
} files;

const bool modules_are_here = false;

/* ---- what is mapped ---- */

static struct area *area_at(uintptr_t address)
{
	size_t low = 0, high = files.area_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (files.areas[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < files.area_count && files.areas[low].start <= address ? &files.areas[low] : NULL;
}

/* In a container a path means another file, which is found below the root of the process. */
static const char *find_file(const char *path, uint64_t inode)
{
	struct stat here;
	if (*path != '/' || (stat(path, &here) == 0 && here.st_ino == inode))
		return path;
	char *there = pool_print(&files.pool, "/proc/%ld/root%s", (long)files.pid, path);
	return stat(there, &here) == 0 && here.st_ino == inode ? there : path;
}

static bool is_code_path(const char *path)
{
	return *path == '/' || strcmp(path, "[vdso]") == 0;
}

/* The mapping of a file that begins there: the one that was seen before, or a new one. */
static struct file *file_of(uintptr_t start, uint64_t inode, const char *path)
{
	for (size_t i = 0; i < files.file_count; i++) {
		struct file *f = files.files[i];
		if (f->module.start == start && f->inode == inode && strcmp(f->path, path) == 0)
			return f;
	}
	if (files.file_count == MODULES_MAX)
		return NULL;
	struct file *f = memory_zeroed(1, sizeof *f);
	f->path = pool_text(&files.pool, path);
	f->found = find_file(f->path, inode);
	f->inode = inode;
	f->module.number = (uint32_t)files.file_count + 1;
	f->module.start = start;
	MEMORY_GROW(files.files, files.file_count, files.file_room);
	files.files[files.file_count++] = f;
	return f;
}

/* The segments of one file follow each other; a second mapping of the file begins with its first byte again. */
static void add_area(const struct area *area, const char *path)
{
	struct area *last = files.area_count ? &files.areas[files.area_count - 1] : NULL;
	struct file *before = last ? last->file : NULL;
	MEMORY_GROW(files.areas, files.area_count, files.area_room);
	struct area *mine = &files.areas[files.area_count++];
	*mine = *area;
	if (!is_code_path(path))
		return;
	bool goes_on = before && area->offset && before->inode == area->inode && strcmp(before->path, path) == 0;
	mine->file = goes_on ? before : file_of(area->start, area->inode, path);
	if (mine->file)
		mine->file->module.end = area->end;
}

static void read_areas(void)
{
	char name[64], *line = NULL;
	size_t room = 0;
	snprintf(name, sizeof name, "/proc/%ld/maps", (long)files.pid);
	FILE *maps = fopen(name, "re");
	files.area_count = 0;
	while (maps && getline(&line, &room, maps) > 0) {
		struct area area = {0};
		char rights[5] = "";
		unsigned major, minor;
		int path = 0;
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %n", &area.start, &area.end, rights, &area.offset, &major, &minor, &area.inode,
		           &path) < 7 ||
		    !path)
			continue;
		area.is_written = rights[1] == 'w';
		area.is_code = rights[2] == 'x';
		add_area(&area, line + path);
	}
	free(line);
	if (maps)
		fclose(maps);
}

/* ---- what a file says of itself ---- */

static bool read_build_id(struct file *f, uintptr_t at, size_t bytes)
{
	unsigned char id[BUILD_ID_MAX];
	Elf64_Nhdr note;
	uintptr_t end = at + bytes;
	for (int i = 0; i < MOST_NOTES && at < end && end - at >= sizeof note && memory_copy(at, &note, sizeof note); i++) {
		uintptr_t text = at + sizeof note + ((note.n_namesz + 3u) & ~(size_t)3);
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && note.n_descsz <= BUILD_ID_MAX &&
		    memory_copy(text, id, note.n_descsz)) {
			for (unsigned k = 0; k < note.n_descsz; k++)
				snprintf(f->build_id + 2ul * k, 3, "%02x", id[k]);
			return true;
		}
		at = text + ((note.n_descsz + 3u) & ~(size_t)3);
	}
	return false;
}

/* Segments are where the file says, moved by one distance. The header is in the first of them. */
static void read_file(struct file *f)
{
	struct module *m = &f->module;
	Elf64_Ehdr elf;
	Elf64_Phdr segments[MOST_HEADERS];
	if (!memory_copy(m->start, &elf, sizeof elf) || memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 || elf.e_ident[EI_CLASS] != ELFCLASS64 ||
	    elf.e_phentsize != sizeof *segments)
		return;
	size_t count = elf.e_phnum < MOST_HEADERS ? elf.e_phnum : MOST_HEADERS;
	if (!memory_copy(m->start + elf.e_phoff, segments, count * sizeof *segments))
		return;
	m->bias = m->start;
	for (size_t i = count; i-- > 0;)
		if (segments[i].p_type == PT_LOAD && segments[i].p_offset < ARCH_PAGE_BYTES)
			m->bias = m->start - (segments[i].p_vaddr & -(uintptr_t)ARCH_PAGE_BYTES);
	m->entry = elf.e_entry ? m->bias + elf.e_entry : 0;
	for (size_t i = 0; i < count; i++) {
		uintptr_t at = m->bias + segments[i].p_vaddr;
		if (segments[i].p_type == PT_GNU_EH_FRAME)
			m->eh_frame_hdr = (const unsigned char *)at;
		else if (segments[i].p_type == PT_NOTE && !*f->build_id)
			read_build_id(f, at, segments[i].p_memsz);
	}
}

static bool is_openmp(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	return strncmp(base, "libomp.so", 9) == 0 || strncmp(base, "libgomp.so", 10) == 0 || strncmp(base, "libiomp5.so", 11) == 0;
}

static uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A file that was replaced by another one at the same place leaves rules in caches. */
static void look_again(void)
{
	files.is_stale = false;
	files.looked_ns = now_ns();
	read_areas();
	files.generation++;
}

/* ---- what the unwinder asks for ---- */

struct module *module_at(uintptr_t ip)
{
	struct area *area = area_at(ip);
	if (!area && now_ns() - files.looked_ns > LOOK_AGAIN_NS)
		files.is_stale = true;
	if (files.is_stale) {
		look_again();
		area = area_at(ip);
	}
	struct file *f = area ? area->file : NULL;
	if (f && !f->is_tried) {
		f->is_tried = true;
		f->module.is_runtime = is_openmp(f->path);
		read_file(f);
	}
	return f ? &f->module : NULL;
}

/* The C library says in its tables where a context of makecontext ends. */
bool module_is_context_end(uintptr_t ip)
{
	(void)ip;
	return false;
}

bool module_is_runtime(uint32_t number)
{
	return number - 1 < files.file_count && files.files[number - 1]->module.is_runtime;
}

uint32_t modules_generation(void)
{
	return files.generation;
}

static bool copy_from_file(const struct area *area, uintptr_t from, void *to, size_t bytes)
{
	struct file *f = area->file;
	if (!f || *f->path != '/')
		return false;
	if (!f->image.bytes && f->found) {
		struct stat is;
		if (stat(f->found, &is) < 0 || is.st_ino != f->inode || !symbols_image_open(&f->image, f->found))
			f->found = NULL; /* deleted, or replaced */
	}
	uint64_t at = from - area->start + area->offset;
	if (!f->image.bytes || at > f->image.size || bytes > f->image.size - at)
		return false;
	memcpy(to, f->image.bytes + at, bytes);
	return true;
}

bool memory_copy(uintptr_t from, void *to, size_t bytes)
{
	const struct area *area = area_at(from);
	if (!area || bytes > area->end - from || (area->is_written && !area->is_code))
		return false;
	if (copy_from_file(area, from, to, bytes))
		return true;
	struct iovec here = {to, bytes}, there = {(void *)from, bytes};
	return process_vm_readv(files.pid, &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

bool unwind_read(struct unwind *u, uintptr_t address, void *to, size_t bytes)
{
	(void)u;
	uintptr_t at = address - files.stack;
	if (at > files.stack_count || bytes > files.stack_count - at)
		return memory_copy(address, to, bytes);
	memcpy(to, files.stack_bytes + at, bytes);
	return true;
}

/* ---- from open to close ---- */

void files_open(pid_t pid)
{
	memset(&files, 0, sizeof files);
	files.pid = pid;
	look_again();
}

void files_changed(void)
{
	files.is_stale = true;
}

void files_stack(uintptr_t from, const void *bytes, size_t count)
{
	files.stack = from;
	files.stack_bytes = bytes;
	files.stack_count = count;
}

const struct module *files_module(size_t i)
{
	return i < files.file_count ? &files.files[i]->module : NULL;
}

const char *files_path(size_t i)
{
	return files.files[i]->found ? files.files[i]->found : files.files[i]->path;
}

const char *files_build_id(size_t i)
{
	return files.files[i]->build_id;
}

void files_close(void)
{
	for (size_t i = 0; i < files.file_count; i++) {
		symbols_image_close(&files.files[i]->image);
		free(files.files[i]);
	}
	free(files.files);
	free(files.areas);
	pool_free(&files.pool);
	memset(&files, 0, sizeof files);
}
