/* SPDX-License-Identifier: MIT */
#include "unwind/stack.h"

#include "arch/subject.h"
#include "raw/kernel.h"
#include "unwind/memory.h"

enum { STACK_PAGES = 2048 };

/* The thread's stack ends below its own control block, but for that of the first thread. */
static uintptr_t end_of_stack(void)
{
	extern void *__libc_stack_end;
	return kernel_tid() == kernel_pid() ? (uintptr_t)__libc_stack_end : arch_thread();
}

void stack_begin(struct unwind_stack *stack)
{
	stack->high = end_of_stack();
	stack->low = stack->high;
}

/* What lies between the stack pointer and the part of the stack that is known is looked at page by page, once. On a stack of another
 * kind (a coroutine's) there is a hole in between. */
void stack_reach(struct unwind_stack *stack, uintptr_t sp)
{
	uintptr_t page = sp & ~(uintptr_t)(ARCH_PAGE_BYTES - 1), at = (stack->low - 1) & ~(uintptr_t)(ARCH_PAGE_BYTES - 1);
	if (sp >= stack->low || at - page > (uintptr_t)STACK_PAGES * ARCH_PAGE_BYTES)
		return;
	while (at >= page && memory_is_there(at))
		at -= ARCH_PAGE_BYTES;
	if (at < page)
		stack->low = page;
}
