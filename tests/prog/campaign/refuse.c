/* SPDX-License-Identifier: MIT */
/* refuse.c: lets one system call of Skein's runtime fail, as a kernel or a sandbox that has had enough would.
 *
 *     refuse PLACE N ERROR LOG COMMAND…        the N-th call at PLACE fails with ERROR, a number; 0: none fails, LOG lists all
 *
 * COMMAND is `skein record …`. Processes that skein starts are traced from their exec on, with all their threads and children. A
 * system call is the runtime's if its instruction lies in libskein-rt.so or libskein-sample.so: the runtime asks the kernel itself (src/raw/kernel.h).
 * PLACE is where in its library the instruction stands. LOG gets a line per call: `call` or `failed`, its number, its library,
 * its place. The exit status is the command's. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 256, LINE_BYTES = 4352, OPTIONS = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL };

static struct thread {
	int tid;
	bool is_subject; /* its system calls are looked at */
	bool is_known;   /* its first stop has been seen */
	bool is_orphan;  /* it stopped before its parent said that it exists, and waits for that */
	bool has_parent;
	bool fails;      /* the call that it is in */
} threads[MOST];

static struct {
	unsigned long place;
	long nth, error, calls;
	FILE *log;
} plan;

static struct thread *thread_of(int tid)
{
	struct thread *free_one = NULL;
	for (int i = 0; i < MOST; i++) {
		if (threads[i].tid == tid)
			return &threads[i];
		if (!threads[i].tid && !free_one)
			free_one = &threads[i];
	}
	if (!free_one)
		abort();
	*free_one = (struct thread){.tid = tid};
	return free_one;
}

static bool is_skein(int tid)
{
	char path[64], name[32] = "";
	snprintf(path, sizeof path, "/proc/%d/comm", tid);
	FILE *f = fopen(path, "r");
	if (!f)
		return true;
	bool read = fgets(name, sizeof name, f) != NULL;
	fclose(f);
	return !read || strcmp(name, "skein\n") == 0;
}

/* Whether an address is the runtime's: its library, and where in the file. */
static bool find(int tid, unsigned long at, char *library, size_t bytes, unsigned long *offset)
{
	char path[64], line[LINE_BYTES], name[LINE_BYTES];
	unsigned long from, to, begin;
	bool found = false;
	snprintf(path, sizeof path, "/proc/%d/maps", tid);
	FILE *f = fopen(path, "r");
	if (!f)
		return false;
	while (!found && fgets(line, sizeof line, f)) {
		if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %4351s", &from, &to, &begin, name) != 4 || at < from || at >= to)
			continue;
		const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
		if (strcmp(base, "libskein-rt.so") != 0 && strcmp(base, "libskein-sample.so") != 0)
			break;
		snprintf(library, bytes, "%s", base);
		*offset = at - from + begin;
		found = true;
	}
	fclose(f);
	return found;
}

/* These do not return, or return by way of a frame. */
static bool may_fail(long call)
{
	return call != SYS_exit && call != SYS_exit_group && call != SYS_rt_sigreturn;
}

static void enter(struct thread *t)
{
	struct user_regs_struct r;
	char library[64];
	unsigned long offset;
	if (ptrace(PTRACE_GETREGS, t->tid, NULL, &r) < 0 || !may_fail((long)r.orig_rax) || !find(t->tid, r.rip, library, sizeof library, &offset))
		return;
	offset -= 2; /* the instruction has two bytes */
	bool fails = offset == plan.place && ++plan.calls == plan.nth;
	if (fails || !plan.place)
		fprintf(plan.log, "%s %ld %s 0x%lx\n", fails ? "failed" : "call", (long)r.orig_rax, library, offset);
	if (!fails)
		return;
	t->fails = true;
	if (r.orig_rax == SYS_close)
		return; /* the kernel's close gives the descriptor back, whatever it returns */
	r.orig_rax = (unsigned long)-1;
	ptrace(PTRACE_SETREGS, t->tid, NULL, &r);
}

static void leave(struct thread *t)
{
	struct user_regs_struct r;
	if (!t->fails)
		return;
	t->fails = false;
	ptrace(PTRACE_GETREGS, t->tid, NULL, &r);
	r.rax = (unsigned long)-plan.error;
	ptrace(PTRACE_SETREGS, t->tid, NULL, &r);
}

static void go_on(const struct thread *t, int signal)
{
	ptrace(t->is_subject ? PTRACE_SYSCALL : PTRACE_CONT, t->tid, NULL, (long)signal);
}

/* A new thread or process of one that is traced. */
static void adopt(const struct thread *parent)
{
	unsigned long tid = 0;
	ptrace(PTRACE_GETEVENTMSG, parent->tid, NULL, &tid);
	struct thread *t = thread_of((int)tid);
	t->has_parent = true;
	t->is_subject = parent->is_subject;
	if (t->is_orphan)
		go_on(t, 0);
	t->is_orphan = false;
}

/* A stop that is no signal for the tracee: true. */
static bool is_event(struct thread *t, int status)
{
	int signal = WSTOPSIG(status), event = status >> 16;
	if (signal == (SIGTRAP | 0x80)) {
		struct __ptrace_syscall_info call = {0};
		ptrace(PTRACE_GET_SYSCALL_INFO, t->tid, sizeof call, &call);
		if (call.op == PTRACE_SYSCALL_INFO_ENTRY)
			enter(t);
		else
			leave(t);
	} else if (event == PTRACE_EVENT_EXEC) {
		t->is_subject = !is_skein(t->tid);
	} else if (event) {
		adopt(t);
	} else {
		return false;
	}
	return true;
}

/* The first stop of a new tracee is no signal of its own. */
static int signal_for(struct thread *t, int status)
{
	bool first = !t->is_known;
	t->is_known = true;
	if (is_event(t, status) || (first && WSTOPSIG(status) == SIGSTOP))
		return 0;
	return WSTOPSIG(status);
}

static int run(int command)
{
	int status, tid, ended = 125;
	while ((tid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		struct thread *t = thread_of(tid);
		if (WIFSTOPPED(status)) {
			int signal = signal_for(t, status);
			t->is_orphan = !t->has_parent;
			if (!t->is_orphan)
				go_on(t, signal);
			continue;
		}
		if (tid == command)
			ended = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		t->tid = 0;
	}
	return ended;
}

int main(int argc, char **argv)
{
	int status;
	if (argc < 6 || !(plan.log = fopen(argv[4], "we")))
		return 2;
	plan.place = strtoul(argv[1], NULL, 0);
	plan.nth = atol(argv[2]);
	plan.error = atol(argv[3]);
	int command = fork();
	if (command == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		execvp(argv[5], argv + 5);
		_exit(127);
	}
	waitpid(command, &status, 0);
	ptrace(PTRACE_SETOPTIONS, command, NULL, (long)OPTIONS);
	*thread_of(command) = (struct thread){.tid = command, .is_known = true, .has_parent = true};
	ptrace(PTRACE_CONT, command, NULL, NULL);
	status = run(command);
	fclose(plan.log);
	return status;
}
