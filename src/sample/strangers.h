/* SPDX-License-Identifier: MIT */
/* strangers.h: threads that libraries started before the sampler did.
 *
 * The sampler has not seen such a thread start, so it opens the thread's clock from another thread; the first tick
 * finds that the thread is unknown (strangers_met). */
#ifndef SKEIN_SAMPLE_STRANGERS_H
#define SKEIN_SAMPLE_STRANGERS_H

#include <signal.h>
#include <stdbool.h>

void strangers_find(void);
bool strangers_met(const siginfo_t *info); /* the calling thread's clock from outside has ticked, and is gone now */

#endif
