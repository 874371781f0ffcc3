/* SPDX-License-Identifier: MIT */
/* escape.h: makes names that come from a subject safe to show.
 *
 * A name may hold anything: escape sequences that repaint a terminal, newlines, bytes that are not UTF-8, marks that
 * turn the direction of text. escape_plain() writes each such byte as \xNN and leaves all other text alone; it
 * serves text and CSV. escape_json() writes a JSON string with its quotes. */
#ifndef SKEIN_ESCAPE_H
#define SKEIN_ESCAPE_H

#include <stdio.h>
#include "base/memory.h"

char *escape_plain(struct pool *pool, const char *text);
void escape_json(FILE *file, const char *text);
size_t escape_width(const char *plain); /* columns on a terminal, of text that escape_plain returned */

#endif
