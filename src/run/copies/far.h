/* SPDX-License-Identifier: MIT */
/* far.h: what skein and a copy that a launcher has started tell each other, by files in the copy's session folder.
 *
 * A launcher such as ssh hands on no signals, and tells of a program that died of one only that it did not end well.
 * The folder is on both machines: skein leaves signals there, run-copy, which looks after the copy, passes them on
 * to the program, and leaves how that ended.
 *
 *     copies_far_signal(folder, SIGTERM, false);                                 skein
 *     struct copies_far far = {.folder = folder, .group = group};                run-copy
 *     copies_far_wait(&far, child, &held, &end); copies_far_ended(folder, &end);
 *     if (copies_far_end(folder, &end)) …                                        skein: how it really ended
 *
 * Files are opened anew each time, so that a network file system shows what the other side wrote. */
#ifndef SKEIN_COPIES_FAR_H
#define SKEIN_COPIES_FAR_H

#include <stddef.h>
#include "run/launch.h"

struct copies_far {
	const char *folder;
	const char *group; /* as copies_far_group() was for skein */
	size_t seen;       /* signals so far */
};

/* The receiver of a terminal's signals: the machine and the process group, as a text that the caller frees. */
char *copies_far_group(void);

void copies_far_signal(const char *folder, int number, bool by_terminal);

/* As launch_wait, and what was left for the program is passed on: but not what a terminal sent to all of us. */
void copies_far_wait(struct copies_far *far, pid_t child, const sigset_t *held, struct launch_end *end);

void copies_far_ended(const char *folder, const struct launch_end *end);
/* false: the copy has not ended, or is several processes, whose launcher must know */
bool copies_far_end(const char *folder, struct launch_end *end);

#endif
