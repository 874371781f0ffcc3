/* SPDX-License-Identifier: MIT */
#include "run/launch.h"
#include "keys/environment.h"
#include "run/copies/output.h"
#include "run/look/spare.h"
#include "run/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "store/store.h"

/* Between looks at the subject's threads: little at first, since a program may end soon, and so that looking takes less than a hundredth of a core. */
#define FIRST_PAUSE_NS 20000000
#define PAUSE_NS 200000000u
#define MOST_PAUSE_NS UINT64_C(10000000000)
#define PATIENCE_NS 500000000u         /* with a program that has not taken a signal yet */
#define GRACE_NS UINT64_C(10000000000) /* for a program that was asked to end */
enum { PAUSE_PER_LOOK = 100 };

/* From here on they wait to be fetched by sigwaitinfo. */
void launch_hold_signals(sigset_t *before, sigset_t *held)
{
	sigemptyset(held);
	sigaddset(held, SIGINT);
	sigaddset(held, SIGQUIT);
	sigaddset(held, SIGTERM);
	sigaddset(held, SIGHUP);
	sigaddset(held, SIGUSR2);
	sigaddset(held, SIGCHLD);
	sigprocmask(SIG_BLOCK, held, before);
}

void launch_give_signals_back(const sigset_t *before)
{
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, before, NULL);
}

/* The parent may be gone already. */
void launch_bind(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		raise(SIGKILL);
}

/* Where the program's output and its changes go. */
static int change_surroundings(const struct launch *l)
{
	struct copies_output nowhere;
	copies_output_none(&nowhere);
	if (l->mute && (nowhere.file = open("/dev/null", O_RDWR | O_CLOEXEC)) < 0)
		return -1;
	copies_output_take(&nowhere);
	return l->spare ? spare_join(l->spare) : 0;
}

static _Noreturn void become(const struct launch *l, pid_t parent, const sigset_t *before, int report)
{
	if (!l->outlives)
		launch_bind(parent);
	launch_give_signals_back(before);
	int code = change_surroundings(l) < 0 ? errno : 0;
	setenv(ENVIRONMENT_SESSION, l->session_folder, 1);
	for (const char *const *variable = l->environment; variable && *variable; variable++)
		putenv((char *)(uintptr_t)*variable); /* putenv's string is only read */
	if (!code) {
		execv(l->path, l->argv);
		code = errno;
	}
	ssize_t written = write(report, &code, sizeof code);
	_exit(written == sizeof code ? FAIL_CANNOT_RUN : FAIL_INTERNAL);
}

/* What a terminal sends has reached the subject, too. */
bool launch_is_for_child(int code)
{
	return code != SI_KERNEL;
}

/* A signal to the whole group has reached the child too, which may have died of it. Other signals are passed on. */
bool launch_child_ends(void)
{
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	return sigtimedwait(&child, NULL, &(struct timespec){.tv_nsec = 50000000}) > 0;
}

struct launch_end launch_end_of(int status)
{
	return (struct launch_end){.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
	                           .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

static uint64_t monotonic_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Returns how long to pause before the next look. */
static struct timespec look(struct cores *cores, struct watch *watch, pid_t child)
{
	uint64_t from = monotonic_ns();
	cores_look(cores, child, from);
	if (watch)
		watch_look(watch);
	uint64_t pause = PAUSE_PER_LOOK * (monotonic_ns() - from);
	pause = pause < PAUSE_NS ? PAUSE_NS : pause > MOST_PAUSE_NS ? MOST_PAUSE_NS : pause;
	return (struct timespec){.tv_sec = (time_t)(pause / 1000000000u), .tv_nsec = (long)(pause % 1000000000u)};
}

static uint64_t ns_of(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
}

/* Whether a signal waits for the process, which blocks it: for a while, or because it hangs. */
static bool blocks(pid_t child, int number)
{
	char path[64], line[256];
	unsigned long long pending = 0, blocked = 0;
	snprintf(path, sizeof path, "/proc/%ld/status", (long)child);
	FILE *file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file)) {
		if (strncmp(line, "ShdPnd:", 7) == 0)
			pending = strtoull(line + 7, NULL, 16);
		else if (strncmp(line, "SigBlk:", 7) == 0)
			blocked = strtoull(line + 7, NULL, 16);
	}
	if (file)
		fclose(file);
	return (pending & blocked) >> (number - 1) & 1;
}

/* The last signal that was handed on, and since when the child has not taken it. */
struct asked {
	int number;
	uint64_t since_ns;
};

/* What comes again after a while in which the first was not taken is the end of a program that does not listen. */
static void hand_on(pid_t child, const siginfo_t *info, struct asked *asked)
{
	uint64_t now = monotonic_ns();
	if (launch_child_ends())
		return;
	bool waits = blocks(child, info->si_signo);
	if (waits && asked->number == info->si_signo && now - asked->since_ns > PATIENCE_NS) {
		fprintf(stderr, "skein: the program does not take SIG%s: it is killed, and what was recorded is kept\n",
		        sigabbrev_np(info->si_signo));
		kill(child, SIGKILL);
		return;
	}
	if (!waits || asked->number != info->si_signo)
		*asked = (struct asked){info->si_signo, now};
	if (launch_is_for_child(info->si_code))
		kill(child, info->si_signo);
}

/* When its time is over, the child is asked to end, and some time later it is made to. Returns the time of what comes next. */
static uint64_t stop(pid_t child, uint64_t until_ns, bool *stopped)
{
	kill(child, *stopped ? SIGKILL : SIGTERM);
	if (*stopped)
		fprintf(stderr, "skein: the program has not ended %d s after SIGTERM: it is killed, and what was recorded is kept\n",
		        (int)(GRACE_NS / 1000000000u));
	*stopped = true;
	return until_ns + GRACE_NS;
}

static struct timespec no_longer_than(struct timespec pause, uint64_t until_ns)
{
	uint64_t now = monotonic_ns(), left = until_ns > now ? until_ns - now : 0;
	if (!until_ns || left > (uint64_t)pause.tv_sec * 1000000000u + (uint64_t)pause.tv_nsec)
		return pause;
	return (struct timespec){.tv_sec = (time_t)(left / 1000000000u), .tv_nsec = (long)(left % 1000000000u)};
}

/* A dead child's first thread can be looked at until the child is waited for. */
void launch_wait(pid_t child, const sigset_t *held, struct watch *watch, uint64_t until_ns, struct launch_end *end)
{
	struct cores cores = {.looked_ns = monotonic_ns()};
	struct timespec pause = {.tv_nsec = FIRST_PAUSE_NS};
	struct asked asked = {0};
	int status = 0;
	bool stopped = false, interrupted = false;
	struct rusage used = {0};
	do {
		siginfo_t info;
		struct timespec now = no_longer_than(pause, until_ns);
		int number = sigtimedwait(held, &info, &now);
		if (number == SIGUSR2) {
			snapshot_request();
		} else if (number > 0 && number != SIGCHLD) {
			hand_on(child, &info, &asked);
			interrupted = true;
		}
		if (number < 0 || number == SIGCHLD)
			pause = look(&cores, watch, child);
		if (until_ns && monotonic_ns() >= until_ns && number != SIGCHLD)
			until_ns = stop(child, until_ns, &stopped);
	} while (wait4(child, &status, WNOHANG, &used) != child);
	*end = launch_end_of(status);
	end->was_timed = stopped;
	end->interrupted = interrupted;
	end->stopped = stopped && (end->signal == SIGTERM || end->signal == SIGKILL);
	end->times = cores_sum(&cores);
	end->user_ns = ns_of(&used.ru_utime);
	end->system_ns = ns_of(&used.ru_stime);
	end->faults = (uint64_t)used.ru_minflt + (uint64_t)used.ru_majflt;
	cores_free(&cores);
}

static int run(const struct launch *l, struct launch_end *end, struct fail *why)
{
	sigset_t before, held;
	int report[2], code = 0;
	if (pipe2(report, O_CLOEXEC) < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot start the program: %s", strerror(errno));
	fflush(NULL);
	launch_hold_signals(&before, &held);
	uint64_t start = monotonic_ns(); /* before the fork: behind it the child may be the first to have a core */
	pid_t parent = getpid(), child = fork();
	if (child == 0)
		become(l, parent, &before, report[1]);
	int fork_error = errno;
	close(report[1]);
	if (child >= 0 && l->switches)
		switches_start(l->switches);
	bool failed = child >= 0 && read(report[0], &code, sizeof code) == sizeof code;
	close(report[0]);
	if (child >= 0) {
		launch_wait(child, &held, l->watch, l->limit_ns ? start + l->limit_ns : 0, end);
		end->lasted_ns = monotonic_ns() - start;
	}
	if (child < 0 || failed)
		launch_give_signals_back(&before); /* otherwise not yet: a second Ctrl-C must not cost the recording */
	signal(SIGXFSZ, SIG_IGN);
	if (child < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot start the program: %s", strerror(fork_error));
	if (failed)
		return fail_set(why, FAIL_CANNOT_RUN, "cannot run %s: %s", l->path, strerror(code));
	return 0;
}

int launch_run(const struct launch *l, struct launch_end *end, struct fail *why)
{
	int result = run(l, end, why);
	if (l->switches)
		end->switched = switches_stop(l->switches);
	return result;
}

/* ---- while the recording is written ---- */

static struct {
	const char *folder; /* of the session */
	pid_t writer;
	sigset_t before;
	struct sigaction action;
} interrupt;

static void on_interrupt(int number)
{
	kill(interrupt.writer, SIGINT);
	waitpid(interrupt.writer, NULL, 0);
	const char *parts[] = {"\nskein: the recording was not written; to write it, run `skein recover ", interrupt.folder, "`\n"};
	for (int i = 0; i < 3; i++)
		if (write(STDERR_FILENO, parts[i], strlen(parts[i])) < 0)
			break;
	_exit(128 + number);
}

static sigset_t only_interrupts(void)
{
	sigset_t only;
	sigemptyset(&only);
	sigaddset(&only, SIGINT);
	return only;
}

void launch_drop_interrupts(void)
{
	sigset_t only = only_interrupts();
	while (sigtimedwait(&only, NULL, &(struct timespec){0}) > 0)
		;
}

/* A skein that ignores the signal (nohup, a background job) is not stopped. */
void launch_let_interrupt(const char *folder, pid_t writer)
{
	sigset_t only = only_interrupts();
	interrupt.folder = folder;
	interrupt.writer = writer;
	sigaction(SIGINT, NULL, &interrupt.action);
	if (interrupt.action.sa_handler != SIG_IGN)
		signal(SIGINT, on_interrupt);
	sigprocmask(SIG_UNBLOCK, &only, &interrupt.before);
}

void launch_stop_interrupt(void)
{
	sigprocmask(SIG_SETMASK, &interrupt.before, NULL);
	sigaction(SIGINT, &interrupt.action, NULL);
}

int launch_pass_on(const struct launch_end *end)
{
	if (!end->signal || end->stopped)
		return end->code;
	sigset_t only;
	fflush(NULL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* the core worth having is the subject's */
	signal(end->signal, SIG_DFL);
	sigemptyset(&only);
	sigaddset(&only, end->signal);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	raise(end->signal);
	return 128 + end->signal;
}
