/* SPDX-License-Identifier: MIT */
/* spare.h: a view of the working folder in which a run of the program may change what it likes, and nothing of it stays.
 *
 * An overlay lies over the folder (copies/folder.h) in a mount namespace of its own. A process of ours, the keeper, makes it and holds it;
 * the program joins it before it begins. So the program has no child that it does not know, and it is still our own child. What it changes
 * elsewhere, in /tmp for instance, is changed.
 *
 *     struct spare spare;
 *     if (spare_open(&spare, session, &why) < 0) …       the kernel does not allow it here
 *     …fork; in the child: spare_join(&spare), exec…
 *     spare_close(&spare);                                what was changed goes; if a process of the program still lives there, later
 */
#ifndef SKEIN_LOOK_SPARE_H
#define SKEIN_LOOK_SPARE_H

#include <sys/types.h>
#include "base/fail.h"

struct spare {
	char *here;
	pid_t keeper;
	int wake;         /* the keeper tidies up when this is closed */
	int mounts, user; /* namespaces; -1: the folder cannot be written to at all, or no user namespace was needed */
};

/* session: a folder that stays real, even if it is in the working folder. */
int spare_open(struct spare *spare, const char *session, struct fail *why);
int spare_join(const struct spare *spare); /* -1: errno says why */
void spare_close(struct spare *spare);

#endif
