/* SPDX-License-Identifier: MIT */
/* trace.h: the recorder of the flow lens, preloaded into any program: what threads do to each other, in the order in which they do it.
 *
 * Each lane has a log of its own in the recording (core/flow/log.h), which only the lane's thread writes. What is waited for has a
 * row (objects.h). What the program does with it comes from src/threads: waits, and what ends them; doors.c adds what never waits.
 *
 * A signal handler of the program may interrupt the recorder and do something itself that is recorded: such an event is lost, and
 * counted. */
#ifndef SKEIN_TRACE_H
#define SKEIN_TRACE_H

#include "core/flow/log.h"
#include "threads/threads.h"

void trace_order(void); /* before the first thread: records have no times */
void trace_thread_begin(struct skein_self *self, void *inherited);
void trace_thread_end(struct skein_self *self);
void trace_exit(struct skein_self *self, bool execs); /* the process ends now, or becomes another program */
void trace_before_fork(struct skein_self *self);
void *trace_capture(struct skein_self *self);
uint64_t trace_token(void); /* a number that no other thread or task has */
void trace_wait_begin(struct skein_self *self);
void trace_wait_end(struct skein_self *self, enum raw_wait kind, uint64_t start, uint64_t end);
void trace_note(struct skein_self *self, enum flow_kind what, const void *object, const void *caller);
void trace_runs(struct skein_self *self, uint64_t number, const void *code, unsigned how);
void trace_mark(enum flow_said what, uint64_t name, int64_t value); /* name: a place; of a FLOW_MARK_END 0 */
void trace_moved(struct skein_self *self, enum threads_moved what, int fd, const void *caller);
void trace_fill(const void *object, uint32_t count, const void *caller); /* a semaphore has so many tokens */
void trace_once(const void *object, const void *caller);                 /* this is no word that threads wait for, but a once_flag */
void trace_forget(void);                                                 /* a forked child still has the lanes of its parent */
void trace_restart(struct skein_self *self);                             /* a forked child has a lane of its own */

void marks_restart(void); /* marks.c, in a forked child */

/* routines.c, if the program has hooks */
void trace_routines(struct skein_self *self);    /* from now on hooks of the thread record, */
void trace_no_routines(struct skein_self *self); /* or do not */
void *trace_lend(struct skein_self *self);
void trace_adopt(struct skein_self *self, void *inherited);
void trace_disown(struct skein_self *self, void *inherited);

#endif
