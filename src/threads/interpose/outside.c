/* SPDX-License-Identifier: MIT */
/* outside.c: waits in a library that this one does not wrap itself: the MPI wrapper (src/mpi) tells of them. */
#include "threads/interpose/interpose.h"

__attribute__((visibility("default"))) bool skein_wait_open(unsigned kind, const void *object, const void *caller, const void *frame);
__attribute__((visibility("default"))) void skein_wait_close(void);

bool skein_wait_open(unsigned kind, const void *object, const void *caller, const void *frame)
{
	int error = errno;
	bool waits = false;

	if (!skein_self.inside && kind < RAW_WAIT_KINDS) {
		skein_self.wait_object = object;
		skein_self.wait_place = caller;
		waits = threads_wait_begin((enum raw_wait)kind, frame);
	}
	errno = error;
	return waits;
}

void skein_wait_close(void)
{
	wait_close(true);
}
