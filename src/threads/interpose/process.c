/* SPDX-License-Identifier: MIT */
/* process.c: a process forks, becomes another program, or ends.
 *
 * exit() is the runtime's affair (a destructor), quick_exit() is seen by a handler of its own, and a process that
 * dies of a signal has lost nothing: the recording is mapped. libc's child of posix_spawn calls no interposed
 * function.
 *
 * A subject that executes itself executes its re-linked copy, by whatever path it names itself. */
#include <paths.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "arch/subject.h"
#include "raw/kernel.h"
#include "threads/interpose/interpose.h"
#include "threads/redirect.h"

static void before_fork(void)
{
	struct skein_self *self = threads_meet();

	self->inside++;
	if (threads_client.before_fork && self->lane)
		threads_client.before_fork(self);
}

static void after_fork_parent(void)
{
	struct skein_self *self = &skein_self;

	if (threads_client.after_fork_parent && self->lane)
		threads_client.after_fork_parent(self);
	self->inside--;
}

/* A thread that had ended, or that is hidden, forks without being recorded: the child starts quiet, too. */
static void after_fork_child(void)
{
	struct skein_self *self = &skein_self;

	if (threads_client.after_fork_child)
		threads_client.after_fork_child(self);
	else
		threads_restart();
	self->inside--;
}

void threads_watch_fork(void)
{
	pthread_atfork(before_fork, after_fork_parent, after_fork_child);
}

/* Runs no handlers, by its definition. */
EXPORT pid_t _Fork(void)
{
	bool started = threads_started();

	if (started)
		before_fork();
	pid_t pid = real._Fork();
	int error = errno;
	if (started && pid == 0)
		after_fork_child();
	else if (started)
		after_fork_parent();
	errno = error;
	return pid;
}

/* vfork: the child returns on the parent's stack, so its return address must not be kept there, and nothing of ours
 * may be. Between threads_vfork_begin and threads_vfork_end, which only the parent reaches, all recording rests. */
void threads_vfork_begin(void);
pid_t threads_vfork_end(long result);

ARCH_VFORK(threads_vfork_begin, threads_vfork_end);

void threads_vfork_begin(void)
{
	struct skein_self *self = threads_meet();

	if (self->vforked++ == 0 && self->lane && threads_client.vfork_begin)
		threads_client.vfork_begin(self);
}

pid_t threads_vfork_end(long result)
{
	struct skein_self *self = &skein_self;

	if (--self->vforked == 0 && self->lane && threads_client.vfork_end)
		threads_client.vfork_end(self);
	if (result > 0)
		return (pid_t)result;
	errno = (int)-result;
	return -1;
}

EXPORT void _exit(int status)
{
	client_before_exit(RAW_FINISHED);
	real._exit(status);
	__builtin_unreachable();
}

EXPORT void _Exit(int status)
{
	_exit(status);
}

/* exec: only a failed one comes back. */
static int failed(int result)
{
	int error = errno;

	if (threads_client.after_failed_exec && !skein_self.vforked)
		threads_client.after_failed_exec();
	errno = error;
	return result;
}

/* What to execute in place of `path`: the copy that is recorded, or NULL. A program that gives its caller other rights
 * is left alone. The copy may be out of reach (another root, another user): then it is the native one after all. */
static const char *recorded_copy(const char *path)
{
	struct stat is;
	bool may = session_redirect && !skein_self.inside && path && strchr(path, '/') && kernel_stat(path, &is) &&
		!(is.st_mode & (S_ISUID | S_ISGID));
	const char *copy = may ? session_redirect(path) : path;

	return copy == path ? NULL : copy;
}

EXPORT int execve(const char *path, char *const argv[], char *const env[])
{
	const char *copy = recorded_copy(path);

	client_before_exit(RAW_EXECED);
	if (copy)
		real.execve(copy, argv, env);
	return failed(real.execve(path, argv, env));
}

EXPORT int execv(const char *path, char *const argv[])
{
	return execve(path, argv, __environ);
}

EXPORT int execvpe(const char *file, char *const argv[], char *const env[])
{
	const char *copy = recorded_copy(file);

	client_before_exit(RAW_EXECED);
	if (copy)
		real.execve(copy, argv, env);
	return failed(real.execvpe(file, argv, env));
}

EXPORT int execvp(const char *file, char *const argv[])
{
	return execvpe(file, argv, __environ);
}

EXPORT int fexecve(int fd, char *const argv[], char *const env[])
{
	client_before_exit(RAW_EXECED);
	return failed(real.fexecve(fd, argv, env));
}

EXPORT int execveat(int fd, const char *path, char *const argv[], char *const env[], int flags)
{
	client_before_exit(RAW_EXECED);
	return failed(real.execveat(fd, path, argv, env, flags));
}

/* An action may be to change the folder that a relative path begins in. */
static const char *copy_to_spawn(const char *path, const posix_spawn_file_actions_t *actions)
{
	return path && (path[0] == '/' || !actions) ? recorded_copy(path) : NULL;
}

EXPORT int posix_spawn(pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
                       const posix_spawnattr_t *restrict attributes, char *const argv[restrict], char *const env[restrict])
{
	const char *copy = copy_to_spawn(path, actions);

	if (copy && real.posix_spawn(pid, copy, actions, attributes, argv, env) == 0)
		return 0;
	return real.posix_spawn(pid, path, actions, attributes, argv, env);
}

EXPORT int posix_spawnp(pid_t *restrict pid, const char *restrict file, const posix_spawn_file_actions_t *restrict actions,
                        const posix_spawnattr_t *restrict attributes, char *const argv[restrict], char *const env[restrict])
{
	const char *copy = copy_to_spawn(file, actions);

	if (copy && real.posix_spawn(pid, copy, actions, attributes, argv, env) == 0)
		return 0;
	return real.posix_spawnp(pid, file, actions, attributes, argv, env);
}

/* The arguments of execl and similar functions, as an array on the stack: after vfork there is no other place. */
#define GATHER(argv, first, list)                               \
	va_list list;                                           \
	size_t n = 1;                                           \
	va_start(list, first);                                  \
	while (va_arg(list, char *))                            \
		n++;                                            \
	va_end(list);                                           \
	char **argv = __builtin_alloca((n + 1) * sizeof *argv); \
	va_start(list, first);                                  \
	argv[0] = (char *)first;                                \
	for (size_t i = 1; i <= n; i++)                         \
	argv[i] = va_arg(list, char *)

EXPORT int execl(const char *path, const char *first, ...)
{
	GATHER(argv, first, list);
	va_end(list);
	return execve(path, argv, __environ);
}

EXPORT int execlp(const char *file, const char *first, ...)
{
	GATHER(argv, first, list);
	va_end(list);
	return execvpe(file, argv, __environ);
}

EXPORT int execle(const char *path, const char *first, ...)
{
	GATHER(argv, first, list);
	char **env = va_arg(list, char **);
	va_end(list);
	return execve(path, argv, env);
}

/* Leaving a wait by a jump out of a signal handler ends the wait. (A jump within the handler ends it too early: the
 * rest of it then counts as work.) */
/* clang-format off */
#define JUMP(name)                                                       \
	__attribute__((noreturn)) void name(struct __jmp_buf_tag[1], int); \
	EXPORT void name(struct __jmp_buf_tag to[1], int value)          \
	{                                                                \
		if (!skein_self.inside)                                  \
			threads_jump();                                  \
		real.name(to, value);                                    \
		__builtin_unreachable();                                 \
	}
/* clang-format on */
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)
