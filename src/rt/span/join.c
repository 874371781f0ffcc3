/* SPDX-License-Identifier: MIT */
/* join.c: threads. A create is a spawn: the thread's path begins at the place where it was created. A join is a sync with
 * that thread: whoever joins goes on from the thread's end, if that is further. What nobody joined is joined by the program's
 * end. Locks, conditions and atomics make more order than that; the report says so.
 *
 * Problem: a thread is joined anywhere, by anybody, or never; and there may be any number of them.
 * Idea: each has a path: a copy of the creator's log and open invocations at the create, and behind it, once it has ended, its own
 * log. Seen from any thread the way to another one's end leads through the creates of its ancestors. A joined path goes. Of
 * those that nobody can join any more, since another thread has their handle, only the longest is kept.
 * Cost: a create copies the path to it, a join replaces it. Space: as many paths as there are threads that may yet be
 * joined. Not exact: spawned children of the joining thread that were spawned after the create and are not yet synced
 * are synced by the join, too. */
#include "rt/span/span.h"

#include <string.h>
#include "raw/kernel.h"
#include "rt/rt.h"
#include "threads/arena.h"

/* Entries of a scope's best child, in the middle of a log: not on the path. */
struct aside {
	const struct span_scope *scope;
	uint64_t l0, l1;
};

enum { ASIDES = 8, BUCKETS = 1024 };

struct thread_path {
	_Atomic uint32_t users;
	_Atomic uint32_t ended;
	pthread_t handle;
	struct thread_path *next;    /* in its bucket */
	struct skein_object *object; /* the site of its create; NULL: none */
	uint32_t site;
	struct rt_point from; /* in the creator: the path to the create, and when the thread has ended, through it */
	uint64_t create_position, create_burdened, create_count; /* what of that leads to the create */
	uint32_t marks;                                          /* what-ifs under whose sites it was created */
	bool under;                                              /* so was it under that of --under */
	struct thread_path *creator;                             /* the creating thread's own; NULL: it ran main */
	struct aside asides[ASIDES];
	uint32_t aside_count;
};

static struct {
	atomic_flag lock;
	struct thread_path *buckets[BUCKETS]; /* by handle: begun and not joined */
	struct thread_path *left;             /* the longest of those that nobody will join; it has ended */
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

/* ---- what is set aside in a log ---- */

static void note_aside(struct thread_path *path, const struct span_scope *scope)
{
	if (scope->best < 0 || scope->l0 >= scope->l1)
		return;
	if (path->aside_count < ASIDES)
		path->asides[path->aside_count++] = (struct aside){scope, scope->l0, scope->l1};
	else
		raw_lose(RAW_LOST_NO_MEMORY, 1);
}

static void note_asides(struct thread_path *path, const struct rt_frame *f)
{
	for (; f; f = f->up) {
		for (const struct rt_scope *s = f->scopes; s; s = s->next)
			note_aside(path, &s->scope);
		if (f->is_loop)
			note_aside(path, &f->loop.scope);
	}
}

static void cut_aside(struct thread_path *path, const struct aside *a)
{
	uint64_t at = a->l0 / sizeof(struct span_entry), count = (a->l1 - a->l0) / sizeof(struct span_entry);
	if (at + count <= path->create_count)
		path->from.entries[at] = (struct span_entry){SPAN_GAP, {count, 0, 0}};
}

static void cut_asides(struct thread_path *path)
{
	for (uint32_t i = 0; i < path->aside_count; i++)
		cut_aside(path, &path->asides[i]);
	path->aside_count = 0;
}

static bool is_aside(const struct thread_path *path, const struct span_scope *s)
{
	for (uint32_t i = 0; i < path->aside_count; i++)
		if (path->asides[i].scope == s && path->asides[i].l0 == s->l0 && path->asides[i].l1 == s->l1)
			return true;
	return s->best < 0 || s->l0 >= s->l1;
}

static bool is_still_aside(const struct aside *a)
{
	for (const struct rt_frame *f = skein_self.frames; f; f = f->up) {
		for (const struct rt_scope *s = f->scopes; s; s = s->next)
			if (&s->scope == a->scope)
				return s->scope.best >= 0 && s->scope.l0 == a->l0 && s->scope.l1 == a->l1;
		if (&f->loop.scope == a->scope)
			return f->is_loop && f->loop.scope.best >= 0 && f->loop.scope.l0 == a->l0 && f->loop.scope.l1 == a->l1;
	}
	return false;
}

/* The log is about to be replaced by the path's: what is set aside in either must be so in both. */
static void agree_on_asides(struct span_lane *lane, struct thread_path *path)
{
	for (struct rt_frame *f = skein_self.frames; f; f = f->up)
		for (struct rt_scope *s = f->scopes; s; s = s->next)
			if (!is_aside(path, &s->scope))
				span_sync(lane, &f->f, &s->scope, f->n);
	for (uint32_t i = 0; i < path->aside_count; i++)
		if (!is_still_aside(&path->asides[i]))
			cut_aside(path, &path->asides[i]);
}

/* Where the entries begin that no scope or loop has a hand on. */
static uint64_t own_region(void)
{
	uint64_t region = 0;
	for (const struct rt_frame *f = skein_self.frames; f; f = f->up) {
		for (const struct rt_scope *s = f->scopes; s; s = s->next)
			region = s->scope.best >= 0 && s->scope.l1 > region ? s->scope.l1 : region;
		if (f->spawning && f->spawning->start > region)
			region = f->spawning->start;
		if (f->is_loop && f->iterating && f->loop.start > region)
			region = f->loop.start;
	}
	return region;
}

/* A loop that began since the create, or got further, has no place for a path that leads around it. */
static bool loops_agree(const struct thread_path *path)
{
	for (const struct rt_frame *f = skein_self.frames; f; f = f->up)
		if (f->is_loop && !is_aside(path, &f->loop.scope))
			return false;
	return true;
}

/* ---- a path's life ---- */

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

/* Called by pthread_create and the like, in the thread that calls it. */
void *join_capture(struct skein_self *self)
{
	struct span_worker *w = self->span == &self_no_span ? NULL : span_worker(self->lane);
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
	note_asides(path, self->frames);
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

static uint64_t way_to(const struct thread_path *path)
{
	uint64_t length = 0;
	for (; path; path = path->creator)
		length += path->create_position;
	return length;
}

static uint64_t whole_way(const struct thread_path *path)
{
	return way_to(path->creator) + path->from.position;
}

/* Nobody will join it. Returns what is not needed any more. */
static struct thread_path *leave_over(struct thread_path *path)
{
	struct thread_path *worse = all.left;
	if (!atomic_load_explicit(&path->ended, memory_order_acquire))
		return path;
	if (worse && whole_way(path) <= whole_way(worse)) {
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
	path->handle = pthread_self();
	what_ifs_thread_begin(span_worker(skein_self.lane), &path->from, path->marks);
	join_retain(path);
	lock();
	struct thread_path *earlier = take_out(path->handle), **bucket = bucket_of(path->handle);
	if (earlier)
		earlier = leave_over(earlier);
	path->next = *bucket;
	*bucket = path;
	unlock();
	drop(earlier);
}

/* In the thread that ends: what it did is appended to the path to its create. Who was not created, main above all, is left over. */
void join_ended(struct span_worker *w)
{
	struct thread_path *path = w->path, *worse;
	if (!path && !(path = new_path(w)))
		return;
	what_ifs_offer(&path->from, NULL);
	path->from.position += w->lane->left.span;
	path->from.burdened += w->lane->left.burdened_span;
	point_add(&path->from, w->lane->log, w->lane->kept.end);
	atomic_store_explicit(&path->ended, 1, memory_order_release);
	if (w->path)
		return;
	atomic_init(&path->users, 1);
	lock();
	worse = leave_over(path);
	unlock();
	drop(worse);
}

/* ---- from one thread to another ---- */

/* The site that stands for what nobody called in the thread that created this one. */
static uint64_t key_of_creator(const struct thread_path *path)
{
	const struct thread_path *c = path->creator;
	struct skein_object *object = c ? c->object : objects_with_root();
	return object ? object->first_key + (uint64_t)(c ? c->site : object->root - 1) * SPAN_MEASURES : UINT64_MAX;
}

static void add_entry(struct rt_point *to, uint64_t key, uint64_t count, uint64_t value)
{
	struct span_entry e = {key, {count, value, value}};
	point_add(to, &e, sizeof e);
}

/* What the invocations had done of their own that were open at the create. `sign` is 1, or -1 to take it off. */
static void add_places(struct rt_point *to, const struct thread_path *path, uint64_t sign)
{
	uint64_t key_of_root = key_of_creator(path);
	for (uint64_t i = 0; i < path->from.place_count; i++) {
		const struct rt_place *p = &path->from.places[i];
		bool called = p->key != UINT64_MAX;
		if (called && p->top & 1)
			add_entry(to, p->key + SPAN_TOP_SITE, sign, sign * p->position);
		if (called && p->top & 2)
			add_entry(to, p->key + SPAN_TOP_CALLER, sign, sign * p->position);
		if (called || key_of_root != UINT64_MAX)
			add_entry(to, (called ? p->key : key_of_root) + SPAN_LOCAL, called ? sign : 0, sign * p->local);
	}
}

static void add_entries(struct rt_point *to, const struct thread_path *path, uint64_t count, uint64_t sign)
{
	for (uint64_t i = 0; i < count; i++) {
		struct span_entry e = path->from.entries[i];
		if (e.key == SPAN_GAP) {
			i += e.sum.count - 1;
			continue;
		}
		e.sum = (struct span_sum){sign * e.sum.count, sign * e.sum.work, sign * e.sum.span};
		point_add(to, &e, sizeof e);
	}
}

/* From `top`'s start, or the program's, to the create of a thread. */
static void add_way_to(struct rt_point *to, struct thread_path *path, const struct thread_path *top, uint64_t sign)
{
	if (!path || path == top)
		return;
	add_way_to(to, path->creator, top, sign);
	cut_asides(path);
	add_entries(to, path, path->create_count, sign);
	add_places(to, path, sign);
}

static void add_own(struct rt_point *to, const struct thread_path *path)
{
	point_add(to, path->from.entries + path->create_count, (path->from.count - path->create_count) * sizeof *path->from.entries);
}

static void add_whole_way(struct rt_point *to, struct thread_path *path)
{
	add_way_to(to, path, NULL, 1);
	add_own(to, path);
}

/* From the creation of an ancestor, `first`, that the joining thread created, to the end of the path. */
static void join_descendant(struct span_worker *w, struct thread_path *path, struct thread_path *first)
{
	struct rt_point p = {0};
	point_clear(&p, path->from.position);
	p.burdened = path->from.burdened;
	for (struct thread_path *c = path->creator; c != first->creator; c = c->creator) {
		p.position += c->create_position;
		p.burdened += c->create_burdened;
	}
	agree_on_asides(w->lane, first);
	point_add(&p, first->from.entries, first->create_count * sizeof *p.entries);
	add_way_to(&p, path, first, 1);
	add_own(&p, path);
	point_copy_places(&p, &first->from);
	point_go(&w->task, &p);
	point_free(&p);
}

/* The thread has another ancestor than the one that joins it. Seen from the latter's start its path is that of the program
 * to its end, less the program's to that start. */
static void join_elsewhere(struct span_worker *w, struct thread_path *path)
{
	struct span_lane *lane = w->lane;
	struct rt_point p = {0};
	uint64_t burdened, here = point_position(&w->task, &burdened), there = whole_way(path) - way_to(w->path);
	struct rt_frame *outermost = NULL;
	if ((int64_t)there <= (int64_t)here)
		return;
	for (struct rt_frame *f = skein_self.frames; f; f = f->up)
		for (struct rt_scope *s = f->scopes; s; s = s->next)
			span_sync(lane, &f->f, &s->scope, f->n);
	add_whole_way(&p, path);
	add_way_to(&p, w->path, NULL, -UINT64_C(1));
	lane->kept.end = lane->region = 0;
	span_append_entries(lane, p.entries, p.count);
	point_free(&p);
	for (struct rt_frame *f = skein_self.frames; f; f = f->up) {
		f->f.span = -f->n;
		f->f.lost = f->n + f->outer.local_span;
		f->outer.span = 0;
		outermost = f;
	}
	if (outermost) {
		outermost->f.span += there;
		outermost->f.burdened_span += there > burdened ? there - burdened : 0;
	} else {
		lane->left.span = there;
		lane->left.local_span = 0;
		lane->left.burdened_span = lane->left.burdened_span > there ? lane->left.burdened_span : there;
	}
}

/* Returns false if it must be left to the program's end. */
static bool join_one(struct span_worker *w, struct thread_path *path)
{
	struct thread_path *first = path;
	what_ifs_wait(w, &path->from);
	while (first && first->creator != w->path)
		first = first->creator;
	if (!loops_agree(first ? first : path))
		return false;
	if (first == path) {
		agree_on_asides(w->lane, path);
		point_go(&w->task, &path->from);
	} else if (first) {
		join_descendant(w, path, first);
	} else {
		join_elsewhere(w, path);
	}
	w->lane->region = own_region();
	return true;
}

void join_joined(struct skein_self *self, pthread_t thread)
{
	struct span_worker *w = self->span == &self_no_span ? NULL : span_worker(self->lane);
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

/* The longest path of all that have ended and nobody joined. */
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

/* Who calls this has no open invocations any more. Threads that run on have not ended: they are not joined. */
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
	add_whole_way(&p, longest);
	w->lane->kept.end = w->lane->region = 0;
	span_append_entries(w->lane, p.entries, p.count);
	w->lane->kept.span = whole_way(longest);
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
	add_way_to(&p, w->path, NULL, 1);
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
