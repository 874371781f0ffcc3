/* SPDX-License-Identifier: MIT */
/* join.h: the path of a thread, for join.c (its life), aside.c (what is set aside in its log) and way.c (the way to its end). */
#ifndef SKEIN_RT_SPAN_JOIN_H
#define SKEIN_RT_SPAN_JOIN_H

#include "rt/span/span.h"

/* Entries of a scope's best child, in the middle of a log: not on the path. */
struct aside {
	const struct span_scope *scope;
	uint64_t l0, l1;
};

enum { ASIDES = 8, PATH_REGIONS = 16 };

struct thread_path {
	_Atomic uint32_t users;
	_Atomic uint32_t ended;
	pthread_t handle;
	struct thread_path *next;    /* the next path in the bucket */
	struct skein_object *object; /* the site of its create; NULL: none */
	uint32_t site;
	struct rt_point from; /* in the creator: the path to the create, and when the thread has ended, through it */
	uint64_t create_position, create_burdened, create_count; /* what of that leads to the create */
	uint32_t marks;                                          /* what-ifs under whose sites it was created */
	bool under;                                              /* the creator was under the site of --under */
	uint32_t regions[PATH_REGIONS], region_count;            /* regions in which it was created */
	struct thread_path *creator;                             /* the creating thread's own; NULL: it ran main */
	struct aside asides[ASIDES];
	uint32_t aside_count;
};

/* aside.c */
void aside_note(struct thread_path *path,
                const struct rt_frame *f); /* of an open invocation and those below it: is set aside at the create */
uint64_t aside_at(const struct thread_path *path, uint64_t entry); /* how many entries of its log are set aside from this one on */
void aside_agree(struct span_lane *lane, struct thread_path *path);
uint64_t aside_region(void);
bool aside_loops_agree(const struct thread_path *path);

/* way.c: lengths are counted from the program's start */
uint64_t way_to(const struct thread_path *path);      /* to the create */
uint64_t way_through(const struct thread_path *path); /* to the thread's end */
void way_add_to(struct rt_point *to, struct thread_path *path, const struct thread_path *top, uint64_t sign);
void way_record(struct span_worker *w);                              /* no path may change meanwhile */
void way_add_through(struct rt_point *to, struct thread_path *path); /* the entries on it */
void way_from_descendant(struct span_worker *w, struct thread_path *path, struct thread_path *first);
void way_from_elsewhere(struct span_worker *w, struct thread_path *path);

#endif
