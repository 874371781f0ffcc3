/* SPDX-License-Identifier: MIT */
/* threads.h: the threads of a run with creator, start and end, in the views `threads` of the lenses.
 *
 *     threads_fill(&run, worker, sheet);                   one row per thread; worker: only this worker's, or -1
 *     COLUMN(s, ID, "creator", NULL, threads_creator(&run, thread));
 */
#ifndef SKEIN_THREADS_VIEW_H
#define SKEIN_THREADS_VIEW_H

#include "analyse/run.h"
#include "report/sheet.h"

/* The creator as an index into the run's threads; RUN_UNKNOWN: the program started the thread, or the creator is not known. */
int64_t threads_creator(const struct run *run, const struct run_thread *thread);
void threads_fill(const struct run *run, long worker, struct sheet *s);

#endif
