/* SPDX-License-Identifier: MIT */
/* rt.h: the interface of a lens to the runtime: start, objects, forks and exits of the subject. */
#ifndef SKEIN_RT_RT_H
#define SKEIN_RT_RT_H

#include <stdbool.h>
#include <stdint.h>
#include "keys/lenses.h"
#include "rt/object.h"
#include "threads/threads.h"

struct rt_lens {
	const char *name;
	uint32_t lens;                    /* enum raw_lens */
	void (*start)(void);              /* the recording is open, no thread is met yet */
	void (*begin)(void);              /* threads are met */
	void (*finish)(uint32_t flag);    /* RAW_FINISHED or RAW_EXECED; may be called more than once */
	void (*cover)(uint32_t routines); /* numbers below this one are in use */
	/* an object has its slot, or 0 if none is left; its memory is about to go. Also called where nothing is recorded, since hooks
	 * run there too. NULL: nothing to do */
	void (*opened)(const struct skein_object *object);
	void (*closed)(const struct skein_object *object);
	void (*restart)(struct skein_self *self); /* in a forked child, after raw_fork and threads_restart */
	void (*exec_failed)(void);                /* after finish(RAW_EXECED); NULL: nothing to do */
	uint32_t (*flags)(void);                  /* enum raw_flag for a new recording; NULL: none */
	/* marks (rt/region.h); NULL: they mean nothing */
	void (*region_begin)(const char *name, const char *file, unsigned line);
	void (*region_end)(void);
	struct threads_client client; /* start.c adds what concerns processes */
};

#define X(upper, lower, number, how, words, traits) LENS_IF_RELINK(how, extern const struct rt_lens rt_##lower##_lens;)
LENS_LIST(X)
#undef X
extern const struct rt_lens *rt_lens; /* NULL: nothing is recorded */

/* objects.c */
void objects_restart(void);                                           /* in a forked child */
uint32_t objects_routines(void);                                      /* every routine's number is below this */
uint32_t objects_routines_of(uint32_t slot);                          /* how many */
bool objects_find(uint32_t routine, uint32_t *slot, uint32_t *index); /* finds the object of a routine; false: none */
uint32_t objects_sites(void);                                         /* every site's too */
uint32_t objects_sites_of(uint32_t slot);                             /* how many */
uint32_t objects_new_routine(void);                                   /* a number for a marked region; 0: none left */
struct skein_object *objects_with_root(void);                         /* the one that has main; NULL: none */

/* start.c */
void rt_start(void); /* once; later calls do nothing */
void rt_opened(const struct skein_object *object);
void rt_closed(const struct skein_object *object);

#endif
