/* SPDX-License-Identifier: MIT */
/* tell.c: tells the lens what happens to objects, unless the profiler itself or an OpenMP runtime that reports its waits does it. */
#include "threads/interpose/interpose.h"

void interpose_tell(enum flow_kind what, const void *object, const void *caller)
{
	int error = errno;
	struct skein_self *self = threads_meet();

	if (self->lane && !self->inside && !self->vforked && !threads_ompt_owns(caller))
		threads_client.note(self, what, object, caller);
	errno = error;
}

void interpose_moved(enum threads_moved what, int fd, const void *caller)
{
	int error = errno;
	struct skein_self *self = threads_meet();

	if (self->lane && !self->inside && !self->vforked)
		threads_client.moved(self, what, fd, caller);
	errno = error;
}
