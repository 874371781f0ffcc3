/* SPDX-License-Identifier: MIT */
/* paths.h: the `paths` lens inside a subject: the functions that its hooks (hooks.c) call, and the interface between
 * its files.
 *
 * A lane has, for each object, a table of counters (src/pass/shape.h says which row is which); for each routine that
 * has many paths a table of its own, made when it is first called, or, if it is cut, when that pays, and larger when
 * more is needed, which a row of the first one leads to; hashes for what these have no room for; and for all objects
 * together a list of frames that are in calls that may not return. Everything but the index of the hashes is in the
 * recording, so nothing is lost however the process ends.
 *
 * paths.c         the lens as start.c and src/threads know it; tables of counters
 * own.c     tables of routines
 * keys.c    hashes: paths far behind cuts, prefixes, frames that never ended
 * frames.c  frames that are in a call
 * calls.c   how hooks call all this
 *
 * Everything here may run in the subject's signal handlers; errno is kept. */
#ifndef SKEIN_RT_PATHS_H
#define SKEIN_RT_PATHS_H

#include "raw/format.h"
#include "rt/object.h"
#include "threads/threads.h"

/* For hooks, which call them as skein_rt_paths_X: see calls.c. */
uint64_t *paths_counts(struct skein_object *object); /* never NULL */
/* here: the calling thread's variable for them, of the only object that has one */
uint64_t *paths_counts_here(struct skein_object *object, uint64_t **here);
/* leads the row to a table. paths: of a segment; 0: there are no cuts */
void paths_own(struct skein_object *object, uint64_t *counts, uint64_t row, uint32_t routine, uint64_t keys, uint64_t paths);
/* what is not in the table */
void paths_count(struct skein_object *object, uint64_t *counts, uint64_t row, uint64_t index, uint64_t paths);
uint64_t paths_look_up(struct skein_object *object, uint64_t *counts, uint64_t row, uint64_t key, uint64_t paths); /* place times paths */
struct raw_paths_open *paths_frames(struct skein_object *object); /* where the next frame goes; never NULL */
void paths_drop(struct raw_paths_open *from);                     /* this frame and those above it never end */

/* The rows of a RAW_PATHS_OWN. */
struct paths_own {
	uint64_t routine;
	uint64_t size;    /* 0: there is no table */
	uint64_t words[]; /* counts; with cuts, then places */
};
#define PATHS_VAIN UINT64_MAX /* as a routine: nothing is counted here */

static inline struct paths_own *paths_own_at(const uint64_t *counts, uint64_t row)
{
	return (struct paths_own *)(uintptr_t)counts[row];
}

/* Keys with values, of one routine: see keys.c. */
#define PATHS_HASH_TABLES 21
struct paths_hash {
	struct paths_index *index; /* NULL: none yet */
	uint32_t used;
	uint32_t asked;                              /* how often, since the routine's table was made */
	struct raw_table *tables[PATHS_HASH_TABLES]; /* rows are struct raw_paths_key or, which has the same layout, raw_paths_stop */
};

struct paths_keys {
	struct paths_keys *next;
	uint32_t object; /* slot */
	struct paths_hash stops;
	struct paths_hash *keys; /* of a routine: each has its own, so that those of one that is hot stay together. NULL: none has one */
	uint32_t *places;        /* of a routine: prefixes that have one. NULL: none has */
};

/* A lane's. */
struct paths_worker {
	uint64_t **tables;         /* SELF_TABLES_MAX pointers */
	struct paths_keys *keys;   /* of objects that need some */
	struct paths_owned *owned; /* rows that lead to tables of routines */
	struct raw_table *open;    /* the first table of frames */
	uint64_t **here;           /* variable of the thread that points to the counters as long as self->tables does; NULL: not in use */
	struct raw_paths_open *before_vfork;
	uintptr_t busy; /* stack address of the code that is changing keys; a signal handler that interrupts it leaves the keys alone */
	uint32_t lane;
};

/* paths.c */
struct paths_worker *paths_worker(struct lane *lane); /* NULL: none yet */
static inline struct paths_worker *paths_mine(const struct skein_self *self)
{
	return self->lane && self->tables != self_no_tables ? paths_worker(self->lane) : 0;
}

/* own.c */
bool paths_own_is_wanted(const struct paths_own *own, uint32_t asked); /* the hash was asked so often that a larger one pays */
/* to have room for this, if it can */
void paths_own_grow(struct paths_worker *w, const struct skein_object *object, uint64_t *counts, uint64_t row, uint64_t key,
                    uint64_t paths);
void paths_restart_own(struct paths_worker *w, bool mine); /* in a forked child, behind the tables of counters */

/* keys.c */
/* to change what is not a plain counter: false, and a loss, for a signal handler that interrupted a change */
bool paths_enter(struct paths_worker *w);
void paths_leave(struct paths_worker *w);
void paths_count_stop(struct paths_worker *w, const struct raw_paths_open *frame);
void paths_restart_keys(struct paths_worker *w, bool mine); /* in a forked child; mine: of the one thread that is left */

/* frames.c */
struct raw_paths_open *paths_first_frame(struct paths_worker *w); /* never NULL */
void paths_drop_all(struct skein_self *self, struct paths_worker *w);
void paths_forget_above(struct raw_paths_open *from);
void paths_restart_frames(struct paths_worker *w, bool mine);

#endif
