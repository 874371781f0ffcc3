/* SPDX-License-Identifier: MIT */
/* libc.c: the loader's search for a symbol, in one object: its hash table (DT_GNU_HASH) leads to the symbols that a name may be. */
#include "threads/libc.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { HIDDEN_VERSION = 0x8000 };

struct tables {
	const ElfW(Sym) * symbols;
	const char *text;
	const uint32_t *hash;
	const ElfW(Half) * versions;
};

/* The loader has made addresses of the offsets, but for objects whose tables it may not write. */
static const void *address(const struct link_map *map, ElfW(Addr) at)
{
	return (const void *)(at < map->l_addr ? map->l_addr + at : at);
}

static struct tables tables_of(const struct link_map *map)
{
	struct tables t = {0};
	for (const ElfW(Dyn) *d = map->l_ld; d && d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_SYMTAB)
			t.symbols = address(map, d->d_un.d_ptr);
		else if (d->d_tag == DT_STRTAB)
			t.text = address(map, d->d_un.d_ptr);
		else if (d->d_tag == DT_GNU_HASH)
			t.hash = address(map, d->d_un.d_ptr);
		else if (d->d_tag == DT_VERSYM)
			t.versions = address(map, d->d_un.d_ptr);
	}
	return t;
}

static uint32_t hash_of(const char *name)
{
	uint32_t hash = 5381;
	for (; *name; name++)
		hash = 33 * hash + (unsigned char)*name;
	return hash;
}

/* Old versions of a function are hidden: the one that a program is linked to today is not. */
static const ElfW(Sym) * search(const struct tables *t, const char *name)
{
	uint32_t buckets = t->hash[0], first = t->hash[1], words = t->hash[2], hash = hash_of(name);
	const uint32_t *bucket = t->hash + 4 + (size_t)words * (sizeof(ElfW(Addr)) / sizeof *bucket), *chain = bucket + buckets;
	uint32_t i = buckets ? bucket[hash % buckets] : 0;
	for (bool more = i >= first; more; i++) {
		const ElfW(Sym) *s = &t->symbols[i];
		more = !(chain[i - first] & 1);
		if ((chain[i - first] ^ hash) >> 1 == 0 && s->st_shndx != SHN_UNDEF && !(t->versions && t->versions[i] & HIDDEN_VERSION) &&
		    strcmp(t->text + s->st_name, name) == 0)
			return s;
	}
	return NULL;
}

/* The object that starts programs. */
static const struct link_map *libc(void)
{
	struct dl_find_object object;
	void *start = dlsym(RTLD_NEXT, "__libc_start_main");
	return start && _dl_find_object(start, &object) == 0 ? object.dlfo_link_map : NULL;
}

void *libc_find(const char *name)
{
	const struct link_map *map = libc();
	struct tables t = map ? tables_of(map) : (struct tables){0};
	const ElfW(Sym) *s = t.symbols && t.text && t.hash ? search(&t, name) : NULL;
	if (!s)
		return NULL;
	void *at = (void *)(map->l_addr + s->st_value);
	return ELF64_ST_TYPE(s->st_info) == STT_GNU_IFUNC ? ((void *(*)(void))at)() : at;
}
