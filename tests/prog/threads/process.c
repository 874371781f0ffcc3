/* SPDX-License-Identifier: MIT */
/* process.c: fork, vfork, posix_spawn, exec and the ways to end, and descriptors that are not the subject's. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "standin.h"

extern char **environ;
int close_range(unsigned first, unsigned last, int flags);

static int status_of(pid_t pid)
{
	int status = -1;
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static atomic_bool stop;
static bool stopped(void *unused) { (void)unused; return stop; }
static void *spins(void *unused) { comes_true(stopped, NULL); return unused; }
static void *returns(void *unused) { return unused; }

/* In a child with one thread: lane 0, one working, and threads can be made anew. */
static int child_is_sound(void)
{
	pthread_t t;
	if (skein_n_working != 1 || standin_lanes() != 1 || standin_threads() != 1)
		return 1;
	if (pthread_create(&t, NULL, returns, NULL) || pthread_join(t, NULL))
		return 2;
	if (skein_n_working != 1 || standin_lanes() != 2 || standin_threads() != 2 || standin_waits(RAW_WAIT_JOIN) != 1)
		return 3;
	return 0;
}

static void *forks(void *unused)
{
	pid_t pid = fork();
	if (pid == 0)
		_exit(child_is_sound());
	int status = status_of(pid);
	CHECK("a child forked by a second thread starts anew in lane 0", status == 0, "status %d", status);
	return unused;
}

static void forking(void)
{
	pthread_t t, u;
	pid_t pid = fork();
	if (pid == 0)
		_exit(child_is_sound());
	int status = status_of(pid);
	CHECK("a forked child starts anew", status == 0, "status %d", status);
	CHECK("its _exit is seen", standin->exits == 1, "%d exits", standin->exits);
	pid = _Fork();
	if (pid == 0)
		_exit(child_is_sound());
	status = status_of(pid);
	CHECK("so does one by _Fork", status == 0 && standin->children == 2, "status %d, %d children", status, standin->children);
	pthread_create(&t, NULL, spins, NULL);
	working_becomes(2);
	pthread_create(&u, NULL, forks, NULL);
	pthread_join(u, NULL);
	stop = true;
	pthread_join(t, NULL);
	CHECK("the parent is as before", working_becomes(1) && standin_lanes() == 3, "%d working, %u lanes", (int)skein_n_working, standin_lanes());
	int before = standin->exits;
	pid = fork();
	if (pid == 0)
		quick_exit(5);
	status = status_of(pid);
	CHECK("quick_exit is seen", status == 5 && standin->exits == before + 1, "status %d, %d exits", status, standin->exits - before);
}

static void vforking(void)
{
	int exits = standin->exits, execs = standin->execs, waits = standin->wait_begins;
	volatile int here = 7;
	pid_t pid = vfork();
	if (pid == 0) {
		if (write(1, "", 0)) {}
		_exit(4);
	}
	CHECK("vfork returns in the parent", status_of(pid) == 4 && here == 7, "no");
	pid = vfork();
	if (pid == 0) {
		execl("/nonexistent", "nonexistent", NULL);
		execl("/bin/sh", "sh", "-c", "exit 6", NULL);
		_exit(1);
	}
	int status = status_of(pid);
	CHECK("vfork and execl", status == 6, "status %d", status);
	CHECK("nothing is recorded between vfork and exec",
	      standin->exits == exits && standin->execs == execs && standin->failed_execs == 0 && standin->wait_begins == waits + 4 /* two waitpid, and CHECK flushes */,
	      "%d exits, %d execs, %d failed, %d waits", standin->exits - exits, standin->execs - execs, standin->failed_execs, standin->wait_begins - waits);
	CHECK("the lens hears of each vfork and of its end", standin->vforks == 2 && standin->vforks_over == 2 && skein_n_working == 1,
	      "%d, %d", standin->vforks, standin->vforks_over);
}

static void executing(void)
{
	static char *const args[] = {"sh", "-c", "exit 9", NULL};
	pid_t pid;
	int before = standin->execs;

	posix_spawn(&pid, "/bin/sh", NULL, NULL, args, environ);
	CHECK("posix_spawn works untouched", status_of(pid) == 9 && standin->execs == before, "no");
#define TRY(name, call)                                                                                        \
	before = standin->execs;                                                                               \
	pid = fork();                                                                                          \
	if (pid == 0) {                                                                                        \
		call;                                                                                          \
		_exit(1);                                                                                      \
	}                                                                                                      \
	CHECK(name, status_of(pid) == 9 && standin->execs == before + 1, "%d execs", standin->execs - before)
	TRY("execve is seen", execve("/bin/sh", args, environ));
	TRY("execv is seen", execv("/bin/sh", args));
	TRY("execvp is seen", execvp("sh", args));
	TRY("execvpe is seen", execvpe("sh", args, environ));
	TRY("execl is seen", execl("/bin/sh", "sh", "-c", "exit 9", NULL));
	TRY("execlp is seen", execlp("sh", "sh", "-c", "exit 9", NULL));
	TRY("execle is seen", execle("/bin/sh", "sh", "-c", "exit $N", NULL, ((char *[]){"N=9", NULL})));
	TRY("fexecve is seen", fexecve(open("/bin/sh", O_RDONLY), args, environ));
	TRY("execveat is seen", execveat(-1, "/bin/sh", args, environ, 0));
	before = standin->failed_execs;
	errno = 0;
	CHECK("a failed exec comes back", execv("/nonexistent", args) == -1 && errno == ENOENT && standin->failed_execs == before + 1, "no");
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static void descriptors(void)
{
	int kept = standin_descriptor();

	dup2(1, kept);
	dup2(1, kept - 1);
	dup2(1, kept + 1);
	errno = 0;
	CHECK("close leaves the recording's descriptor alone", close(kept) == -1 && errno == EBADF && is_open(kept), "errno %d", errno);
	CHECK("so does close_range", close_range(3, ~0u, 0) == 0 && is_open(kept) && !is_open(kept - 1) && !is_open(kept + 1), "no");
	dup2(1, kept - 1);
	dup2(1, kept + 1);
	closefrom(3);
	CHECK("and closefrom", is_open(kept) && !is_open(kept - 1) && !is_open(kept + 1), "no");
}

/* The stand-in session: one library goes by another name, and the program is elsewhere. */
static void redirects(void)
{
	char path[100] = "", other[100] = "";
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1), m;

	CHECK("/proc/self/exe is the native program", n == 15 && !strcmp(path, "/native/program"), "%s", path);
	snprintf(other, sizeof other, "/proc/%d/exe", (int)getpid());
	m = readlinkat(AT_FDCWD, other, path, 7);
	CHECK("also by number, cut to the buffer", m == 7 && !strncmp(path, "/native", 7), "%s", path);
	CHECK("other links are what they are", readlink("/proc/self/fd/1", path, 1) == 1, "errno %d", errno);
	CHECK("dlopen is redirected", dlopen("libthreads_native.so", RTLD_NOW) != NULL, "%s", dlerror());
}

int main(void)
{
	forking();
	vforking();
	executing();
	redirects();
	descriptors();
	CHECK("one thread works in the end", skein_n_working == 1 && standin->held == 0, "%d", (int)skein_n_working);
	return failures > 0;
}
