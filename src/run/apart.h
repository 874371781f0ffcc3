/* SPDX-License-Identifier: MIT */
/* apart.h: makes the recording of a session in a process of its own.
 *
 * Problem: names come from the files of the subject by way of libdw and libelf. A damaged file can crash them, or take all memory, and the
 * run that was recorded may have taken a day.
 * Idea: a child does all of it, and says which file it reads symbols of. If it dies at one, another child leaves the names of that
 * file out, and says so in the recording.
 *
 *     struct apart made;
 *     if (apart_store(folder, "prog.skein", &made, &why) < 0) …        the folder is as before
 *     … made.lens … made.aside …
 */
#ifndef SKEIN_APART_H
#define SKEIN_APART_H

#include <limits.h>
#include "base/fail.h"
#include "run/lens.h"

struct apart {
	const struct run_lens *lens;
	char aside[PATH_MAX]; /* an earlier recording was renamed to this; "": there was none */
};

int apart_store(const char *folder, const char *recording, struct apart *made, struct fail *why);

#endif
