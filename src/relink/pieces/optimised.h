/* SPDX-License-Identifier: MIT */
/* optimised.h: optimised bitcode of objects that have none of their own, as their sources were compiled without debug information
 * (build/compile.h). The first lens that has such an object finished leaves it in the cache, and others take it from there.
 *
 * An entry of the cache: `optimised`. Its key is the bitcode, how it was compiled, and the plugin. */
#ifndef SKEIN_RELINK_PIECES_OPTIMISED_H
#define SKEIN_RELINK_PIECES_OPTIMISED_H

#include "relink/pieces/pieces.h"

#define OPTIMISED_FILE "optimised"

bool optimised_is_shared(const struct relink_link *link, const struct piece *piece); /* the piece has none, and others can use it */
void optimised_take(const struct relink_link *link, struct piece *piece);            /* from the cache, if it is there */
void optimised_keep(const struct relink_link *link, const struct piece *piece, const char *stage); /* a file that was left in a stage */
void optimised_drop(const struct relink_link *link, const struct piece *piece);                    /* no code could be made of it */

#endif
