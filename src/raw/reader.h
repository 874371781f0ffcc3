/* SPDX-License-Identifier: MIT */
/* reader.h: reads a raw recording.
 *
 * Opening walks over the whole file once and checks every length, count and string in it against the size of the file,
 * so that later reads stay inside the file. A file that fails is refused with one sentence. What a number *means* is
 * not checked here: a routine number may belong to no object, a time may be absurd.
 *
 *     struct raw_reader raw;
 *     if (raw_reader_open(&raw, path, &why) < 0) …
 *     for (const struct raw_record *r = raw_first(&raw); r; r = raw_next(&raw, r))
 *             if (r->type == RAW_THREAD) …(const struct raw_thread *)r…
 *     raw_reader_close(&raw);
 *
 * Only records of known types and complete tables of kinds of the file's lens are shown; those that a killed writer left pending are
 * counted in `pending`. The file may grow and its numbers may change while it is read (a child of the subject may
 * still run); it is mapped read-only, and a file that is truncated meanwhile causes a bus error. */
#ifndef SKEIN_RAW_READER_H
#define SKEIN_RAW_READER_H

#include <stddef.h>
#include "base/fail.h"
#include "raw/format.h"

struct raw_reader {
	const unsigned char *bytes;
	size_t size;          /* of the mapping */
	size_t end;           /* of the records that were checked */
	struct raw_file file; /* a copy, so that it does not change */
	size_t pending;       /* records whose writer did not finish them */
};

int raw_reader_open(struct raw_reader *raw, const char *path, struct fail *why);
void raw_reader_close(struct raw_reader *raw);

const struct raw_record *raw_first(const struct raw_reader *raw);
const struct raw_record *raw_next(const struct raw_reader *raw, const struct raw_record *record);

/* The rows of a table that are valid now; *rows is their number. */
const void *raw_table_rows(const struct raw_table *table, size_t *rows);

/* The n-th zero-ended string of a text, or "" if there are fewer. */
const char *raw_text(const char *text, size_t text_bytes, unsigned n);

#endif
