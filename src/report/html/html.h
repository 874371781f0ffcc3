/* SPDX-License-Identifier: MIT */
/* html.h: the page of `skein view`: one HTML file with everything that the views of recordings show.
 *
 *     struct html_ask ask = {.paths = (const char *[]){"prog.skein"}, .count = 1, .with_source = true};
 *     struct html_page page;
 *     if (html_make(&page, &ask, &why) == 0)          all that can be wrong with recordings is known then
 *         html_write(&page, file, &why);
 *     html_free(&page);                               also if it could not be made
 *
 * The page is web/view.html, whose program shows what stands in its place for data: a head in JSON, and columns of bytes
 * (columns.h), compressed. All figures come from the views that `skein report` shows. */
#ifndef SKEIN_HTML_H
#define SKEIN_HTML_H

#include <stdbool.h>
#include <stdio.h>
#include "base/blob.h"
#include "base/fail.h"
#include "report/html/columns.h"

struct html_ask {
	const char *const *paths; /* one recording, or two to compare */
	size_t count;
	bool with_source;
};

struct html_page {
	struct blob template;
	const unsigned char *place; /* in the template, for the data */
	char *head;
	size_t head_bytes;
	struct columns columns;
};

int html_make(struct html_page *page, const struct html_ask *ask, struct fail *why);
int html_write(const struct html_page *page, FILE *file, struct fail *why);
void html_free(struct html_page *page);

/* A recording as an object of the head, and what it needs as columns. */
int html_recording(const char *path, bool with_source, struct columns *columns, FILE *head, struct fail *why);

/* What `skein diff OLD NEW` has to say, as an object of the head. */
int html_difference(const char *const paths[2], struct columns *columns, FILE *head, struct fail *why);

/* Writes the bytes as gzip, in base64. */
int html_pack(const unsigned char *head, size_t head_bytes, const unsigned char *body, size_t body_bytes, FILE *file, struct fail *why);

#endif
