/* SPDX-License-Identifier: MIT */
/* again.h: the same standard input for each of several runs, one after another.
 *
 * A regular file is read from the same place by each run. What can be read only once (a pipe, a socket) is read to its end before
 * the first run, and kept in a file without a name, which the runs get instead. A terminal, /dev/null, and an input that is
 * closed are left as they are: what a run reads from a terminal is typed for that run.
 *
 *     struct again again;
 *     if (again_open(&again, &why) < 0) …
 *     for (…) {
 *             if (again_begin(&again, &why) < 0) …       before each run
 *             …run…
 *     }
 *
 * Standard input stays replaced. Runs share its position, as processes do that inherit it. */
#ifndef SKEIN_RUN_AGAIN_H
#define SKEIN_RUN_AGAIN_H

#include <stdbool.h>
#include <sys/types.h>
#include "base/fail.h"

struct again {
	bool rewinds;
	off_t start;
};

int again_open(struct again *again, struct fail *why);
int again_begin(const struct again *again, struct fail *why);

#endif
