/* SPDX-License-Identifier: MIT */
/* traps.c: a subject that uses the signal of the sampling clock for itself, in every way. What it prints must not depend on being sampled. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t calls;

static void count(int number)
{
	(void)number;
	calls++;
}

static long cpu_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Takes so much of the thread's own time, however fast the machine is. */
static __attribute__((noinline)) void burn(long ms)
{
	for (long end = cpu_ms() + ms; cpu_ms() < end;)
		for (volatile long i = 0; i < 100000; i++)
			;
}

static void in_child(const char *what, void (*run)(void))
{
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		run();
		_exit(5);
	}
	waitpid(child, &status, 0);
	printf("%s: %s %d\n", what, WIFSIGNALED(status) ? "signal" : "exit", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static void breakpoint(void) { __asm__ volatile("int3"); }
static void raise_trap(void) { raise(SIGTRAP); }
static void ignore_raised(void)
{
	signal(SIGTRAP, SIG_IGN);
	raise(SIGTRAP);
}
static void ignore_breakpoint(void)
{
	signal(SIGTRAP, SIG_IGN);
	breakpoint();
}
static void ignore_and_execute(void)
{
	signal(SIGTRAP, SIG_IGN);
	execl("/bin/sh", "sh", "-c", "kill -TRAP $$; exit 6", (char *)NULL);
}

int main(void)
{
	sigset_t set, now;
	siginfo_t info;
	in_child("a breakpoint", breakpoint);
	in_child("raised", raise_trap);
	in_child("raised and ignored", ignore_raised);
	in_child("a breakpoint that is ignored", ignore_breakpoint);
	in_child("ignored by what is executed", ignore_and_execute);
	signal(SIGTRAP, count);
	breakpoint();
	raise_trap();
	burn(300);
	printf("the handler was called %d times\n", (int)calls);
	signal(SIGTRAP, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	burn(100);
	kill(getpid(), SIGTRAP);
	printf("waited for %d", sigwaitinfo(&set, &info));
	printf(", sent by %s\n", info.si_code == SI_USER ? "a user" : "another");
	sigprocmask(SIG_BLOCK, NULL, &now);
	printf("blocked: %d\n", sigismember(&now, SIGTRAP));
	return 3;
}
