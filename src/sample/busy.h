/* SPDX-License-Identifier: MIT */
/* busy.h: how many threads work at this instant, and how many cores they keep busy (section 2.1).
 *
 *     struct busy busy = busy_now(self->lane);
 *     idleness += work * (n - busy.cores) / busy.cores;
 *
 * n_w is no larger than n, than the number of threads that work, and than the number of cores that their affinity masks
 * allow them together. Signal handlers only: the thread that asks works. */
#ifndef SKEIN_SAMPLE_BUSY_H
#define SKEIN_SAMPLE_BUSY_H

#include "sample/sampled.h"

struct busy {
	unsigned threads; /* working threads in all processes; hardly more than n + 1 are counted */
	unsigned cores;   /* n_w: cores that the working threads keep busy */
	unsigned ready;   /* of the working threads of this process: without a core, which others have taken */
};

struct busy busy_now(const struct lane *mine);
enum raw_idle_class busy_class(const struct busy *busy); /* section 6 */
void busy_read_mask(struct sampled *s);                  /* of the calling thread; now and then, since anybody may change it */

#endif
