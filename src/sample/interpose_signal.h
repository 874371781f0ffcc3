/* SPDX-License-Identifier: MIT */
/* interpose_signal.h: the signal of the sampling clock, which the subject may use, too.
 *
 * The kernel calls our handler. A tick is ours; any other signal of that number is given to the handler that the subject has
 * installed, under the mask that it asked for. The subject sees its own action and mask, never ours. */
#ifndef SKEIN_SAMPLE_INTERPOSE_SIGNAL_H
#define SKEIN_SAMPLE_INTERPOSE_SIGNAL_H

void signals_take(void);        /* before the first clock ticks */
void signals_before_exec(void); /* a signal that the subject ignores is ignored by what it executes */
void signals_after_exec(void);  /* which could not be executed */

#endif
