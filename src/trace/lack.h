/* SPDX-License-Identifier: MIT */
/* lack.h: when the thread had no core, where context switches are not recorded; for the files of this folder.
 *
 * Between two records, a thread that works has a core for as long as its CPU clock says. The rest of that time is written into its log as a
 * FLOW_OFF and a FLOW_ON just before the later record: when it was is not known. Looking costs three clocks, so it is done where a wait
 * ends, and where a thread comes back after so long that it can have lost its core.
 * What the kernel makes a thread wait for without a call, such as a page, counts as time without a core here. Routines are recorded
 * without looking: where there are some, time without a core can only be told from the last one on.
 *
 *     lack_estimate();             once, before there are logs
 *     lack_look(self, mine);       before the records of an operation: puts what the thread has lacked
 *     lack_begin(self, mine);      behind them: it works from here, if it does */
#ifndef SKEIN_TRACE_LACK_H
#define SKEIN_TRACE_LACK_H

#include "trace/log.h"

void lack_estimate(void);
void lack_look(struct skein_self *self, struct log *log);
void lack_begin(struct skein_self *self, struct log *log);

#endif
