/* SPDX-License-Identifier: MIT */
/* span_join.c: threads. A create is a spawn: the thread's path begins at the place where it was created. A join is a sync with
 * that thread: whoever joins goes on from the thread's end, if that is further. What nobody joined is joined by the program's
 * end. Locks, conditions and atomics make more order than that; the report says so. */
#include "rt/span.h"

#include "threads/arena.h"

struct thread_path {
	_Atomic uint32_t users;
	_Atomic uint32_t ended;
	_Atomic uint32_t joined;
	_Atomic(pthread_t) handle;
	struct thread_path *next;   /* in the list of all */
	struct skein_object *object; /* the site of its create; NULL: none */
	uint32_t site;
	struct rt_point from;        /* in the creator: the path to the create, and when the thread has ended, through it */
	uint64_t create_position, create_count; /* what of that leads to the create */
	struct thread_path *creator; /* the creating thread's own; NULL: it ran main */
};

static _Atomic(struct thread_path *) paths;

struct skein_object *join_object(const struct thread_path *path)
{
	return path->object;
}

uint32_t join_site(const struct thread_path *path)
{
	return path->site;
}

/* Called by pthread_create and the like, in the thread that calls it. */
void *join_capture(struct skein_self *self)
{
	struct span_worker *w = span_worker(self->lane);
	struct thread_path *path = w ? arena_take(sizeof *path) : NULL;
	if (!path)
		return NULL;
	uint64_t burdened, position = point_position(&w->task, &burdened);
	atomic_init(&path->users, 2); /* the thread, and the list */
	for (const struct rt_frame *f = self->frames; f && !path->object; f = f->up) {
		path->object = f->object;
		path->site = f->site;
	}
	path->creator = w->path;
	if (path->creator)
		join_retain(path->creator);
	point_clear(&path->from, position);
	path->from.burdened = burdened + w->lane->burden;
	point_add(&path->from, w->lane->log, w->lane->end);
	path->create_position = position;
	path->create_count = path->from.count;
	point_add_places(&path->from, &w->task);
	if (self->frames)
		self->frames->f.burdened_span += w->lane->burden;
	path->next = atomic_load(&paths);
	while (!atomic_compare_exchange_weak(&paths, &path->next, path))
		;
	__atomic_fetch_add(&raw_header()->span_events[RAW_SPAN_THREADS], 1, __ATOMIC_RELAXED);
	return path;
}

void join_retain(void *path)
{
	atomic_fetch_add(&((struct thread_path *)path)->users, 1);
}

static void drop(struct thread_path *path)
{
	for (struct thread_path *up; path && atomic_fetch_sub(&path->users, 1) == 1; path = up) {
		up = path->creator;
		point_free(&path->from); /* the rest of it stays in the list */
	}
}

/* The thread could not be made, or is over. */
void join_release(void *path)
{
	drop(path);
}

void join_begun(struct thread_path *path)
{
	atomic_store(&path->handle, pthread_self());
}

/* In the thread that ends: what it did is appended to the path to its create. */
void join_ended(struct span_worker *w)
{
	struct thread_path *path = w->path;
	if (!path)
		return;
	path->from.position += w->lane->left.span;
	path->from.burdened += w->lane->left.burdened_span;
	point_add(&path->from, w->lane->log, w->lane->end);
	atomic_store_explicit(&path->ended, 1, memory_order_release);
}

/* From the program's start to the create of a thread: appended to the log, or taken off it. */
static void add_way_to(struct span_lane *lane, const struct thread_path *path, bool off)
{
	for (; path; path = path->creator)
		for (uint64_t i = 0; i < path->create_count; i++) {
			struct span_entry e = path->from.entries[i];
			if (e.key == SPAN_GAP) {
				i += e.sum.count - 1;
				continue;
			}
			if (off)
				e.sum = (struct span_sum){-e.sum.count, -e.sum.work, -e.sum.span};
			span_append_entries(lane, &e, 1);
		}
}

static uint64_t way_to(const struct thread_path *path)
{
	return path ? path->create_position + way_to(path->creator) : 0;
}

/* The thread was created by another one than the one that joins it. Seen from the latter's start its path is that of the
 * program to its end, less the program's to that start. */
static void join_elsewhere(struct span_worker *w, struct thread_path *path)
{
	struct span_lane *lane = w->lane;
	uint64_t burdened, here = point_position(&w->task, &burdened);
	uint64_t there = way_to(path->creator) + path->from.position - way_to(w->path);
	struct rt_frame *outermost = NULL;
	if ((int64_t)there <= (int64_t)here)
		return;
	lane->end = lane->region = 0;
	add_way_to(lane, path->creator, false);
	span_append_entries(lane, path->from.entries, path->from.count);
	add_way_to(lane, w->path, true);
	for (struct rt_frame *f = skein_self.frames; f; f = f->up) {
		f->f.span = -f->n;
		f->f.lost = f->n;
		f->outer.span = f->outer.local_span = 0;
		outermost = f;
	}
	if (outermost) {
		outermost->f.span += there;
	} else {
		lane->left.span = there;
		lane->left.local_span = 0;
	}
}

static void join_one(struct span_worker *w, struct thread_path *path)
{
	if (!atomic_load_explicit(&path->ended, memory_order_acquire) || atomic_exchange(&path->joined, 1))
		return;
	if (path->creator == w->path)
		point_go(&w->task, &path->from);
	else
		join_elsewhere(w, path);
	drop(path);
}

void join_joined(struct skein_self *self, pthread_t thread)
{
	struct span_worker *w = span_worker(self->lane);
	for (struct thread_path *p = w ? atomic_load(&paths) : NULL; p; p = p->next)
		if (atomic_load(&p->handle) == thread && !atomic_load(&p->joined) && atomic_load(&p->ended)) {
			__atomic_fetch_add(&raw_header()->span_events[RAW_SPAN_JOINED], 1, __ATOMIC_RELAXED);
			join_one(w, p);
			return;
		}
}

void join_everybody(struct span_worker *w)
{
	for (struct thread_path *p = atomic_load(&paths); p; p = p->next)
		join_one(w, p);
}
