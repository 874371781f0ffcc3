/* SPDX-License-Identifier: MIT */
/* way.h: by which compile a source gets its bitcode.
 *
 *     if (way_of(&args) == WAY_SAME) …
 *
 * A word that is not known does no harm to any of them. */
#ifndef SKEIN_WAY_H
#define SKEIN_WAY_H

#include "build/args.h"

enum way {
	WAY_SAME,   /* the native one, which has all debug information that lenses need */
	WAY_STRIP,  /* the same, which has it for a while */
	WAY_SECOND, /* one of its own, which stops when the source is optimised */
	WAY_LTO /* one of its own, as for link-time optimisation: the user lets the compiler add code, or wants both that and the above */
};

enum way way_of(const struct args *args);

#endif
