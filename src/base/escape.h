/* SPDX-License-Identifier: MIT */
/* escape.h: makes names that come from a subject safe to show. Every way out of skein leads through here.
 *
 * A name may hold anything: escape sequences that repaint a terminal, newlines, bytes that are not UTF-8, marks that
 * turn the direction of text. escape_plain() writes each such byte as \xNN and leaves all other text alone; it
 * serves text, messages and exports, before they quote what their format needs quoted. escape_json() writes a JSON string
 * with its quotes. escape_csv() writes a field of CSV, with quotes where it needs them; the first character of a text that
 * a spreadsheet would take for a formula (=, +, -, @) is \xNN, too. */
#ifndef SKEIN_ESCAPE_H
#define SKEIN_ESCAPE_H

#include <stdio.h>
#include "base/memory.h"

char *escape_plain(struct pool *pool, const char *text);
void escape_json(FILE *file, const char *text);
void escape_csv(FILE *file, const char *text);
size_t escape_width(const char *plain); /* columns on a terminal, of text that escape_plain returned */

#endif
