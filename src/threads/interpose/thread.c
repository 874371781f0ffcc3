/* SPDX-License-Identifier: MIT */
/* thread.c: creates and joins threads. Threads end in threads.c, by a key's destructor, however they
 * leave. */
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>
#include "raw/kernel.h"
#include "threads/arena.h"
#include "threads/helpers.h"
#include "threads/interpose/interpose.h"

/* What the creating thread hands to the new one, which frees it. */
struct birth {
	void *(*start)(void *);
	int (*start_c11)(void *);
	void *argument;
	void *inherited;
	uint32_t creator;
};

/* A thread of libomp's pool has no creator: it outlives the region that it was made for, and inherits from each
 * region and task that it takes part in; but it could not begin earlier than it was made. */
static struct birth *birth_new(void *argument, const void *caller)
{
	struct skein_self *self = threads_meet();
	struct birth *birth = self->lane && !self->inside ? arena_take(sizeof *birth) : NULL;

	if (!birth)
		return NULL;
	if (threads_client.before_create)
		threads_client.before_create(self);
	birth->argument = argument;
	self->wait_place = caller;
	birth->inherited = threads_ompt_owns(caller) && !threads_client.note ? NULL : client_capture(self);
	self->wait_place = NULL;
	birth->creator = self->number;
	return birth;
}

static void birth_failed(struct birth *birth)
{
	client_release(birth->inherited);
	arena_give(birth, sizeof *birth);
}

static void tell_created(void)
{
	int error = errno;

	if (threads_client.after_create)
		threads_client.after_create(&skein_self);
	errno = error;
}

static struct birth birth_happens(struct birth *given)
{
	struct birth birth = *given;

	arena_give(given, sizeof *given);
	threads_begin(birth.creator, birth.inherited);
	return birth;
}

/* Where the stack of a recorded thread begins, as far as the subject is concerned. */
#define STARTS __attribute__((section("skein_thread_start"), noinline))
extern const char __start_skein_thread_start[] __attribute__((visibility("hidden"))),
	__stop_skein_thread_start[] __attribute__((visibility("hidden")));

bool threads_is_start(uintptr_t ip)
{
	return ip - (uintptr_t)__start_skein_thread_start < (uintptr_t)(__stop_skein_thread_start - __start_skein_thread_start);
}

/* A call and not a jump: its frame must be on the stack. */
#define STAYS() __asm__ volatile("" ::: "memory")

STARTS static void *begin_pthread(void *given)
{
	struct birth birth = birth_happens(given);
	void *result = birth.start(birth.argument);
	STAYS();
	return result;
}

STARTS static int begin_c11(void *given)
{
	struct birth birth = birth_happens(given);
	int result = birth.start_c11(birth.argument);
	STAYS();
	return result;
}

/* ---- threads of MPI ---- */

/* A thread that MPI creates in one of its calls is no worker of the program's: it sleeps until the network says something. It is never
 * met. */
struct helper {
	void *(*start)(void *);
	void *argument;
};

static bool is_in_mpi(void)
{
	const struct skein_self *self = &skein_self;

	return self->lane && !self->inside && self->waiting && raw_wait_is_for_ranks((enum raw_wait)self->wait_kind);
}

static void *begin_helper(void *given)
{
	struct helper helper = *(struct helper *)given;

	arena_give(given, sizeof helper);
	skein_self.ended_rounds = THREADS_ENDED;
	return helper.start(helper.argument);
}

/* False: there is no memory for it. */
static bool create_helper(pthread_t *thread, const pthread_attr_t *attr, const struct helper *what, int *result)
{
	struct helper *helper = arena_take(sizeof *helper);

	if (!helper)
		return false;
	*helper = *what;
	*result = real.pthread_create(thread, attr, begin_helper, helper);
	if (*result)
		arena_give(helper, sizeof *helper);
	return true;
}

/* A stack of which the subject has asked for little is made larger by what hooks, shims and samples take of it, so that it has what it has
 * natively. One that the subject brings along is as it is. */
static const pthread_attr_t *with_room(const pthread_attr_t *attr, pthread_attr_t *larger)
{
	enum { SMALL_BYTES = 1 << 20, MORE_BYTES = 32 << 10 };
	void *low = NULL;
	size_t bytes = 0;

	if (!attr || real.pthread_attr_getstack(attr, &low, &bytes) != 0 || (uintptr_t)low + bytes || !bytes || bytes >= SMALL_BYTES)
		return attr;
	*larger = *attr; /* as it is read once and not kept, what it points to may be shared */
	return helpers.pthread_attr_setstacksize(larger, bytes + MORE_BYTES) == 0 ? larger : attr;
}

/* Without memory for a birth the thread starts as it would without us, and is met at its first event. */
EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *argument)
{
	pthread_attr_t larger;
	int result;

	attr = with_room(attr, &larger);
	if (is_in_mpi() && create_helper(thread, attr, &(struct helper){start, argument}, &result))
		return result;
	struct birth *birth = birth_new(argument, __builtin_return_address(0));
	if (!birth)
		return real.pthread_create(thread, attr, start, argument);
	birth->start = start;
	result = real.pthread_create(thread, attr, begin_pthread, birth);
	tell_created();
	if (result)
		birth_failed(birth);
	return result;
}

EXPORT int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
	struct birth *birth = birth_new(argument, __builtin_return_address(0));

	if (!birth)
		return real.thrd_create(thread, start, argument);
	birth->start_c11 = start;
	int result = real.thrd_create(thread, begin_c11, birth);
	tell_created();
	if (result != thrd_success)
		birth_failed(birth);
	return result;
}

static void tell_joined(pthread_t thread)
{
	struct skein_self *self = &skein_self;
	int error = errno;

	if (threads_client.joined && self->lane && !self->inside)
		threads_client.joined(self, thread);
	errno = error;
}

#define HANDLE(thread) ((const void *)(uintptr_t)(thread))
#define JOINER(name, handle, parameters, arguments)                                       \
	EXPORT int name parameters                                                        \
	{                                                                                 \
		bool waits = wait_open(RAW_WAIT_JOIN, NULL, __builtin_return_address(0)); \
		int outcome = real.name arguments;                                        \
		if (outcome == 0)                                                         \
			note(FLOW_JOIN, HANDLE(handle), __builtin_return_address(0));     \
		wait_close(waits);                                                        \
		if (outcome == 0)                                                         \
			tell_joined(handle);                                              \
		return outcome;                                                           \
	}
JOINER(pthread_join, thread, (pthread_t thread, void **result), (thread, result))
JOINER(pthread_timedjoin_np, thread, (pthread_t thread, void **result, const struct timespec *until), (thread, result, until))
JOINER(pthread_clockjoin_np, thread, (pthread_t thread, void **result, clockid_t clock, const struct timespec *until),
       (thread, result, clock, until))
JOINER(thrd_join, thread, (thrd_t thread, int *result), (thread, result))

/* The one that does not wait. */
EXPORT int pthread_tryjoin_np(pthread_t thread, void **result)
{
	int outcome = real.pthread_tryjoin_np(thread, result);

	if (outcome == 0) {
		note(FLOW_JOIN, HANDLE(thread), __builtin_return_address(0));
		tell_joined(thread);
	}
	return outcome;
}

EXPORT int pthread_setname_np(pthread_t thread, const char *name)
{
	int result = real.pthread_setname_np(thread, name);

	if (result == 0 && threads_started() && !skein_self.inside)
		threads_rename(thread, name);
	return result;
}
