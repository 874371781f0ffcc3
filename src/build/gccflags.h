/* SPDX-License-Identifier: MIT */
/* gccflags.h: flags that gcc knows and clang refuses.
 *
 * A build that was written for gcc may carry them. They steer optimisations or warnings of gcc's own, so skein-cc leaves them
 * out and says so once. The table was made by giving every flag of `gcc --help` (gcc 12) to clang 19. */
#ifndef SKEIN_GCCFLAGS_H
#define SKEIN_GCCFLAGS_H

#include <stdbool.h>

bool gccflag_is_foreign(const char *argument);

#endif
