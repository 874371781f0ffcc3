/* SPDX-License-Identifier: MIT */
/* wait.c: functions that wait, every one by the same shim.
 *
 * The real function stays what it was: a cancellation point, safe in signal handlers, errno as it left it. Calls
 * that return at once (a read from a file in memory) count as short waits. */
#include <fcntl.h>
#include <mqueue.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sendfile.h>
#include <termios.h>
#include <unistd.h>
#include "threads/interpose/interpose.h"

/* The variants that _FORTIFY_SOURCE calls are in no header. */
#define CHECKED(type, name, parameters) type name parameters;
CHECKED(ssize_t, __read_chk, (int fd, void *to, size_t bytes, size_t room))
CHECKED(ssize_t, __pread_chk, (int fd, void *to, size_t bytes, off_t at, size_t room))
CHECKED(ssize_t, __pread64_chk, (int fd, void *to, size_t bytes, off64_t at, size_t room))
CHECKED(ssize_t, __recv_chk, (int fd, void *to, size_t bytes, size_t room, int flags))
CHECKED(ssize_t, __recvfrom_chk, (int fd, void *to, size_t bytes, size_t room, int flags, __SOCKADDR_ARG from, socklen_t *length))
CHECKED(int, __poll_chk, (struct pollfd * fds, nfds_t n, int timeout_ms, size_t room))
CHECKED(int, __ppoll_chk, (struct pollfd * fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask, size_t room))

/* What is waited for is the first argument of a function for locks and the like, unless that is a number; functions of
 * kind JOIN wait for child processes here, and most of them return the number of one. */
#define FIRST(...) FIRST_OF(__VA_ARGS__ __VA_OPT__(, ) 0, 0)
#define FIRST_OF(first, ...) first
#define ADDRESS(x) _Generic((x), int: 0, default: (uintptr_t)(x))
#define OBJECT_LOCK(first) ADDRESS(first)
#define OBJECT_CONDITION(first) ADDRESS(first)
#define OBJECT_SEMAPHORE(first) ADDRESS(first)
#define OBJECT_BARRIER(first) ADDRESS(first)
#define OBJECT_JOIN(first) RAW_CHILD_PROCESS
#define OBJECT_SLEEP(first) 0
#define OBJECT_IO(first) 0

/* What is told of the object, before the call and behind it. A condition's lock is free while the thread waits for the condition. */
#define IS_OBJECT(x) _Generic((x), int: false, default: true)
#define SECOND(...) SECOND_OF(__VA_ARGS__ __VA_OPT__(, ) 0, 0, 0)
#define SECOND_OF(first, second, ...) second
#define BEFORE_LOCK(...)
#define BEFORE_SEMAPHORE(...)
#define BEFORE_CONDITION(name, first, second) (note(FLOW_RELEASE, second, CALLER), note(FLOW_LISTEN, first, CALLER))
#define BEFORE_BARRIER(name, first, second) note(FLOW_ARRIVE, first, CALLER)
#define BEFORE_JOIN(...)
#define BEFORE_SLEEP(...)
#define BEFORE_IO(name, first, ...)          \
	if (IS_FD(first) && IS_WRITE(#name)) \
	moved(THREADS_WRITES, (int)(uintptr_t)(first), CALLER)
#define BEHIND_LOCK(name, first, second)                   \
	if (IS_OBJECT(first) && is_acquired((int)outcome)) \
	note(strstr(#name, "rdlock") ? FLOW_SHARE : FLOW_ACQUIRE, (const void *)ADDRESS(first), CALLER)
#define BEHIND_SEMAPHORE(name, first, second) \
	if (IS_OBJECT(first) && outcome == 0) \
	note(FLOW_TAKE, (const void *)ADDRESS(first), CALLER)
#define BEHIND_CONDITION(name, first, second) \
	(note(outcome == 0 ? FLOW_HEAR : FLOW_IGNORE, first, CALLER), note(FLOW_ACQUIRE, second, CALLER))
#define BEHIND_BARRIER(name, first, second) note(FLOW_PASS, first, CALLER)
#define BEHIND_JOIN(name, first, second)                        \
	if ((int)outcome > 0 && strncmp(#name, "wait", 4) == 0) \
	note(FLOW_JOIN, (const void *)(uintptr_t)(int)outcome, CALLER)
#define BEHIND_SLEEP(...)
#define BEHIND_IO(name, first, second)                                                                      \
	if ((long)outcome > 0 && (IS_POLL(#name) || (IS_FD(first) && (IS_READ(#name) || IS_WRITE(#name))))) \
	moved(IS_POLL(#name) ? THREADS_POLLED : IS_READ(#name) ? THREADS_READ : THREADS_WROTE, (int)(uintptr_t)(first), CALLER)

/* What others in the run may read, or have written: told of descriptors, which are numbers. */
#define IS_FD(x) _Generic((x), int: true, default: false)
#define IS_WRITE(name) (strstr(name, "write") || strstr(name, "send"))
#define IS_POLL(name) (strstr(name, "poll") || strstr(name, "select"))
#define IS_READ(name) (strstr(name, "read") || strstr(name, "recv"))

static inline void moved(enum threads_moved what, int fd, const void *caller)
{
	if (__builtin_expect(threads_client.moved != NULL, 0))
		interpose_moved(what, fd, caller);
}

static inline bool is_acquired(int outcome)
{
	return outcome == 0 || outcome == EOWNERDEAD;
}

#define CALLER __builtin_return_address(0)
#define X(kind, type, name, parameters, arguments)                                                                        \
	EXPORT type name parameters                                                                                       \
	{                                                                                                                 \
		BEFORE_##kind(name, FIRST arguments, SECOND arguments);                                                   \
		bool waits = wait_open(RAW_WAIT_##kind, (const void *)(uintptr_t)OBJECT_##kind(FIRST arguments), CALLER); \
		type outcome = real.name arguments;                                                                       \
		BEHIND_##kind(name, FIRST arguments, SECOND arguments);                                                   \
		wait_close(waits);                                                                                        \
		return outcome;                                                                                           \
	}
WAIT_LIST(X)
#undef X

static bool locks_file(int command)
{
	return command == F_SETLKW || command == F_OFD_SETLKW;
}

EXPORT int fcntl(int fd, int command, ...)
{
	va_list list;
	va_start(list, command);
	void *argument = va_arg(list, void *);
	va_end(list);
	bool waits = locks_file(command) && wait_open(RAW_WAIT_LOCK, NULL, __builtin_return_address(0));
	int result = real.fcntl(fd, command, argument);
	wait_close(waits);
	return result;
}

EXPORT int fcntl64(int fd, int command, ...)
{
	va_list list;
	va_start(list, command);
	void *argument = va_arg(list, void *);
	va_end(list);
	bool waits = locks_file(command) && wait_open(RAW_WAIT_LOCK, NULL, __builtin_return_address(0));
	int result = real.fcntl64(fd, command, argument);
	wait_close(waits);
	return result;
}
