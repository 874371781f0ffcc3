/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stack.h: the active routines of the running thread.
 *
 * A routine begins when the first block after a call belongs to it; it ends when a return leaves the stack pointer
 * above its return address. So stubs between a call and its routine are skipped, and a jump that leaves several
 * routines at once (longjmp, an exception, a signal handler that does not return) ends all of them at the next block
 * of another routine, or the next return. A jump to the first instruction of another routine with the stack as a
 * call would have it is a call in place of a return: the routine counts as called by the one that jumped, and both
 * end with one return. */
#ifndef SKEIN_VALGRIND_STACK_H
#define SKEIN_VALGRIND_STACK_H

#include "valgrind/threads.h"

/* From generated code: */
void stack_enter_start(struct routine *r, Addr sp);  /* tool.current is another routine than that of this block, which is its first */
void stack_enter_middle(struct routine *r, Addr sp); /* enters a routine at an instruction that is not its first */
void stack_enter_from(Addr address, Addr sp);        /* tool.current is NULL, and no symbol is known */
void stack_return(Addr sp);                          /* `sp` is the stack pointer after the return */
void stack_hide(Addr sp);                            /* the loader's resolver was called: nothing counts until it returns */

void stack_signal(ThreadId tid, Int number, Bool on_other_stack);
void stack_signal_done(ThreadId tid, Int number);
/* The kernel has written memory. If it is in the thread's stack, it is forgotten when its routine has ended. (Memory
 * that the thread itself wrote to its stack is written again before it is read.) */
void stack_written(struct thread *t, Addr start, SizeT bytes);
void stack_drop(struct thread *t); /* the thread begins, or has never been in any routine */

#endif
