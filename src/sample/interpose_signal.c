/* SPDX-License-Identifier: MIT */
#include "sample/interpose_signal.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "raw/kernel.h"
#include "sample/interpose_altstack.h"
#include "sample/sampled.h"
#include "sample/strangers.h"
#include "threads/helpers.h"
#include "threads/real.h"

/* The subject's action, as it believes it to be. Two copies, so that a handler never sees half of one. */
static struct {
	struct sigaction copies[2];
	atomic_uint now;
	atomic_bool taken;
} subject;

static const struct sigaction *subject_action(void)
{
	return &subject.copies[atomic_load_explicit(&subject.now, memory_order_acquire) & 1];
}

static void set_subject_action(const struct sigaction *action)
{
	unsigned now = atomic_load(&subject.now);
	subject.copies[(now + 1) & 1] = *action;
	atomic_store_explicit(&subject.now, now + 1, memory_order_release);
}

bool signals_have_handler(void)
{
	const struct sigaction *a = subject_action();
	return a->sa_handler != SIG_DFL && a->sa_handler != SIG_IGN;
}

/* ---- the handler ---- */

/* The default action of SIGTRAP, and what the kernel does to a process that ignores a trap that it caused. */
static void die(int number, siginfo_t *info, ucontext_t *context)
{
	struct sigaction by_default = {.sa_handler = SIG_DFL};
	helpers.sigaction(number, &by_default, NULL);
	kernel_set_remove(&context->uc_sigmask, number);
	kernel_call(SYS_rt_tgsigqueueinfo, kernel_pid(), (int)kernel_tid(), number, info);
}

static bool is_sent(const siginfo_t *info)
{
	return info->si_code <= 0;
}

static void call_subject(int number, siginfo_t *info, void *context)
{
	struct sigaction action = *subject_action();
	const ucontext_t *interrupted = context;
	sigset_t mask = action.sa_mask;
	if (number == SIGTRAP && (action.sa_handler == SIG_DFL || (action.sa_handler == SIG_IGN && !is_sent(info))))
		die(number, info, context);
	if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)
		return;
	if (action.sa_flags & SA_RESETHAND)
		set_subject_action(&(struct sigaction){.sa_handler = SIG_DFL});
	for (int i = 1; i < NSIG; i++)
		if (kernel_set_has(&interrupted->uc_sigmask, i))
			kernel_set_add(&mask, i);
	if (!(action.sa_flags & SA_NODEFER))
		kernel_set_add(&mask, number);
	kernel_set_signals(&mask, NULL);
	if (action.sa_flags & SA_SIGINFO)
		action.sa_sigaction(number, info, context);
	else
		action.sa_handler(number);
}

/* The signal reached a thread that believes to have blocked it: from now on it is blocked, and the signal waits. */
static void keep_for_later(siginfo_t *info, ucontext_t *context)
{
	kernel_set_add(&context->uc_sigmask, ticks_signal());
	sigset_t only;
	kernel_set_none(&only);
	kernel_set_add(&only, ticks_signal());
	kernel_call(SYS_rt_sigprocmask, SIG_BLOCK, &only, NULL, KERNEL_SIGSET_BYTES);
	kernel_call(SYS_rt_tgsigqueueinfo, kernel_pid(), (int)kernel_tid(), ticks_signal(), info);
}

/* With a frame of its own, which a tick that has no room does not need. */
__attribute__((noinline)) static void receive(int number, siginfo_t *info, void *context)
{
	struct skein_self *self = &skein_self;
	int error = errno;
	struct sampled *s = sampled_of(self);
	uint32_t event;
	if (s && ticks_is_tick(&s->ticks, info, &event))
		sampler_tick(self, event, context);
	else if (!s && strangers_met(info))
		threads_meet();
	else if (!ticks_is_any(info) || (signals_have_handler() && number != SIGTRAP)) {
		if (s && s->hides_signal && is_sent(info))
			keep_for_later(info, context);
		else
			call_subject(number, info, context);
	}
	errno = error;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	if (altstack_has_room(context) || !ticks_is_any(info))
		receive(number, info, context);
}

/* With the subject's own flags where they show: whether a system call goes on after its handler, and on which stack that runs. */
static void install(const struct sigaction *wanted)
{
	bool theirs = wanted->sa_handler != SIG_DFL && wanted->sa_handler != SIG_IGN;
	struct sigaction ours = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
	kernel_set_all(&ours.sa_mask);
	if (theirs && !(wanted->sa_flags & SA_RESTART))
		ours.sa_flags &= ~SA_RESTART;
	if (theirs ? !(wanted->sa_flags & SA_ONSTACK) : altstack_is_any())
		ours.sa_flags &= ~SA_ONSTACK;
	helpers.sigaction(ticks_signal(), &ours, NULL);
}

void signals_take(void)
{
	struct sigaction before;
	if (helpers.sigaction(ticks_signal(), NULL, &before) == 0)
		set_subject_action(&before);
	install(subject_action());
	atomic_store(&subject.taken, true);
}

void signals_install(void)
{
	if (atomic_load(&subject.taken))
		install(subject_action());
}

static void give_back(void)
{
	atomic_store(&subject.taken, false);
	helpers.sigaction(ticks_signal(), subject_action(), NULL);
}

void signals_before_exec(void)
{
	if (atomic_load(&subject.taken) && subject_action()->sa_handler == SIG_IGN)
		helpers.sigaction(ticks_signal(), subject_action(), NULL);
}

void signals_after_exec(void)
{
	signals_install();
}

/* ---- what the subject asks for ---- */

static bool is_ours(int number)
{
	return number == ticks_signal() && atomic_load_explicit(&subject.taken, memory_order_relaxed);
}

static int change_other(int number, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction with;
	if (number < 1 || number >= NSIG)
		return real.sigaction(number, action, old);
	bool was_masked = altstack_masks(number);
	if (action) {
		with = *action;
		altstack_add_mask(number, &with);
	}
	int result = real.sigaction(number, action ? &with : NULL, old);
	if (old && was_masked)
		kernel_set_remove(&old->sa_mask, ticks_signal());
	return result;
}

EXPORT int sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict old)
{
	if (!is_ours(number))
		return change_other(number, action, old);
	struct sigaction before = *subject_action();
	if (action) {
		set_subject_action(action);
		install(action);
		if (signals_have_handler())
			sampler_part();
	}
	if (old)
		*old = before;
	return 0;
}

static sighandler_t set_handler(sighandler_t handler, int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
	kernel_set_none(&action.sa_mask);
	if (handler == SIG_ERR) {
		errno = EINVAL;
		return SIG_ERR;
	}
	sigaction(ticks_signal(), &action, &old);
	return old.sa_handler;
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
	return is_ours(number) ? set_handler(handler, SA_RESTART) : real.signal(number, handler);
}

EXPORT sighandler_t sysv_signal(int number, sighandler_t handler)
{
	return is_ours(number) ? set_handler(handler, (int)(SA_RESETHAND | SA_NODEFER)) : real.sysv_signal(number, handler);
}

EXPORT int siginterrupt(int number, int interrupts)
{
	if (!is_ours(number))
		return real.siginterrupt(number, interrupts);
	struct sigaction action = *subject_action();
	action.sa_flags = interrupts ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
	return sigaction(number, &action, NULL);
}

/* A thread that blocks every signal would hide from the clock. So the clock's stays open unless the subject has a
 * handler for it, and the mask that the subject is shown has it. If it has a handler, the signal is blocked in earnest
 * and the clock stands. */
static int change_mask(int (*change)(int, const sigset_t *, sigset_t *), int how, const sigset_t *set, sigset_t *old)
{
	struct sampled *s = sampled_of(&skein_self);
	if (!s || !atomic_load_explicit(&subject.taken, memory_order_relaxed))
		return change(how, set, old);
	bool hidden = s->hides_signal, named = set && kernel_set_has(set, ticks_signal());
	sigset_t without;
	if (set && how != SIG_UNBLOCK && named && !signals_have_handler()) {
		without = *set;
		kernel_set_remove(&without, ticks_signal());
		set = &without;
	} else if (set && how != SIG_UNBLOCK && named) {
		sampler_pause(s);
	}
	int result = change(how, set, old);
	if (result)
		return result;
	if (set && (how == SIG_SETMASK ? !named : how == SIG_UNBLOCK && named))
		sampler_resume(&skein_self);
	if (set && (how == SIG_SETMASK || named))
		s->hides_signal = named && how != SIG_UNBLOCK && set == &without;
	if (set && !s->paused)
		altstack_open();
	if (old && hidden)
		kernel_set_add(old, ticks_signal());
	return 0;
}

EXPORT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	return change_mask(real.sigprocmask, how, set, old);
}

EXPORT int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	return change_mask(real.pthread_sigmask, how, set, old);
}

/* A tracer that attaches next would take the clock's SIGTRAP for its own. */
static void expect_tracer(struct skein_self *self)
{
	sampler_part();
	give_back();
	ticks_will_be_traced();
	signals_take();
	sampler_reopen(self);
}

EXPORT long ptrace(enum __ptrace_request request, ...)
{
	va_list list;
	va_start(list, request);
	void *pid = va_arg(list, void *), *at = va_arg(list, void *), *data = va_arg(list, void *);
	va_end(list);
	if (request == PTRACE_TRACEME && is_ours(SIGTRAP) && !skein_self.vforked)
		expect_tracer(&skein_self);
	return real.ptrace(request, pid, at, data);
}
