/* SPDX-License-Identifier: MIT */
/* threads.h: which threads exist, their lanes, who is working, who waits.
 *
 * The one module through which every lens learns about threads. It interposes the functions that create threads and
 * that make them wait (pthread, C11, sleeping, blocking I/O) and listens to OpenMP's tools interface. What it learns
 * goes three ways: into the raw recording (threads, lanes, waits), into skein_n_working, and to the lens, its client.
 *
 *     static const struct threads_client client = {.thread_begin = …};
 *     threads_start(&client);       once, in the thread that runs main, after raw_open
 *
 * A thread is working from its start to its end except while it waits. Waits nest: only the outermost counts.
 *
 * Anything here may run inside the subject's malloc, under its locks or in its signal handlers: no allocation but
 * from arena.h, no lock that a signal handler of the same thread could want, errno preserved. */
#ifndef SKEIN_THREADS_H
#define SKEIN_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>
#include "raw/format.h"
#include "threads/self.h"

/* How many threads are working now. Written when a thread starts or ends working, read on the hot path. */
extern _Atomic uint64_t skein_n_working __attribute__((visibility("default")));

/* A lane outlives its threads. Lanes are numbered from 0 and never freed; lane_at(i) is valid for i < lane_count(). */
struct lane {
	_Alignas(128) atomic_uint working;   /* 1: its thread works; one padded flag a lane, for lenses that sum them */
	atomic_uint alive;                   /* 1: a thread runs in it */
	uint32_t number;
	struct raw_lane *record;
	_Atomic uint32_t tid;                /* of the thread in it */
	_Atomic(struct skein_self *) self;   /* of the thread in it; other threads compare, never dereference */
	void *lens;                          /* the client's, kept from one thread of the lane to the next */
	struct lane *next_free;
};

unsigned lane_count(void);          /* any thread, signal handlers too */
struct lane *lane_at(unsigned number);

/* What a lens wants to hear. Every member may be NULL. All run in the thread that they are about. `inherited` is what
 * capture returned in the creating thread; the module passes it on, and counts its users with retain and release. */
struct threads_client {
	void (*thread_begin)(struct skein_self *self, void *inherited);
	void (*thread_end)(struct skein_self *self);
	void (*wait_begin)(struct skein_self *self);      /* outermost waits only */
	void (*wait_end)(struct skein_self *self, enum raw_wait kind, uint64_t start, uint64_t end);
	void *(*capture)(struct skein_self *self);        /* this thread creates a thread or task now */
	void (*retain)(void *inherited);
	void (*release)(void *inherited);
	void (*team_begin)(struct skein_self *self);      /* the current activation opens a parallel region … */
	void (*team_end)(struct skein_self *self);        /* … and closes it */
	void (*adopt)(struct skein_self *self, void *inherited);   /* begins to run work that was captured elsewhere (team member or task) */
	void (*disown)(struct skein_self *self, void *inherited);  /* ends or leaves it */
	void (*before_fork)(struct skein_self *self);
	void (*after_fork_parent)(struct skein_self *self);
	void (*after_fork_child)(struct skein_self *self); /* only this thread exists; raw_open again, then threads_restart */
	void (*before_exit)(uint32_t flag);               /* exit, _exit, quick_exit, exec (RAW_FINISHED, RAW_EXECED) are about to happen; may be called more than once */
	void (*after_failed_exec)(void);
};

void threads_start(const struct threads_client *client);
void threads_restart(void); /* in a forked child: this thread is thread 0 of a new recording, alone in lane 0 */
bool threads_started(void);

/* A thread that no interposer saw start (made by clone, or before the runtime) is met at its first event. */
struct skein_self *threads_meet(void);

/* For interposers and for OMPT: mark the calling thread as waiting. */
void threads_wait_begin(enum raw_wait kind);
void threads_wait_end(void);

#endif
