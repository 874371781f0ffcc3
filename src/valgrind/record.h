/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.h: the raw recording (raw/format.h), written whole each time: at the start, every few seconds, and at the end.
 *
 * It is written beside the old one and then takes its place, so whoever looks finds a complete file, and kill -9 loses a few seconds. The time between
 * is at least RECORD_SHARE times what writing took. */
#ifndef SKEIN_VALGRIND_RECORD_H
#define SKEIN_VALGRIND_RECORD_H

#include "valgrind/tool.h"

enum { RECORD_SHARE = 30 };

void record_start(void);        /* SKEIN_SESSION or --skein-session names the folder; without one nothing is recorded */
void record_now_and_then(void);
void record_exec(Bool is_next); /* the process is about to become another program; or that failed */
void record_fork(void);         /* this is a child, with a recording of its own */
void record_finish(Bool by_itself); /* the process ends; False: a signal ends it */

#endif
