/* SPDX-License-Identifier: MIT */
/* snapshot.h: what a program that is being recorded has left until now, as a session of its own.
 *
 *     char session[PATH_MAX], copy[PATH_MAX];
 *     if (snapshot_find(pid, session, &why) < 0) …             the process is not recorded
 *     if (snapshot_copy(session, "now.skein", copy, &why) < 0) …
 *     session_finish(copy, "now.skein", false, stdout, &why);  the program notices nothing, and goes on
 *
 * Raw recordings can be read at any time: what a thread writes meanwhile comes behind what is valid. */
#ifndef SKEIN_RUN_SNAPSHOT_H
#define SKEIN_RUN_SNAPSHOT_H

#include <limits.h>
#include "base/fail.h"

/* Of a recorded process, or of the skein that records: its folder. */
int snapshot_find(long pid, char folder[PATH_MAX], struct fail *why);
void snapshot_request(void); /* `skein snapshot` of this process, beside it: what it prints is dropped, but for errors */
int snapshot_copy(const char *folder, const char *recording, char copy[PATH_MAX], struct fail *why);

#endif
