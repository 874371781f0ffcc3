/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -D_GNU_SOURCE */
/* Traces a child from one system call to the next, as strace does, and hands every signal on. */
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include "truth.h"

BURNS(in_tracer)
BURNS(in_traced)

static volatile int handled;
static void on_usr2(int number) { handled += number == SIGUSR2; }

static void traced(void)
{
	truth_restart();
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	signal(SIGUSR2, on_usr2);
	raise(SIGSTOP);
	for (int i = 0; i < 50; i++) {
		in_traced(2 * MS);
		getppid();
	}
	raise(SIGUSR2);
	truth_print();
	_exit(handled == 1 ? 7 : 8);
}

int main(void)
{
	int status, calls = 0;
	truth_start();
	in_tracer(60 * MS);
	pid_t pid = fork();
	if (!pid)
		traced();
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		int number = WSTOPSIG(status);
		calls += number == (SIGTRAP | 0x80);
		if (number == SIGSTOP)
			ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD);
		ptrace(PTRACE_SYSCALL, pid, NULL, number == SIGSTOP || number == (SIGTRAP | 0x80) ? 0L : (long)number);
	}
	dprintf(1, "status %d, system calls seen: %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1, calls >= 100);
	truth_print();
	return 0;
}
