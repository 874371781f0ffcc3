/* SPDX-License-Identifier: MIT */
/* image.h: the bytes of a file, followed by at least one zero.
 *
 *     struct symbols_image i;
 *     if (symbols_image_open(&i, path)) … i.bytes, i.size …
 *     symbols_image_close(&i);                      also after a failure
 *
 * The zero is for libdw, which trusts that strings in damaged files end somewhere. A file is copied, so that it may
 * shrink meanwhile; only a file that is too large to copy is mapped. */
#ifndef SKEIN_SYMBOLS_IMAGE_H
#define SKEIN_SYMBOLS_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

struct symbols_image {
	char *bytes; /* NULL: no image */
	size_t size;
	size_t mapped_bytes; /* 0: the file was copied */
};

bool symbols_image_open(struct symbols_image *i, const char *path); /* false: the file does not exist or cannot be read */
void symbols_image_copy(struct symbols_image *i, const void *bytes, size_t size);
void symbols_image_close(struct symbols_image *i);

#endif
