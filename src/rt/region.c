/* SPDX-License-Identifier: MIT */
#include "rt/region.h"

#include <stdatomic.h>
#include <string.h>
#include "raw/writer.h"
#include "rt/rt.h"
#include "threads/arena.h"

/* A list that only grows; a name is looked up by its address first, since it is nearly always a literal. */
static _Atomic(struct rt_region *) regions;

RT_API void skein_region_begin(const char *name, const char *file, unsigned line);
RT_API void skein_region_end(void);

static void write_record(const struct rt_region *r)
{
	struct raw_name *record = raw_add(RAW_PENDING, sizeof *record + r->text_bytes);
	if (!record)
		return;
	record->routine = r->routine;
	record->line = r->line;
	record->text_bytes = r->text_bytes;
	memcpy(record->text, r->text, r->text_bytes);
	raw_done(&record->record, RAW_NAME);
}

static struct rt_region *find(const char *name)
{
	for (struct rt_region *r = atomic_load(&regions); r; r = r->next)
		if (r->address == name && strcmp(r->text, name) == 0)
			return r;
	for (struct rt_region *r = atomic_load(&regions); r; r = r->next)
		if (strcmp(r->text, name) == 0)
			return r;
	return NULL;
}

/* Two threads that add the same name at once give it two numbers; the reader adds routines of one name and place. */
static struct rt_region *add(const char *name, const char *file, unsigned line)
{
	size_t name_bytes = strlen(name) + 1, file_bytes = strlen(file) + 1;
	struct rt_region *r = arena_take(sizeof *r + name_bytes + file_bytes);
	uint32_t routine = r ? objects_new_routine() : 0;
	if (!routine)
		return NULL;
	r->address = name;
	r->routine = routine;
	r->line = line;
	r->name_bytes = (uint32_t)name_bytes;
	r->text_bytes = (uint32_t)(name_bytes + file_bytes);
	memcpy(r->text, name, name_bytes);
	memcpy(r->text + name_bytes, file, file_bytes);
	write_record(r);
	r->next = atomic_load(&regions);
	while (!atomic_compare_exchange_weak(&regions, &r->next, r))
		;
	return r;
}

const struct rt_region *rt_region(const char *name, const char *file, unsigned line)
{
	const struct rt_region *found = find(name);
	return found ? found : add(name, file, line);
}

bool rt_region_has(uint32_t routine)
{
	for (const struct rt_region *r = atomic_load(&regions); r; r = r->next)
		if (r->routine == routine)
			return true;
	return false;
}

void skein_region_begin(const char *name, const char *file, unsigned line)
{
	if (rt_lens && rt_lens->region_begin)
		rt_lens->region_begin(name, file, line);
}

void skein_region_end(void)
{
	if (rt_lens && rt_lens->region_end)
		rt_lens->region_end();
}
