/* SPDX-License-Identifier: MIT */
/* sandbox errno|kill|silent|strict|library [threads]: gives up all system calls but read, write, exit and sigreturn, as a program does before
 * it looks at what it does not trust; then works, in routines that it has not called before, and ends. errno: other system calls fail.
 * kill: they kill the process. silent: sigreturn does so, too. strict: by the kernel's own strict mode. library: as kill, by prctl.
 * With threads, one works on that was created before. */
#define _GNU_SOURCE
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "work.h"

#define ALLOW(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static int filter(const char *how)
{
	unsigned otherwise = strcmp(how, "errno") == 0 ? SECCOMP_RET_ERRNO | 1 : SECCOMP_RET_KILL_PROCESS;
	unsigned at_return = strcmp(how, "silent") == 0 ? otherwise : SECCOMP_RET_ALLOW;
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(SYS_read),
		ALLOW(SYS_write),
		ALLOW(SYS_exit),
		ALLOW(SYS_exit_group),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, at_return),
		BPF_STMT(BPF_RET | BPF_K, otherwise),
	};
	struct sock_fprog program = {sizeof code / sizeof *code, code};
	if (strcmp(how, "strict") == 0)
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return 1;
	if (strcmp(how, "library") == 0)
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

/* New to the process: neither it nor what it calls was called before. */
__attribute__((noinline)) static unsigned late(unsigned depth)
{
	step(depth);
	__atomic_fetch_add(worked, 1, __ATOMIC_RELAXED);
	return depth ? late(depth - 1) * 3 + 1 : 1;
}

/* Some ticks of a clock. */
__attribute__((noinline)) static unsigned lengthy(unsigned turns)
{
	volatile unsigned sum = 0;
	for (unsigned i = 0; i < turns; i++)
		sum = sum * 3 + i;
	return sum;
}

static int ready[2], go[2];

static void *beside(void *unused)
{
	char byte;
	if (write(ready[1], "", 1) != 1 || read(go[0], &byte, 1) != 1)
		_exit(9);
	late(1000);
	if (write(ready[1], "", 1) != 1)
		_exit(9);
	syscall(SYS_exit, 0);
	return unused;
}

static void say(const char *what, unsigned number)
{
	char text[64];
	int length = snprintf(text, sizeof text, "%s %u\n", what, number);
	if (write(1, text, (size_t)length) != length)
		_exit(9);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	char byte;
	pthread_t thread;
	work(10);
	if (pipe(ready) || pipe(go))
		return 1;
	if (argc > 2 && (pthread_create(&thread, NULL, beside, NULL) || read(ready[0], &byte, 1) != 1))
		return 1;
	if (filter(how))
		return 1;
	if (argc > 2 && (write(go[1], "", 1) != 1 || read(ready[0], &byte, 1) != 1))
		_exit(9);
	say("late", late(20000));
	work(10);
	say("expect step", (unsigned)*worked);
	say("long", lengthy(50000000));
	syscall(strcmp(how, "strict") == 0 ? SYS_exit : SYS_exit_group, 8);
	return 0;
}
