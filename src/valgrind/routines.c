/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "valgrind/routines.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

struct routine routines_none;

/* From start to struct routine. */
static struct input_map starts;

static Bool begins(const HChar *text, const HChar *with)
{
	return VG_(strncmp)(text, with, VG_(strlen)(with)) == 0;
}

struct word {
	const HChar *text;
	UChar heap;
};

static const struct word allocators[] = {{"malloc", HEAP_MALLOC},
                                         {"calloc", HEAP_CALLOC},
                                         {"realloc", HEAP_REALLOC},
                                         {"reallocarray", HEAP_NONE},
                                         {"free", HEAP_FREE},
                                         {"cfree", HEAP_FREE},
                                         {"memalign", HEAP_ALIGNED},
                                         {"aligned_alloc", HEAP_ALIGNED},
                                         {"posix_memalign", HEAP_POSIX},
                                         {"valloc", HEAP_MALLOC},
                                         {"pvalloc", HEAP_MALLOC}};

static UChar heap_of(const HChar *name)
{
	for (UInt i = 0; i < sizeof allocators / sizeof *allocators; i++)
		if (VG_(strcmp)(name, allocators[i].text) == 0)
			return allocators[i].heap;
	if (begins(name, "operator new") || begins(name, "_Znwm") || begins(name, "_Znam"))
		return HEAP_MALLOC;
	if (begins(name, "operator delete") || begins(name, "_ZdlPv") || begins(name, "_ZdaPv"))
		return HEAP_FREE;
	return HEAP_NONE;
}

/* pthread_once and the start of a thread are not locks: they call code of the program. */
static Bool is_lock(const HChar *name)
{
	static const HChar *const words[] = {"pthread_mutex_",
	                                     "pthread_cond_",
	                                     "pthread_rwlock_",
	                                     "pthread_spin_",
	                                     "pthread_barrier_",
	                                     "pthread_join",
	                                     "pthread_timedjoin",
	                                     "pthread_tryjoin",
	                                     "pthread_clockjoin",
	                                     "pthread_create",
	                                     "pthread_detach",
	                                     "pthread_exit",
	                                     "sem_",
	                                     "mtx_",
	                                     "cnd_",
	                                     "thrd_join",
	                                     "thrd_create",
	                                     "lll_",
	                                     "futex",
	                                     "nptl_"};
	while (*name == '_')
		name++;
	for (UInt i = 0; i < sizeof words / sizeof *words; i++)
		if (begins(name, words[i]))
			return True;
	return False;
}

/* What a jump needs is saved and read back as a return address is. */
static Bool is_jump(const HChar *name)
{
	while (*name == '_')
		name++;
	name += begins(name, "libc_") ? 5 : 0;
	name += begins(name, "sig") ? 3 : 0;
	return begins(name, "setjmp") || begins(name, "longjmp") || begins(name, "jmp_save");
}

static Bool is_of_library(const struct routine *r)
{
	return r->module->is_library || r->module->is_static;
}

static void classify(struct routine *r, const HChar *name)
{
	const HChar *dot = VG_(strchr)(name, '.');
	r->heap = options.keep_freed ? HEAP_NONE : heap_of(name);
	r->waits = !options.count_locks && (r->module->is_threads || (is_of_library(r) && is_lock(name)));
	r->is_quiet = r->waits || (is_of_library(r) && (r->heap || (!options.count_returns && is_jump(name))));
	r->is_resolver = r->module->is_loader && begins(name, "_dl_runtime_resolve");
	r->is_part = dot && begins(dot, ".cold");
}

static struct routine *make(Addr start, const HChar *name)
{
	uint64_t *value = input_map_put(&starts, &memory_port, start);
	if (value && *value)
		return (struct routine *)(Addr)*value;
	struct routine *r = VG_(calloc)("skein.routine", 1, sizeof *r);
	r->start = start;
	r->module = modules_at(start);
	r->key = module_place(r->module, start);
	classify(r, name);
	if (value)
		*value = (Addr)r;
	return r;
}

/* Valgrind gives the start of a symbol only as a distance behind the name: `name+12`. */
static Addr start_of(Addr address, HChar *name)
{
	HChar *plus = VG_(strrchr)(name, '+');
	if (!plus || plus[1] < '0' || plus[1] > '9')
		return address;
	HChar *end;
	Long offset = VG_(strtoll10)(plus + 1, &end);
	if (*end)
		return address;
	*plus = 0;
	return address - (Addr)offset;
}

struct routine *routines_with(Addr address)
{
	const HChar *found;
	if (!VG_(get_fnname_w_offset)(VG_(current_DiEpoch)(), address, &found))
		return NULL;
	HChar *name = VG_(strdup)("skein.name", found);
	Addr start = start_of(address, name);
	struct routine *r = make(start, name);
	VG_(free)(name);
	return r;
}

struct routine *routines_from(Addr address)
{
	uint64_t *value = input_map_find(&starts, address);
	return value && *value ? (struct routine *)(Addr)*value : make(address, "");
}

/* Other code may be mapped at the same addresses. */
void routines_unmapped(Addr start, SizeT bytes)
{
	for (uint32_t i = 0; i < input_map_slots(&starts); i++) {
		struct input_slot *slot = &starts.slots[i];
		if (slot->key && slot->key - 1 - start < bytes)
			slot->value = 0;
	}
}
