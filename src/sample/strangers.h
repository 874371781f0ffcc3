/* SPDX-License-Identifier: MIT */
/* strangers.h: threads that libraries started before the sampler did.
 *
 * Nobody tells when such a thread does something, so it gets a clock from outside; its first tick finds that nobody
 * knows it (strangers_met). */
#ifndef SKEIN_SAMPLE_STRANGERS_H
#define SKEIN_SAMPLE_STRANGERS_H

#include <signal.h>
#include <stdbool.h>

void strangers_find(void);
bool strangers_met(const siginfo_t *info); /* the calling thread's clock from outside has ticked, and is gone now */

#endif
