/* SPDX-License-Identifier: MIT */
/* tell.c: tells the lens what happens to objects, unless the profiler itself or an OpenMP runtime that reports its waits does it. */
#include "threads/interpose/interpose.h"

/* Locks and pipes that MPI uses in its calls are its own: the wait goes on. */
static bool is_in_mpi(const struct skein_self *self)
{
	return self->waiting && raw_wait_is_for_ranks((enum raw_wait)self->wait_kind);
}

void interpose_tell(enum flow_kind what, const void *object, const void *caller)
{
	int error = errno;
	struct skein_self *self = threads_meet();

	if (self->lane && !self->inside && !self->vforked && !is_in_mpi(self) && !threads_ompt_owns(caller))
		threads_client.note(self, what, object, caller);
	errno = error;
}

void interpose_moved(enum threads_moved what, int fd, const void *caller)
{
	int error = errno;
	struct skein_self *self = threads_meet();

	if (self->lane && !self->inside && !self->vforked && !is_in_mpi(self))
		threads_client.moved(self, what, fd, caller);
	errno = error;
}
