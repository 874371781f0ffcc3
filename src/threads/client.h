/* SPDX-License-Identifier: MIT */
/* client.h: calls between the files of this module and, through small wrappers, to the lens. Not for other modules. */
#ifndef SKEIN_THREADS_CLIENT_H
#define SKEIN_THREADS_CLIENT_H

#include "threads/threads.h"

extern struct threads_client threads_client; /* empty before threads_start */

struct skein_self *threads_begin(uint32_t creator, void *inherited); /* the calling thread begins */
void threads_set_working(struct lane *lane,
                         unsigned working);              /* the calling thread, which has the lane, works from here on (1), or not (0) */
void threads_nobody_works(void);                         /* in a forked child, before its thread has a lane */
void threads_rename(pthread_t thread, const char *name); /* the subject gave a thread a name */
void threads_jump(void);                                 /* the calling thread leaves where it is by longjmp */
void threads_watch_fork(void);
void threads_ompt_restart(void);            /* in a forked child */
bool threads_ompt_owns(const void *caller); /* this code address belongs to an OpenMP runtime that reports its waits itself */

static inline void *client_capture(struct skein_self *self)
{
	return threads_client.capture && self->lane ? threads_client.capture(self) : NULL;
}

static inline void client_retain(void *inherited)
{
	if (inherited && threads_client.retain)
		threads_client.retain(inherited);
}

static inline void client_release(void *inherited)
{
	if (inherited && threads_client.release)
		threads_client.release(inherited);
}

static inline void client_before_exit(uint32_t flag)
{
	if (threads_client.before_exit && !skein_self.vforked)
		threads_client.before_exit(flag);
}

#endif
