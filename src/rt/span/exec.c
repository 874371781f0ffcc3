/* SPDX-License-Identifier: MIT */
/* exec.c: sums up the program before an exec, as at its end. If the exec fails, the program goes on as if nothing
 * had happened: what the summing up changes (the lane, its log, rows, and frames) is copied before and put back.
 * Threads that were joined by it stay so. */
#include "rt/span/span.h"

#include <string.h>
#include "rt/rt.h"
#include "threads/arena.h"

struct part {
	void *place;
	size_t bytes;
};

static struct {
	struct part *parts; /* the saved bytes follow the parts */
	size_t count, bytes;
	struct span_worker *worker;
	struct rt_frame *frames, *free_frames;
	struct rt_scope *free_scopes;
	struct span_open_region *regions;
	bool inherits;
	bool has_root;
} saved;

/* One pass counts, the next one copies. */
static void save(struct part *parts, char *to, void *place, size_t bytes)
{
	if (parts) {
		parts[saved.count] = (struct part){place, bytes};
		memcpy(to + saved.bytes, place, bytes);
	}
	saved.count++;
	saved.bytes += bytes;
}

static void save_all(struct span_worker *w, struct part *parts, char *to)
{
	saved.count = saved.bytes = 0;
	save(parts, to, w->lane, sizeof *w->lane);
	save(parts, to, w->lane->log, w->lane->kept.end);
	for (uint32_t slot = 1; slot < SELF_TABLES_MAX; slot++)
		if (w->tables[slot])
			save(parts, to, w->tables[slot], objects_sites_of(slot) * sizeof(struct span_site));
	if (w->what_if)
		save(parts, to, w->what_if, sizeof *w->what_if);
	size_t bytes;
	void *part;
	for (unsigned n = 0; (part = under_part(w, n, &bytes)); n++)
		save(parts, to, part, bytes);
	for (unsigned n = 0; (part = regions_part(w, n, &bytes)); n++)
		save(parts, to, part, bytes);
	for (struct rt_frame *f = skein_self.frames; f; f = f->up) {
		save(parts, to, f, sizeof *f);
		for (struct rt_scope *s = f->scopes; s; s = s->next)
			save(parts, to, s, sizeof *s);
	}
}

static size_t room(void)
{
	return saved.count * sizeof *saved.parts + saved.bytes;
}

void exec_save(struct span_worker *w)
{
	save_all(w, NULL, NULL);
	struct part *parts = arena_take(room());
	if (!parts)
		return;
	save_all(w, parts, (char *)(parts + saved.count));
	saved.parts = parts;
	saved.worker = w;
	saved.frames = skein_self.frames;
	saved.free_frames = w->free_frames;
	saved.free_scopes = w->free_scopes;
	saved.regions = w->regions;
	saved.inherits = w->inherits;
	saved.has_root = span_rt.has_root;
	span_rt.execs = true;
}

void exec_failed(void)
{
	struct span_worker *w = saved.worker;
	const char *from = (char *)(saved.parts + saved.count);
	if (!saved.parts) {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		return;
	}
	for (size_t i = 0; i < saved.count; from += saved.parts[i++].bytes)
		memcpy(saved.parts[i].place, from, saved.parts[i].bytes);
	skein_self.frames = saved.frames;
	w->free_frames = saved.free_frames;
	w->free_scopes = saved.free_scopes;
	w->regions = saved.regions;
	w->inherits = saved.inherits;
	span_rt.has_root = saved.has_root;
	span_rt.execs = false;
	under_resume(&skein_self, w);
	arena_give(saved.parts, room());
	saved.parts = NULL;
}
