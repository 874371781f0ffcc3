/* SPDX-License-Identifier: MIT */
/* doors.c: what never waits: unlocking, trying, signalling, posting. A release is told of before it is done. */
#include <sys/eventfd.h>
#include "threads/interpose/interpose.h"
#include "trace/pipes.h"
#include "trace/trace.h"

#define CALLER __builtin_return_address(0)

#define RELEASER(name, type, what)                               \
	EXPORT int name(type *object)                            \
	{                                                        \
		note(FLOW_##what, (const void *)object, CALLER); \
		return real.name(object);                        \
	}
RELEASER(pthread_mutex_unlock, pthread_mutex_t, RELEASE)
RELEASER(pthread_rwlock_unlock, pthread_rwlock_t, UNSHARE)
RELEASER(pthread_spin_unlock, pthread_spinlock_t, RELEASE)
RELEASER(mtx_unlock, mtx_t, RELEASE)
RELEASER(pthread_cond_signal, pthread_cond_t, SIGNAL)
RELEASER(pthread_cond_broadcast, pthread_cond_t, BROADCAST)
RELEASER(cnd_signal, cnd_t, SIGNAL)
RELEASER(cnd_broadcast, cnd_t, BROADCAST)
RELEASER(sem_post, sem_t, POST)

#define TRIER(name, type, what, busy)                                    \
	EXPORT int name(type *object)                                    \
	{                                                                \
		int result = real.name(object);                          \
		if (result == 0)                                         \
			note(FLOW_##what, (const void *)object, CALLER); \
		else if (busy)                                           \
			note(FLOW_REFUSE, (const void *)object, CALLER); \
		return result;                                           \
	}
TRIER(pthread_mutex_trylock, pthread_mutex_t, ACQUIRE, result == EBUSY)
TRIER(pthread_rwlock_tryrdlock, pthread_rwlock_t, SHARE, result == EBUSY)
TRIER(pthread_rwlock_trywrlock, pthread_rwlock_t, ACQUIRE, result == EBUSY)
TRIER(pthread_spin_trylock, pthread_spinlock_t, ACQUIRE, result == EBUSY)
TRIER(mtx_trylock, mtx_t, ACQUIRE, result == thrd_busy)
TRIER(sem_trywait, sem_t, TAKE, errno == EAGAIN)

#define DETACHER(name, type)                                                                                              \
	EXPORT int name(type thread)                                                                                      \
	{                                                                                                                 \
		note(FLOW_DETACH, (const void *)(uintptr_t)thread, CALLER); /* the handle is worth nothing behind that */ \
		return real.name(thread);                                                                                 \
	}
DETACHER(pthread_detach, pthread_t)
DETACHER(thrd_detach, thrd_t)

EXPORT int sem_init(sem_t *s, int shared, unsigned count)
{
	int result = real.sem_init(s, shared, count);
	int error = errno;
	if (result == 0 && threads_client.note)
		trace_fill(s, count, CALLER);
	errno = error;
	return result;
}

EXPORT int eventfd(unsigned count, int flags)
{
	int fd = real.eventfd(count, flags);
	int error = errno;
	if (threads_client.note)
		pipes_event(fd);
	errno = error;
	return fd;
}

/* The C library's own pass by the doors of reading and writing. */
static void tell_moved(enum threads_moved what, int fd, const void *caller)
{
	if (threads_client.moved)
		interpose_moved(what, fd, caller);
}

EXPORT int eventfd_read(int fd, eventfd_t *value)
{
	bool waits = wait_open(RAW_WAIT_IO, NULL, CALLER);
	bool is_read = real.read(fd, value, sizeof *value) == sizeof *value;
	if (is_read)
		tell_moved(THREADS_READ, fd, CALLER);
	wait_close(waits);
	return is_read ? 0 : -1;
}

EXPORT int eventfd_write(int fd, eventfd_t value)
{
	tell_moved(THREADS_WRITES, fd, CALLER);
	bool waits = wait_open(RAW_WAIT_IO, NULL, CALLER);
	bool is_written = real.write(fd, &value, sizeof value) == sizeof value;
	wait_close(waits);
	return is_written ? 0 : -1;
}

EXPORT int socketpair(int domain, int type, int protocol, int ends[2])
{
	int result = real.socketpair(domain, type, protocol, ends);
	int error = errno;
	if (result == 0 && threads_client.note)
		pipes_pair(ends);
	errno = error;
	return result;
}
