/* SPDX-License-Identifier: MIT */
/* names.h: what a linkage name is called in the source.
 *
 * C++ names are demangled by the C++ runtime library, Rust names by names_rust.h; other names stay as they are. Names are bounded: a linkage name
 * of more than NAMES_LONGEST bytes is not demangled, and no result is longer than that. */
#ifndef SKEIN_NAMES_H
#define SKEIN_NAMES_H

#include "base/memory.h"

enum { NAMES_LONGEST = 4096, NAMES_BRIEF = 60 };

const char *names_demangle(struct pool *pool, const char *linkage); /* the name is the pool's, or is linkage itself */

/* Shortens a long name: no parameters, no template arguments (std::map<…>::operator[]). A name of at most `most`
 * bytes stays as it is. */
const char *names_short(struct pool *pool, const char *name, size_t most);

/* A name without parameters; one that is longer than NAMES_BRIEF even so, without template arguments. */
const char *names_brief(struct pool *pool, const char *name);

/* The function to which a body belongs that the compiler made of a construct, demangled, and the construct: "main" and
 * "(parallel)" of main.omp_outlined.4. The function may be "". NULL: a routine of the source. */
const char *names_construct(struct pool *pool, const char *linkage, const char **what);

#endif
