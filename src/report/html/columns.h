/* SPDX-License-Identifier: MIT */
/* columns.h: sheets as columns of bytes, the form in which a page of `skein view` holds them.
 *
 *     struct columns columns = {0};
 *     columns_sheet(&columns, &sheet, head);       writes what there is to say of each column, as JSON, and adds its values
 *     columns_texts(&columns, head);               at the end: the texts that values refer to
 *     …                                            columns.bytes, columns.count
 *     columns_free(&columns);
 *
 * A column is where its values lie ("at", "bytes") and how they are written ("code"). All numbers are of 7 bits a byte, the
 * lowest first, the high bit of a byte says that there is more:
 *
 *     t  text        its place among the texts, from 1; 0 is the empty text
 *     n  number      0 is empty; else the difference to the last number that was not, folded (0, -1, 1, -2, …), and 1
 *     d  real        the same, in units of a ten-thousandth: the digits that CSV has
 *
 *     m  figures     as CSV has them, where a page could not keep them exact, and where numbers stand beside reals: twice their place
 *                    among the texts, and 1; 0 is empty
 *     x  both        the same; of a text, twice its place
 *
 * Columns with the same bytes lie in the same place. web/src/data.ts reads this. */
#ifndef SKEIN_COLUMNS_H
#define SKEIN_COLUMNS_H

#include <stdio.h>
#include "base/map.h"
#include "report/sheet.h"

struct columns {
	unsigned char *bytes;
	size_t count, room;
	struct columns_text {
		const char *raw, *plain; /* as it was given, and as it may be shown */
	} *texts;
	size_t text_count, text_room;
	struct lookup index;
	struct pool pool;
	struct columns_part {
		size_t at, count;
	} *parts; /* columns that were added */
	size_t part_count, part_room;
	struct lookup by_bytes;
};

/* A text of the head, as it may be shown. */
void columns_say(FILE *head, const char *text);
void columns_sheet(struct columns *columns, const struct sheet *sheet, FILE *head);
void columns_texts(struct columns *columns, FILE *head); /* {"at": …, "bytes": …, "count": …}, one text behind the other, a line each */
/* Adds bytes as they are, and writes {"at": …, "bytes": …}. */
void columns_blob(struct columns *columns, const void *bytes, size_t count, FILE *head);
void columns_free(struct columns *columns);

#endif
