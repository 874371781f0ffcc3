/* SPDX-License-Identifier: MIT */
/* stack.h: how much of a thread's stack is known to be readable.
 *
 *     struct unwind_stack stack;
 *     stack_begin(&stack);                                             once, by the thread itself
 *     stack_reach(&stack, sp);                                         before each walk, from where it begins
 *     unwind_begin(&u, cache, stack.low, stack.high, ucontext);
 *
 * The kernel is asked about each page once, as the stack grows into it. No locks, errno stays; the thread and its signal handlers. */
#ifndef SKEIN_UNWIND_STACK_H
#define SKEIN_UNWIND_STACK_H

#include <stdint.h>

struct unwind_stack {
	uintptr_t low, high; /* what lies between them can be read */
};

void stack_begin(struct unwind_stack *stack); /* not in the child of a fork, which may be on any stack of its parent */
void stack_reach(struct unwind_stack *stack, uintptr_t sp);

#endif
