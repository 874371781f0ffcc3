/* SPDX-License-Identifier: MIT */
#include "sample/interpose_altstack.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include "raw/kernel.h"
#include "sample/interpose_signal.h"
#include "sample/ticks.h"
#include "threads/helpers.h"
#include "threads/real.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

enum {
	HANDLER_BYTES = 4096, /* twice what a sample was seen to take */
	LEAST_BYTES = 3072,   /* for a tick that is there already */
	FRAME_BYTES = 4096    /* where the kernel does not say what it saves */
};

static struct {
	atomic_bool any;          /* has no room for a tick */
	atomic_bool any_for_one;  /* has no room for a handler of the subject's and a tick */
	atomic_bool masked[NSIG]; /* the action's mask has the clock's signal, which the subject did not ask for */
} narrow;

static size_t frame_bytes(void)
{
	size_t bytes = helpers.getauxval(AT_MINSIGSTKSZ);
	return bytes ? bytes : FRAME_BYTES;
}

bool altstack_is_any(void)
{
	return atomic_load_explicit(&narrow.any, memory_order_relaxed);
}

bool altstack_has_room(const ucontext_t *context)
{
	uintptr_t low = (uintptr_t)context->uc_stack.ss_sp, here = (uintptr_t)__builtin_frame_address(0);
	bool is_on_it = !(context->uc_stack.ss_flags & SS_DISABLE) && here - low < context->uc_stack.ss_size;
	return !is_on_it || here - low >= LEAST_BYTES;
}

void altstack_add_mask(int number, struct sigaction *action)
{
	bool wants = atomic_load(&narrow.any_for_one) && number != ticks_signal() && action->sa_flags & SA_ONSTACK &&
		action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN && !kernel_set_has(&action->sa_mask, ticks_signal());
	atomic_store(&narrow.masked[number], wants);
	if (wants)
		kernel_set_add(&action->sa_mask, ticks_signal());
}

bool altstack_masks(int number)
{
	return atomic_load(&narrow.masked[number]);
}

/* Handlers that were there before the stack. */
static void mask_all(void)
{
	struct sigaction action;
	for (int number = 1; number < NSIG; number++) {
		if (number == ticks_signal() || atomic_load(&narrow.masked[number]) || real.sigaction(number, NULL, &action) < 0)
			continue;
		altstack_add_mask(number, &action);
		if (atomic_load(&narrow.masked[number]))
			real.sigaction(number, &action, NULL);
	}
}

static bool is_on_stack(void)
{
	stack_t now = {0};
	return kernel_call(SYS_sigaltstack, NULL, &now) == 0 && now.ss_flags & SS_ONSTACK;
}

void altstack_open(void)
{
	uint64_t signal = UINT64_C(1) << (ticks_signal() - 1);
	if (atomic_load_explicit(&narrow.any_for_one, memory_order_relaxed) && !is_on_stack())
		kernel_call(SYS_rt_sigprocmask, SIG_UNBLOCK, &signal, NULL, KERNEL_SIGSET_BYTES);
}

static void see(const stack_t *stack)
{
	size_t tick = frame_bytes() + HANDLER_BYTES;
	if (stack->ss_flags & SS_DISABLE)
		return;
	if (stack->ss_size < tick && !atomic_exchange(&narrow.any, true))
		signals_install();
	if (stack->ss_size < 2 * tick && !atomic_exchange(&narrow.any_for_one, true))
		mask_all();
}

/* Before the kernel has it: a tick may come at once. */
EXPORT int sigaltstack(const stack_t *restrict stack, stack_t *restrict old)
{
	if (stack)
		see(stack);
	return real.sigaltstack(stack, old);
}
