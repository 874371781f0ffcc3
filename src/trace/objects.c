/* SPDX-License-Identifier: MIT */
/* objects.c: a hash table of chains that only grow; a new object is put in front by one exchange. */
#include "trace/objects.h"

#include "raw/writer.h"
#include "threads/arena.h"
#include "threads/threads.h"
#include "unwind/modules.h"

enum { BUCKETS = 1 << 14, ROWS = 256 };

static struct {
	_Atomic(struct object *) buckets[BUCKETS];
	_Atomic(struct raw_table *) table;
	_Atomic uint32_t count;
} objects;

/* Each table holds ROWS numbers: the thread that gets the first one of a table adds it, others wait for that. */
static struct raw_flow_object *new_row(uint32_t number)
{
	uint32_t first = (number - 1) / ROWS * ROWS + 1;
	struct raw_table *table;
	if (number == first) {
		table = raw_add_table(RAW_FLOW_OBJECTS, RAW_NO_LANE, first, ROWS);
		atomic_store(&objects.table, table);
	}
	for (unsigned tries = 0; tries < 1000000; tries++) {
		table = atomic_load(&objects.table);
		if (table && table->object == first)
			break;
		arch_pause();
	}
	if (!table || table->object != first)
		return NULL;
	uint32_t used = number - first + 1, now = __atomic_load_n(&table->used, __ATOMIC_RELAXED);
	while (now < used && !__atomic_compare_exchange_n(&table->used, &now, used, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return (struct raw_flow_object *)raw_rows(table) + (number - first);
}

static struct object *make(const void *address, enum raw_flow_what what, uintptr_t caller)
{
	struct object *o = arena_take(sizeof *o);
	if (!o)
		return NULL;
	o->address = address;
	o->number = atomic_fetch_add(&objects.count, 1) + 1;
	o->row = new_row(o->number);
	if (!o->row) {
		arena_give(o, sizeof *o);
		return NULL;
	}
	uint64_t number = (uint64_t)(uintptr_t)address;
	o->row->place = raw_flow_is_shared(what) ? number
		: what == RAW_FLOW_DEPENDENCE    ? modules_place((uintptr_t)(number & ~THREADS_DEPENDENCE))
						 : modules_place((uintptr_t)address);
	o->row->site = modules_place(caller);
	o->row->what = what;
	return o;
}

static struct object *search(struct object *first, const void *address)
{
	while (first && first->address != address)
		first = first->next;
	return first;
}

/* Two threads that meet an object at once both make one: the second is left out, and its row is empty again. */
struct object *object_find(const void *address, enum raw_flow_what what, uintptr_t caller)
{
	_Atomic(struct object *) *bucket = &objects.buckets[(uint64_t)(uintptr_t)address * 0x9e3779b97f4a7c15u >> 50];
	struct object *first = atomic_load_explicit(bucket, memory_order_acquire), *found = search(first, address), *o;
	_Static_assert(BUCKETS == 1 << (64 - 50), "the hash has as many bits as there are buckets");
	if (__builtin_expect(found != NULL, 1))
		return found;
	if (!(o = make(address, what, caller)))
		return NULL;
	for (;;) {
		o->next = first;
		if (atomic_compare_exchange_strong(bucket, &first, o))
			return o;
		if ((found = search(first, address))) {
			*o->row = (struct raw_flow_object){0};
			return found;
		}
	}
}

void object_restart(void)
{
	for (uint32_t i = 0; i < BUCKETS; i++)
		atomic_store_explicit(&objects.buckets[i], NULL, memory_order_relaxed);
	atomic_store(&objects.table, NULL);
	atomic_store(&objects.count, 0);
}
