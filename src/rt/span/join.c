/* SPDX-License-Identifier: MIT */
/* join.c: threads. A create is a spawn: the thread's path begins at the place where it was created. A join is a sync with
 * that thread: the joining thread continues from the thread's end, if that is further. The end of the program joins
 * all other threads. Locks, conditions and atomics make more order than that; the report says so.
 *
 * Problem: a thread is joined anywhere, by any thread, or never; and there may be any number of them.
 * Idea: each has a path: a copy of the creator's log and open invocations at the create, and behind it, once it has ended, its own
 * log. Seen from any thread the way to another one's end leads through the creates of its ancestors. A joined path
 * is removed. Of paths that cannot be joined any more, since another thread has their handle, only the longest is
 * kept.
 * Cost: a create copies the path to it, a join replaces it. Space: as many paths as there are threads that may yet be
 * joined. Not exact: spawned children of the joining thread that were spawned after the create and are not yet synced
 * are synced by the join, too. */
#include "rt/span/join.h"

#include <string.h>
#include "arch/subject.h"
#include "raw/kernel.h"
#include "rt/rt.h"
#include "threads/arena.h"

enum { BUCKETS = 1024 };

static struct {
	atomic_flag lock;
	struct thread_path *buckets[BUCKETS]; /* by handle: begun and not joined */
	struct thread_path *left;             /* the longest ended path that will not be joined */
} all = {.lock = ATOMIC_FLAG_INIT};

static void lock(void)
{
	kernel_lock(&all.lock);
}

static void unlock(void)
{
	kernel_unlock(&all.lock);
}

struct skein_object *join_object(const struct thread_path *path)
{
	return path->object;
}

uint32_t join_site(const struct thread_path *path)
{
	return path->site;
}

static struct thread_path *new_path(struct span_worker *w)
{
	struct thread_path *path = arena_take(sizeof *path);
	if (!path) {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		return NULL;
	}
	path->creator = w->path;
	if (path->creator)
		join_retain(path->creator);
	return path;
}

bool join_is_under(const struct thread_path *path)
{
	return path->under;
}

/* Called by pthread_create and similar functions, in the calling thread. */
void *join_capture(struct skein_self *self)
{
	struct span_worker *w = span_is_lost(self->span) ? NULL : span_worker(self->lane);
	struct thread_path *path = w ? new_path(w) : NULL;
	if (!path)
		return NULL;
	atomic_init(&path->users, 1); /* the thread */
	for (const struct rt_frame *f = self->frames; f && !path->object; f = f->up) {
		path->object = f->object;
		path->site = f->site;
	}
	path->create_position = point_position(&w->task, &path->create_burdened);
	path->create_burdened += w->lane->burden;
	point_clear(&path->from, path->create_position);
	path->from.burdened = path->create_burdened;
	point_add(&path->from, w->lane->log, w->lane->kept.end);
	path->create_count = path->from.count;
	point_add_places(&path->from, &w->task);
	what_ifs_offer(&path->from, NULL);
	path->marks = what_ifs_open();
	path->under = w->under && !under_is_outside(w);
	regions_capture(w, path);
	aside_note(path, self->frames);
	if (self->frames)
		self->frames->f.burdened_span += w->lane->burden;
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
		point_free(&path->from);
		arena_give(path, sizeof *path);
	}
}

/* The thread could not be made, or is over. */
void join_release(void *path)
{
	drop(path);
}

/* Keeps a path that will not be joined, if it is the longest. Returns the one that is not needed any more. */
static struct thread_path *leave_over(struct thread_path *path)
{
	struct thread_path *worse = all.left;
	if (!atomic_load_explicit(&path->ended, memory_order_acquire))
		return path;
	if (worse && way_through(path) <= way_through(worse)) {
		what_ifs_offer(&worse->from, &path->from);
		return path;
	}
	if (worse)
		what_ifs_offer(&path->from, &worse->from);
	all.left = path;
	return worse;
}

static struct thread_path **bucket_of(pthread_t handle)
{
	return &all.buckets[((uintptr_t)handle >> 12 ^ (uintptr_t)handle >> 22) % BUCKETS];
}

/* Takes it out of its bucket; NULL: it is not there. */
static struct thread_path *take_out(pthread_t handle)
{
	for (struct thread_path **at = bucket_of(handle); *at; at = &(*at)->next)
		if (pthread_equal((*at)->handle, handle)) {
			struct thread_path *found = *at;
			*at = found->next;
			return found;
		}
	return NULL;
}

void join_begun(struct thread_path *path)
{
	path->handle = arch_thread();
	what_ifs_thread_begin(span_worker(skein_self.lane), &path->from, path->marks);
	join_retain(path);
	lock();
	struct thread_path *earlier = take_out(path->handle), **bucket = bucket_of(path->handle);
	if (earlier)
		earlier = leave_over(earlier);
	path->next = *bucket;
	*bucket = path;
	if (!span_rt.under)
		way_record(span_worker(skein_self.lane));
	unlock();
	drop(earlier);
}

/* In the thread that ends: what it did is appended to the path to its create. A thread that was not created, as
 * main, is left over. */
void join_ended(struct span_worker *w)
{
	struct thread_path *path = w->path, *worse;
	if (!path && !(path = new_path(w)))
		return;
	what_ifs_offer(&path->from, NULL);
	path->from.position += w->lane->left.span;
	path->from.burdened += w->lane->left.burdened_span;
	lock(); /* threads that it created may be reading the way to their create */
	point_add(&path->from, w->lane->log, w->lane->kept.end);
	unlock();
	atomic_store_explicit(&path->ended, 1, memory_order_release);
	if (w->path)
		return;
	atomic_init(&path->users, 1);
	lock();
	worse = leave_over(path);
	unlock();
	drop(worse);
}

/* ---- joins ---- */

/* Returns false if it must be left to the program's end. */
static bool join_one(struct span_worker *w, struct thread_path *path)
{
	struct thread_path *first = path;
	what_ifs_wait(w, &path->from);
	while (first && first->creator != w->path)
		first = first->creator;
	if (!aside_loops_agree(first ? first : path))
		return false;
	if (first == path) {
		aside_agree(w->lane, path);
		point_go(&w->task, &path->from);
	} else if (first) {
		way_from_descendant(w, path, first);
	} else {
		way_from_elsewhere(w, path);
	}
	w->lane->region = aside_region();
	return true;
}

void join_joined(struct skein_self *self, pthread_t thread)
{
	struct span_worker *w = span_is_lost(self->span) ? NULL : span_worker(self->lane);
	lock();
	struct thread_path *path = w ? take_out(thread) : NULL;
	unlock();
	if (!path)
		return;
	__atomic_fetch_add(&raw_header()->span_events[RAW_SPAN_JOINED], 1, __ATOMIC_RELAXED);
	if (!atomic_load_explicit(&path->ended, memory_order_acquire) || !join_one(w, path)) {
		lock();
		path = leave_over(path);
		unlock();
	}
	drop(path);
}

/* The longest path of all ended threads that were not joined. */
static struct thread_path *take_longest(void)
{
	struct thread_path *worse;
	lock();
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct thread_path **at = &all.buckets[i], *path; (path = *at);) {
			if (!atomic_load_explicit(&path->ended, memory_order_acquire)) {
				at = &path->next;
				continue;
			}
			*at = path->next;
			if ((worse = leave_over(path)))
				drop(worse);
		}
	struct thread_path *longest = all.left;
	all.left = NULL;
	unlock();
	return longest;
}

/* The caller has no open invocations any more. Threads that still run are not joined. */
void join_everybody(struct span_worker *w)
{
	struct thread_path *longest = take_longest();
	if (longest)
		join_one(w, longest);
	drop(longest);
}

void join_the_last(struct span_worker *w)
{
	struct thread_path *longest = take_longest();
	struct rt_point p = {0};
	if (!longest)
		return;
	what_ifs_wait(w, &longest->from);
	what_ifs_finish(w);
	way_add_through(&p, longest);
	w->lane->kept.end = w->lane->region = 0;
	span_append_entries(w->lane, p.entries, p.count);
	w->lane->kept.span = way_through(longest);
	w->lane->kept.burdened_span = longest->from.burdened;
	for (const struct thread_path *c = longest->creator; c; c = c->creator)
		w->lane->kept.burdened_span += c->create_burdened;
	point_free(&p);
	drop(longest);
}

/* The program ends in a thread: the path to its create comes before its own. */
void join_way_here(struct span_worker *w)
{
	struct rt_point p = {0};
	if (!w->path)
		return;
	way_add_to(&p, w->path, NULL, 1);
	span_append_entries(w->lane, p.entries, p.count);
	point_free(&p);
	w->lane->left.span += way_to(w->path);
	for (const struct thread_path *path = w->path; path; path = path->creator)
		w->lane->left.burdened_span += path->create_burdened;
}

void join_restart(struct span_worker *w)
{
	memset(all.buckets, 0, sizeof all.buckets);
	all.left = NULL;
	unlock();
	if (w)
		w->path = NULL;
}
