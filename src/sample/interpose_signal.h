/* SPDX-License-Identifier: MIT */
/* interpose_signal.h: the signal of the sampling clock, which the subject may use, too.
 *
 * The kernel calls Skein's handler, which takes ticks; any other signal of that number goes to the subject's
 * handler, under the mask that the subject asked for. The subject sees its own action and mask, never Skein's. */
#ifndef SKEIN_SAMPLE_INTERPOSE_SIGNAL_H
#define SKEIN_SAMPLE_INTERPOSE_SIGNAL_H

#include <stdbool.h>

bool signals_have_handler(void); /* the subject has one for that signal */
void signals_take(void);         /* before the first clock ticks */
void signals_install(void);      /* the handler, once more: what it depends on has changed */
void signals_before_exec(void);  /* a signal that the subject ignores is ignored by what it executes */
void signals_after_exec(void);   /* call this after an exec that failed */

#endif
