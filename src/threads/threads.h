/* SPDX-License-Identifier: MIT */
/* threads.h: the threads of the subject, their lanes, which of them work and which wait. All lenses learn about
 * threads through this module. It interposes the functions that create threads and that make them wait (pthread,
 * C11, sleeping, blocking I/O) and listens to OpenMP's tools interface. Its results go three ways: into the raw
 * recording (threads, lanes, waits), into skein_n_working, and to the lens, its client.
 *
 *     static const struct threads_client client = {.thread_begin = …};
 *     threads_start(&client);       once, in the thread that runs main, after raw_open
 *
 * A thread is working from its start to its end except while it waits. Waits nest: only the outermost counts. A
 * thread ends in the last round of its key destructors, so that the subject's own destructors still belong to it.
 *
 * Anything here may run inside the subject's malloc, under its locks or in its signal handlers: no allocation but
 * from arena.h, no locks, errno preserved.
 *
 * What is not seen: waits inside libc that pass no exported function (getaddrinfo, and what printf writes), system
 * calls made by syscall(), and whatever a library does that was loaded with RTLD_DEEPBIND. */
#ifndef SKEIN_THREADS_H
#define SKEIN_THREADS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include "arch/arch.h"
#include "core/flow/log.h"
#include "raw/format.h"
#include "threads/self.h"

/* How many threads are working now. Written when a thread starts or ends working, read on the hot path. */
extern _Atomic uint64_t skein_n_working __attribute__((visibility("default")));
uint64_t threads_working(void); /* number of working threads, also where the client counts apart */

/* A lane outlives its threads. Lanes are numbered from 0 and never freed; lane_at(i) is valid for i < lane_count(). */
struct lane {
	_Alignas(ARCH_APART_BYTES) atomic_uint working; /* 1: the thread works; one padded flag per lane, for lenses that sum them */
	atomic_uint alive;                              /* 1: a thread runs in it */
	uint32_t number;
	_Atomic uint32_t next_free;          /* number + 1 of the lane below it among the free ones */
	struct raw_lane *record;             /* never NULL once a thread has had the lane */
	_Atomic(struct skein_self *) self;   /* of the thread in it; other threads compare, never dereference */
	void *lens;                          /* the client's, kept from one thread of the lane to the next */
	_Atomic uint32_t tid;                /* of the thread in it */
	_Atomic(pthread_t) handle;           /* of the thread in it */
	_Atomic(struct raw_thread *) thread; /* record of the lane's thread; the lane keeps a shared record */
	struct raw_thread *shared;           /* of all threads in this lane that came when there were records enough */
	uint64_t cpu_before_ns;              /* in a shared record: of the threads before this one */
	_Atomic uint64_t wait_from;          /* tick since which its thread's wait is not in the books; 0: it does not wait */
	_Atomic uint32_t wait_kind;          /* kind of that wait */
};

unsigned lane_count(void); /* any thread, signal handlers too */
struct lane *lane_at(unsigned number);

/* What tasks of OpenMP depend on is told of under its address with this bit, which no address of a program has. */
#define THREADS_DEPENDENCE (UINT64_C(1) << 62)

/* Bytes are about to be written, have been written, have been read; or some descriptor has something to read. */
enum threads_moved { THREADS_WRITES, THREADS_WROTE, THREADS_READ, THREADS_POLLED };

/* What a lens wants to hear. Every member may be NULL. All run in the thread that they are about. `inherited` is what
 * capture returned in the creating thread, one reference to it; the module passes it on, and counts further users
 * with retain and release. A thread holds its own until after thread_end. */
struct threads_client {
	bool openers_adopt; /* the thread that opens a region adopts what was captured for it, too */
	bool counts_apart;  /* the client does not read skein_n_working, which is not maintained then */
	bool no_openmp;     /* the client does not need OpenMP's teams, tasks and waits */
	void (*thread_begin)(struct skein_self *self, void *inherited);
	void (*thread_ready)(struct skein_self *self); /* after thread_begin, with the signal mask as the subject has it */
	void (*thread_end)(struct skein_self *self);
	void (*before_create)(struct skein_self *self); /* this thread is about to create one */
	void (*after_create)(struct skein_self *self);  /* this thread has created one, or could not */
	void (*wait_begin)(struct skein_self *self);    /* outermost waits only; a jump out of a handler may break the pair */
	void (*wait_end)(struct skein_self *self, enum raw_wait kind, uint64_t start, uint64_t end);
	/* What happens to an object: an acquisition after it succeeded, a release before it is done; FLOW_JOIN: `object` is the
	 * handle of the thread. It ends the wait for the object if there is one, which has not ended for wait_end yet. */
	void (*note)(struct skein_self *self, enum flow_kind what, const void *object, const void *caller);
	/* An OpenMP task runs in this thread from now on; 0: what it ran before any. `code` is where the task was created, `how` are bits of
	 * enum flow_run. */
	void (*runs)(struct skein_self *self, uint64_t number, const void *code, unsigned how);
	/* What happens to a descriptor: see enum threads_moved. That ends a wait, likewise. */
	void (*moved)(struct skein_self *self, enum threads_moved what, int fd, const void *caller);
	void *(*capture)(struct skein_self *self); /* this thread creates a thread or task now */
	void *(*lend)(struct skein_self *self);    /* a client with note: as capture, of a task or a team, which others then adopt */
	void (*retain)(void *inherited);
	void (*release)(void *inherited);
	void (*joined)(struct skein_self *self, pthread_t thread); /* this thread has waited for the end of `thread` */
	void (*team_begin)(struct skein_self *self);               /* the current activation opens a parallel region */
	void (*team_end)(struct skein_self *self);                 /* the current activation closes a parallel region */
	/* begins to run work that was captured elsewhere (team member or task) */
	void (*adopt)(struct skein_self *self, void *inherited);
	void (*disown)(struct skein_self *self, void *inherited); /* ends or leaves it; adopt and disown nest */
	void (*before_fork)(struct skein_self *self);
	void (*after_fork_parent)(struct skein_self *self);
	void (*after_fork_child)(struct skein_self *self); /* only this thread exists; raw_fork, then threads_restart */
	/* _exit, quick_exit, exec (RAW_FINISHED, RAW_EXECED) are about to happen; may be called more than once */
	void (*before_exit)(uint32_t flag);
	void (*after_failed_exec)(void);
	void (*unloads)(uint64_t since); /* dlclose is about to unload code (0), or may have done so since that tick */
	void (*no_signals)(void);        /* from now on a signal handler would kill the subject, which gives up what it needs */
	void (*vfork_begin)(struct skein_self *self); /* until vfork_end this memory is the child's too: record nothing */
	void (*vfork_end)(struct skein_self *self);   /* in the parent; the child has become another program or is gone */
};

void threads_start(const struct threads_client *client);
bool threads_started(void);

/* In a forked child: this thread is thread 0 of a new recording, alone in lane 0. Its lane's `lens` goes with it to
 * lane 0, in exchange for the one that lane 0 had; other lanes keep theirs for the threads to come. */
void threads_restart(void);

/* Brings the CPU times in the records of running threads up to date. For snapshots and for the end; any one thread. */
void threads_refresh(void);

/* A thread that no interposer saw start (made by clone, or before the runtime) is met at its first event. Returns the
 * calling thread's self; its lane is NULL when it cannot be met: too early, too late, hidden, or no memory. */
#define THREADS_ENDED 4u /* PTHREAD_DESTRUCTOR_ITERATIONS */
struct skein_self *threads_meet(void);

/* The calling thread waits from here on. True: a wait began, and threads_wait_end must end it; false: it is part of
 * a wait already, or the thread is not recorded. `frame` is the stack address of the waiting function; a wait whose
 * frame lies below that of a new one was left by longjmp and ends there. NULL if the wait has no frame of its own. What the wait
 * is for may be put into wait_object and wait_place of skein_self before. */
bool threads_wait_begin(enum raw_wait kind, const void *frame);
void threads_wait_end(void);                             /* nothing happens if the thread does not wait */
void threads_wait_turn(uint64_t at, enum raw_wait kind); /* the wait goes on, but has been of another kind since tick `at` */

/* Enters the wait that goes on in a lane into the books until now, for any one thread: `from` is the lane's wait_from as it
 * was read before. Returns the ticks, or 0 if that wait does not go on. Whatever the caller read in between belongs to it. */
uint64_t threads_wait_split(struct lane *lane, uint64_t from);

/* Where what a thread inherited begins on its stack: frames whose CFA is above the exit frame, or whose code is a start function of
 * ours, belong to the machinery that runs it (section 4.2 of PPoPP'09). */
struct threads_task {
	void *inherited;      /* of the innermost task that inherited something; still the task's */
	uintptr_t exit_frame; /* frame address of the runtime's function that called the task; 0: its code is not on the stack */
};
/* false: the thread runs no such task. Signal handlers of the thread, too */
bool threads_current_task(const struct skein_self *self, struct threads_task *task);
bool threads_is_start(uintptr_t ip); /* code that calls the subject's start function */

/* The thread of the profiler's own, if the lens has one: detached, no lane, not counted, all signals blocked, a small stack. Sanitizers in
 * the subject do not know of it, so nothing but the kernel may be asked about it. 0 or an error number. The thread may have to make way
 * for a moment: `run` returns as soon as threads_hidden_sleep says so, and is called again. */
struct threads_hidden {
	void (*run)(void);
	void (*is_gone)(void); /* called if the thread could not begin again; or NULL */
};
int threads_create_hidden(const struct threads_hidden *what);
bool threads_hidden_sleep(uint64_t ns); /* false: the thread must end */
/* For a hidden thread, now and then: ends the process if no other thread is left, as glibc would without the hidden
 * one. */
void threads_end_with_last(void);

#endif
