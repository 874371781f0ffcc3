/* SPDX-License-Identifier: MIT */
/* one.h: the process that becomes one copy of the program, or looks after it.
 *
 * Does what the brief says: goes to the working folder, or into a private view of it, sets the environment, and
 * executes the program. In a private folder a process of ours stays behind as the program's parent: it hands signals
 * on, waits until all copies have ended, carries the changes over if they are to be kept, and ends as the program did.
 * It runs in a child of skein, or, through `skein run-copy FOLDER`, wherever a launcher put it. What goes wrong before
 * the program runs is written into the copy's folder (COPIES_FAILED), where skein finds it. */
#ifndef SKEIN_COPIES_ONE_H
#define SKEIN_COPIES_ONE_H

int copies_one(const char *word); /* see brief.h; returns the exit status if it returns at all */

#endif
