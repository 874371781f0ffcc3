/* SPDX-License-Identifier: MIT */
/* image.h: the bytes of a file, followed by at least one zero.
 *
 *     struct symbols_image i;
 *     if (symbols_image_open(&i, path)) … i.bytes, i.size …
 *     symbols_image_close(&i);                      also after a failure
 *
 * The zero is for libdw, which trusts that strings in damaged files end somewhere. A file is copied, so that one that
 * shrinks meanwhile does no harm; only what is too large for that is mapped. */
#ifndef SKEIN_SYMBOLS_IMAGE_H
#define SKEIN_SYMBOLS_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

struct symbols_image {
	char *bytes; /* NULL: none */
	size_t size;
	size_t mapped_bytes; /* 0: copied */
};

bool symbols_image_open(struct symbols_image *i, const char *path); /* false: there is no such file, or it cannot be read */
void symbols_image_copy(struct symbols_image *i, const void *bytes, size_t size);
void symbols_image_close(struct symbols_image *i);

#endif
