/* SPDX-License-Identifier: MIT */
/* link.h: an ordinary link that remembers how it was done.
 *
 * Sources on the same command line are compiled first, into .skein/objects in the working folder, where a re-link finds
 * them. The link itself is the user's, with a build-id. Which files it read the linker tells itself
 * (--dependency-file: GNU ld, gold and lld all know it), so that -lfoo needs no guessing. The recipe is added to the
 * output as a note (note.h); when that cannot be done the link is still good, and a warning says so. */
#ifndef SKEIN_LINK_H
#define SKEIN_LINK_H

#include <stdbool.h>
#include "build/args.h"

int link_run(const struct args *args, bool cxx, const char *driver, int *status, struct fail *why);

#endif
