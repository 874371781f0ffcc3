/* SPDX-License-Identifier: MIT */
/* interpose.h: how a shim marks the wait around the real function.
 *
 *     bool waits = wait_open(RAW_WAIT_IO, NULL, __builtin_return_address(0));
 *     ssize_t result = real.read(fd, to, bytes);
 *     return wait_close(waits), result;
 *
 * What happened to an object is told before the wait ends: note(FLOW_ACQUIRE, lock, caller).
 *
 * A thread that is cancelled in between does not return: its wait ends with the thread. */
#ifndef SKEIN_THREADS_INTERPOSE_H
#define SKEIN_THREADS_INTERPOSE_H

#include <errno.h>
#include "threads/client.h"
#include "threads/real.h"

/* `object`: the lock or the like that is waited for, or NULL. */
static inline bool wait_open(enum raw_wait kind, const void *object, const void *caller)
{
	if (skein_self.inside || threads_ompt_owns(caller))
		return false;
	skein_self.wait_object = object;
	skein_self.wait_place = caller;
	return threads_wait_begin(kind, __builtin_frame_address(0));
}

void interpose_tell(enum flow_kind what, const void *object, const void *caller); /* errno stays */
void interpose_moved(enum threads_moved what, int fd, const void *caller);        /* likewise */

static inline void note(enum flow_kind what, const void *object, const void *caller)
{
	if (__builtin_expect(threads_client.note != NULL, 0))
		interpose_tell(what, object, caller);
}

static inline void wait_close(bool waits)
{
	int error = errno;

	if (waits)
		threads_wait_end();
	errno = error;
}

#endif
