/* SPDX-License-Identifier: MIT */
#include "threads/interpose/strict.h"

#include <signal.h>
#include <stddef.h>
#include "arch/arch.h"
#include "arch/subject.h"
#include "threads/helpers.h"

static struct {
	uint64_t tick;
	struct sigaction subject; /* what the subject does about a fault; it cannot change that any more */
} strict;

/* The signal is blocked here, so the kernel ends the process by it: no system call that would do so is left. */
static void fault(void)
{
	*(volatile char *)NULL = 0;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	if (info->si_code == SI_KERNEL && arch_context_has_read_tick(context, strict.tick))
		return;
	if (strict.subject.sa_flags & SA_SIGINFO)
		strict.subject.sa_sigaction(number, info, context);
	else if (strict.subject.sa_handler == SIG_DFL || strict.subject.sa_handler == SIG_IGN)
		fault();
	else
		strict.subject.sa_handler(number);
}

void strict_prepare(void)
{
	struct sigaction before, ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};

	strict.tick = arch_tick();
	if (helpers.sigaction(SIGSEGV, NULL, &before) != 0 || (before.sa_flags & SA_SIGINFO && before.sa_sigaction == on_fault))
		return;
	strict.subject = before;
	ours.sa_mask = before.sa_mask;
	helpers.sigaction(SIGSEGV, &ours, NULL);
}
