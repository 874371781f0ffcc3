/* SPDX-License-Identifier: MIT */
/* html.h: the page of `skein view`: one HTML file with everything that the views of recordings show.
 *
 *     struct html_ask ask = {.paths = (const char *[]){"prog.skein"}, .count = 1, .with_source = true};
 *     html_write(&ask, file, &why);
 *
 * The page is web/view.html, whose program shows what stands in its place for data: a head in JSON, and columns of bytes
 * (columns.h), compressed. All figures come from the views that `skein report` shows. */
#ifndef SKEIN_HTML_H
#define SKEIN_HTML_H

#include <stdbool.h>
#include <stdio.h>
#include "base/fail.h"
#include "report/html/columns.h"

struct html_ask {
	const char *const *paths; /* one recording, or two to compare */
	size_t count;
	bool with_source;
};

int html_write(const struct html_ask *ask, FILE *file, struct fail *why);

/* A recording as an object of the head, and what it needs as columns. */
int html_recording(const char *path, bool with_source, struct columns *columns, FILE *head, struct fail *why);

/* What `skein diff OLD NEW` has to say, as an object of the head. */
int html_difference(const char *const paths[2], struct columns *columns, FILE *head, struct fail *why);

/* Writes the bytes as gzip, in base64. */
int html_pack(const unsigned char *head, size_t head_bytes, const unsigned char *body, size_t body_bytes, FILE *file, struct fail *why);

#endif
