/* SPDX-License-Identifier: MIT */
/* objects.c: numbers for the routines and sites of each object that is loaded.
 *
 * A library that is closed and opened again gets the numbers that it had, so a subject that does this all day needs no
 * more of them. Registration runs under the loader's lock or, for code that runs before its constructors, from a hook. */
#include "rt/rt.h"

#include <stdatomic.h>
#include <string.h>
#include "raw/kernel.h"
#include "raw/writer.h"
#include "threads/session.h"

enum { OBJECTS_SITES_MAX = 1 << 26 };

struct entry {
	char build_id[72];
	uint32_t first_routine, routines, first_site, sites;
	struct skein_object *object; /* NULL: closed */
};

static struct {
	atomic_flag lock;
	struct entry entries[SELF_TABLES_MAX]; /* [0] is not used: slot 0 means not registered */
	uint32_t count;
	uint32_t next_routine, next_site;
	struct skein_object *root; /* the program's, which is never closed */
	uint32_t late_routines;    /* of the largest object that came too late */
} objects = {.lock = ATOMIC_FLAG_INIT, .count = 1, .next_routine = CALLS_OUTSIDE + 1};

/* No handler of the subject's runs under the lock: its code may belong to an object that is not registered yet. */
static void lock(sigset_t *before)
{
	kernel_block_signals(before);
	kernel_lock(&objects.lock);
}

static void unlock(const sigset_t *before)
{
	kernel_unlock(&objects.lock);
	kernel_restore_signals(before);
}

static void write_record(uint32_t slot)
{
	const struct entry *e = &objects.entries[slot];
	const char *strings[] = {e->build_id, session_table_of(e->build_id), session_path_of(e->build_id)};
	size_t bytes = 0;
	for (int i = 0; i < 3; i++)
		bytes += strlen(strings[i]) + 1;
	struct raw_object *r = raw_add(RAW_PENDING, sizeof *r + bytes);
	if (!r)
		return;
	r->number = slot;
	r->first_routine = e->first_routine;
	r->routines = e->routines;
	r->first_site = e->first_site;
	r->sites = e->sites;
	r->text_bytes = (uint32_t)bytes;
	r->address = (uint64_t)(uintptr_t)e->object;
	char *to = r->text;
	for (int i = 0; i < 3; i++)
		to = stpcpy(to, strings[i]) + 1;
	raw_done(&r->record, RAW_OBJECT);
}

static uint32_t slot_for(const struct skein_object *o)
{
	for (uint32_t i = 1; i < objects.count; i++) {
		const struct entry *e = &objects.entries[i];
		if (!e->object && e->routines == o->routines && e->sites == o->sites && strcmp(e->build_id, o->build_id) == 0)
			return i;
	}
	if (objects.count == SELF_TABLES_MAX || o->routines >= CALLS_ROUTINES_MAX - objects.next_routine ||
	    o->sites >= OBJECTS_SITES_MAX - objects.next_site)
		return 0;
	struct entry *e = &objects.entries[objects.count];
	memcpy(e->build_id, o->build_id, sizeof e->build_id - 1);
	e->first_routine = objects.next_routine;
	e->routines = o->routines;
	e->first_site = objects.next_site;
	e->sites = o->sites;
	objects.next_routine += o->routines;
	objects.next_site += o->sites;
	return objects.count++;
}

uint32_t objects_sites(void)
{
	return objects.next_site;
}

uint32_t objects_sites_of(uint32_t slot)
{
	return slot < objects.count ? objects.entries[slot].sites : 0;
}

uint32_t objects_routines_of(uint32_t slot)
{
	return slot < objects.count ? objects.entries[slot].routines : 0;
}

bool objects_find(uint32_t routine, uint32_t *slot, uint32_t *index)
{
	for (uint32_t i = 1; i < objects.count; i++) {
		const struct entry *e = &objects.entries[i];
		if (routine - e->first_routine >= e->routines)
			continue;
		*slot = i;
		*index = routine - e->first_routine;
		return true;
	}
	return false;
}

struct skein_object *objects_with_root(void)
{
	return objects.root;
}

uint32_t objects_routines(void)
{
	return objects.late_routines ? CALLS_ROUTINES_MAX + objects.late_routines : objects.next_routine;
}

/* No numbers are left. The object's hooks count all the same, under numbers that no table names. */
static void come_late(struct skein_object *object)
{
	raw_lose(RAW_LOST_TOO_MANY_OBJECTS, 1);
	if (object->routines > objects.late_routines && object->routines < CALLS_ROUTINES_ALL - CALLS_ROUTINES_MAX)
		objects.late_routines = object->routines;
	rt_lens->cover(objects_routines());
	object->first_routine = CALLS_ROUTINES_MAX;
}

static void take_slot(struct skein_object *object)
{
	object->slot = slot_for(object);
	if (object->slot)
		objects.entries[object->slot].object = object;
}

static void take_numbers(struct skein_object *object)
{
	const struct entry *e = &objects.entries[object->slot];
	if (!object->slot) {
		come_late(object);
		return;
	}
	rt_lens->cover(objects_routines());
	write_record(object->slot);
	if (object->root)
		objects.root = object;
	object->first_key = (uint64_t)e->first_site * SPAN_MEASURES;
	object->first_routine = e->first_routine;
}

/* Where nothing is recorded, an object has its slot all the same: hooks use it without a look. */
void skein_rt_register(struct skein_object *object)
{
	sigset_t before;
	rt_start();
	lock(&before);
	if (!object->slot && !object->first_routine) {
		take_slot(object);
		rt_opened(object);
	}
	if (threads_started() && !object->first_routine)
		take_numbers(object);
	unlock(&before);
}

void skein_rt_unregister(struct skein_object *object)
{
	rt_closed(object);
	if (object->slot)
		objects.entries[object->slot].object = NULL;
}

uint32_t objects_new_routine(void)
{
	sigset_t before;
	lock(&before);
	uint32_t routine = objects.next_routine < CALLS_ROUTINES_MAX ? objects.next_routine++ : 0;
	rt_lens->cover(objects_routines());
	unlock(&before);
	return routine;
}

void objects_restart(void)
{
	kernel_unlock(&objects.lock); /* the holder is not in this process */
}
