/* SPDX-License-Identifier: MIT */
/* folder.h: a working folder for each copy, so that copies do not see each other's files.
 *
 * A copy runs in a mount namespace of its own, where an overlay lies over the working folder: it sees what was there
 * when it began, and what it writes goes into a folder of its own. Nothing changes in the real one while copies run;
 * all of them, the first too, find it as it was. When all have ended, the changes of the first are carried over to the
 * real folder (carry.h), those of the others are dropped.
 *
 *     if (copies_folder_check(here, session, &why) < 0) …              the kernel does not allow it here
 *     struct copies_folder own;
 *     copies_folder_enter(&own, here, session, keep, &why)     from now on this process and its children live there
 *     …run…
 *     copies_folder_leave(&own)                                removes what was changed
 *
 * If the process that entered is killed, or a process that outlives the copy, a daemon, still lives there, the
 * janitor waits for its end before all is tidied up; with `keep` what was changed until then is carried over. A user
 * who may not mount gets a user namespace too, in which only his own user id exists. */
#ifndef SKEIN_COPIES_FOLDER_H
#define SKEIN_COPIES_FOLDER_H

#include <stdbool.h>
#include "base/fail.h"

struct copies_folder {
	char *here;
	char *temporary; /* holds the folders `upper` and `work` */
	bool in_memory;  /* `temporary` is the mount point of a file system in memory, which goes with its last user */
	int real;        /* descriptor of the folder beneath; -1: it cannot be written to at all, so there is no overlay */
	int upper;       /* of what was changed */
	int janitor;     /* a process that tidies up if no other does */
	int wake;        /* a pipe to the janitor */
};

int copies_folder_check(const char *here, const char *session, struct fail *why);
int copies_folder_enter(struct copies_folder *own, const char *here, const char *session, bool keep, struct fail *why);
void copies_folder_leave(struct copies_folder *own);   /* what was changed goes */
void copies_folder_abandon(struct copies_folder *own); /* what was changed stays where it is */

#endif
