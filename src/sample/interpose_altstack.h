/* SPDX-License-Identifier: MIT */
/* interpose_altstack.h: alternate signal stacks that have no room for a tick.
 *
 * A tick takes what the kernel saves of the processor, up to 11 KiB, and what the handler needs; a stack of 4 KiB has room for the first
 * and not for the second, one of MINSIGSTKSZ for neither. So where a thread has such a stack ticks no longer ask for
 * it, in the whole process: that is not a thread's own affair. And the kernel ends a process in which a tick finds too little
 * room below a handler of the subject's that runs on its alternate stack: where a stack has no room for both, ticks wait until
 * that handler is done. What they would have sampled is charged to the next sample. A handler that is left by longjmp leaves
 * them blocked; the next change of the thread's mask opens them again.
 *
 * A stack that was given to the kernel past the C library is unknown: then a tick looks for itself, and is dropped. */
#ifndef SKEIN_SAMPLE_INTERPOSE_ALTSTACK_H
#define SKEIN_SAMPLE_INTERPOSE_ALTSTACK_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

bool altstack_is_any(void);                                   /* ticks must not ask for an alternate stack */
bool altstack_has_room(const ucontext_t *context);            /* where this tick's handler runs */
void altstack_add_mask(int number, struct sigaction *action); /* of the subject's, before the kernel has it */
bool altstack_masks(int number);                              /* whether the action has the clock's signal in its mask, unasked */
void altstack_open(void);                                     /* the thread's mask was changed */

#endif
