/* SPDX-License-Identifier: MIT */
/* names_rust.h: names of Rust in the v0 form (_R…), as the source has them.
 *
 *     names_rust(&pool, "_RNvC6_123foo3bar")          123foo::bar
 *
 * NULL: it is not such a name, or is one that would take too long. (The older form, _ZN…17h…E, is C++'s.) */
#ifndef SKEIN_NAMES_RUST_H
#define SKEIN_NAMES_RUST_H

#include "base/memory.h"

const char *names_rust(struct pool *pool, const char *linkage);

#endif
