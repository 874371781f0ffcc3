/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.h: writes the whole raw recording (raw/format.h) at the start, every few seconds, and at the end.
 *
 * The file is opened once, with a number that the subject cannot reach, so it can be written after the subject closed
 * all files, changed its root or its user. Each time the records go before or behind the last ones; then one write
 * of the header and of a void record that leads to them makes them valid. So a reader always finds complete records,
 * and kill -9 loses a few seconds. The time between is at least RECORD_SHARE times what writing took. */
#ifndef SKEIN_VALGRIND_RECORD_H
#define SKEIN_VALGRIND_RECORD_H

#include "valgrind/tool.h"

enum { RECORD_SHARE = 30 };

void record_start(void); /* SKEIN_SESSION or --skein-session names the folder; without one nothing is recorded */
void record_now_and_then(void);
void record_exec(Bool is_next);     /* the process is about to become another program; or that failed */
void record_fork(void);             /* the process is a forked child, and gets its own recording */
void record_finish(Bool by_itself); /* the process ends; by_itself False: by a signal */

#endif
