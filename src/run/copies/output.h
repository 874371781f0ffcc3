/* SPDX-License-Identifier: MIT */
/* output.h: what the copies after the first print: kept in a file without a name, to be shown if something goes wrong.
 *
 * Descriptors above 2 that the caller of skein opened for the program go there, too, if it can write to them; files
 * that it reads are opened anew. Where the first copy has a terminal the others get one, too, since programs ask
 * whether they write to one. Skein reads it and puts what comes there into the file.
 *
 *     copies_output_open(&output, folder, &why)
 *     copies_output_take(&output)                   in the child: its descriptors from 1 on
 *     copies_output_started(&output)                in the parent
 *     …poll output.terminal; copies_output_read(&output)…
 *     copies_output_show(&output, 1, stderr)
 *     copies_output_close(&output) */
#ifndef SKEIN_COPIES_OUTPUT_H
#define SKEIN_COPIES_OUTPUT_H

#include <stdio.h>
#include "base/fail.h"

struct copies_output {
	int file;            /* -1: this copy has our streams */
	int terminal, slave; /* both ends of one, or -1 */
};

void copies_output_none(struct copies_output *o);
int copies_output_open(struct copies_output *o, const char *folder, struct fail *why);
void copies_output_take(const struct copies_output *o);
void copies_output_started(struct copies_output *o);
void copies_output_read(struct copies_output *o);                              /* what there is */
void copies_output_show(const struct copies_output *o, size_t copy, FILE *to); /* shows the end of the output */
void copies_output_close(struct copies_output *o);

#endif
