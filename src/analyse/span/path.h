/* SPDX-License-Identifier: MIT */
/* path.h: the critical path of a process, and its work, as far as the raw tables of the span lens have them.
 *
 *     struct path path = path_longest(process);
 *     const struct span_entry *log = path_log(process, path.lane, path.kept->log_number, path.kept->end, &entries);
 *
 * A program that ends while threads run has no path through these threads: no thread joined them. The path of such a thread is the way
 * to its create, then the lane's own log. Calls that have not returned are in neither. If the program ended by itself, their work
 * is estimated: from the thread's CPU time, at the pace of the threads whose work is known. */
#ifndef SKEIN_ANALYSE_SPAN_PATH_H
#define SKEIN_ANALYSE_SPAN_PATH_H

#include "analyse/session.h"
#include "core/span/span.h"

#define PATH_NO_SITE UINT64_MAX

struct path {
	uint32_t lane;
	const struct span_kept *kept; /* NULL: the process has no lane */
	uint64_t span;                /* including `open` */
	uint64_t open;                /* estimated work of calls that have not returned */
	bool through_running;         /* the lane's log begins at the create of its thread: the way to that comes before it */
};

/* A thread that ran when the program ended, in another thread. */
struct path_running {
	uint32_t lane;
	uint64_t site; /* number of the site that created it; PATH_NO_SITE: it is not known */
	uint64_t open; /* estimated work of calls that have not returned */
};

const struct raw_table *path_table(const struct raw_record *record, uint32_t kind); /* NULL: the record is something else */
/* NULL: the lane has no log of that number. `bytes` may come from a row of another table; nothing behind the log's own end is read. */
const struct span_entry *path_log(const struct session_process *p, uint32_t lane, uint64_t number, uint64_t bytes, uint64_t *entries);
uint64_t path_work(const struct session_process *p); /* without estimates */
struct path path_longest(const struct session_process *p);
size_t path_running(const struct session_process *p, struct path_running **list); /* the caller frees the list */

#endif
