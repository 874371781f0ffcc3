/* SPDX-License-Identifier: MIT */
/* pipes.h: which descriptors lead from one thread of the run to another: pipes, pairs of sockets, and eventfds.
 *
 *     const void *name = pipes_name(fd, writes);         NULL: it is a file, or leads out of the run
 *     const void *room = pipes_room(name);               the room in it, which who reads makes
 *     pipes_pair(ends);                                  behind socketpair()
 *     pipes_event(fd);                                   behind eventfd()
 *
 * A name is an address that no object in memory has, and the same in all processes of a run: bytes that are written under a name are
 * read under it. What descriptor is what is asked of the kernel each time, since the program may close and open without our knowing. The
 * kernel has one file for all eventfds: they are known by the descriptor that eventfd() returned, and copies of it are not.
 * Any thread and any signal handler may call; errno stays. */
#ifndef SKEIN_TRACE_PIPES_H
#define SKEIN_TRACE_PIPES_H

#include <stdbool.h>

const void *pipes_name(int fd, bool writes);
const void *pipes_room(const void *name);
void pipes_pair(const int ends[2]);
void pipes_event(int fd);
bool pipes_is_event(const void *name);

#endif
