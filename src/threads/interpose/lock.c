/* SPDX-License-Identifier: MIT */
/* lock.c: locks, where nearly every call succeeds at once.
 *
 * The try variant comes first: an uncontended lock is then not a wait and costs one more indirect call. It answers
 * "busy" exactly where the real one would wait or would find its own thread to be the owner; any other answer
 * (acquired, owner died, not recoverable, invalid) is the answer that the real one would give. The timed variants of
 * read-write locks check their arguments before they try, so theirs are plain waits (wait.c). */
#include "threads/helpers.h"
#include "threads/interpose/interpose.h"

#define CALLER __builtin_return_address(0)
#define RARELY(x) __builtin_expect(!!(x), 0)

/* What was acquired is told of; a lock whose owner has died is acquired, too. */
static inline int told(int result, enum flow_kind what, const volatile void *lock, const void *caller)
{
	if (result == 0 || result == EOWNERDEAD)
		note(what, (const void *)lock, caller);
	return result;
}

#define SLOW(name, type, kind, what)                                                           \
	static __attribute__((noinline, cold)) int wait_##name(type *lock, const void *caller) \
	{                                                                                      \
		bool waits = wait_open(RAW_WAIT_##kind, (const void *)lock, caller);           \
		int result = told(real.name(lock), FLOW_##what, lock, caller);                 \
		wait_close(waits);                                                             \
		return result;                                                                 \
	}

SLOW(pthread_mutex_lock, pthread_mutex_t, LOCK, ACQUIRE)
SLOW(pthread_rwlock_rdlock, pthread_rwlock_t, LOCK, SHARE)
SLOW(pthread_rwlock_wrlock, pthread_rwlock_t, LOCK, ACQUIRE)
SLOW(pthread_spin_lock, volatile pthread_spinlock_t, LOCK, ACQUIRE)
SLOW(mtx_lock, mtx_t, LOCK, ACQUIRE)
SLOW(sem_wait, sem_t, SEMAPHORE, TAKE)

EXPORT int pthread_mutex_lock(pthread_mutex_t *m)
{
	int result = real.pthread_mutex_trylock(m);
	return RARELY(result == EBUSY) ? wait_pthread_mutex_lock(m, CALLER) : told(result, FLOW_ACQUIRE, m, CALLER);
}

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	int result = real.pthread_rwlock_tryrdlock(l);
	return RARELY(result == EBUSY) ? wait_pthread_rwlock_rdlock(l, CALLER) : told(result, FLOW_SHARE, l, CALLER);
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	int result = real.pthread_rwlock_trywrlock(l);
	return RARELY(result == EBUSY) ? wait_pthread_rwlock_wrlock(l, CALLER) : told(result, FLOW_ACQUIRE, l, CALLER);
}

EXPORT int pthread_spin_lock(pthread_spinlock_t *l)
{
	int result = real.pthread_spin_trylock(l);
	return RARELY(result == EBUSY) ? wait_pthread_spin_lock(l, CALLER) : told(result, FLOW_ACQUIRE, l, CALLER);
}

EXPORT int mtx_lock(mtx_t *m)
{
	int result = real.mtx_trylock(m);
	return RARELY(result == thrd_busy) ? wait_mtx_lock(m, CALLER) : told(result, FLOW_ACQUIRE, m, CALLER);
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
	int result = real.pthread_mutex_trylock(m);
	if (result != EBUSY)
		return told(result, FLOW_ACQUIRE, m, CALLER);
	bool waits = wait_open(RAW_WAIT_LOCK, m, CALLER);
	result = told(real.pthread_mutex_timedlock(m, until), FLOW_ACQUIRE, m, CALLER);
	wait_close(waits);
	return result;
}

/* A cancellation point even when it need not wait. */
EXPORT int sem_wait(sem_t *s)
{
	int error = errno;

	helpers.pthread_testcancel();
	if (!RARELY(real.sem_trywait(s)))
		return told(0, FLOW_TAKE, s, CALLER);
	errno = error;
	return wait_sem_wait(s, CALLER);
}
