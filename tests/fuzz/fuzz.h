/* SPDX-License-Identifier: MIT */
/* fuzz.h: what the targets of `make fuzz` share.
 *
 * A target is one file. It defines LLVMFuzzerTestOneInput, which gives any bytes to one reader of Skein and then looks at
 * all that the reader lets through. The reader may refuse the bytes; crashing, hanging and reading outside are findings.
 *
 *     int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
 *     {
 *             const char *path = fuzz_file("table", bytes, size);
 *             …
 *             return 0;
 *     }
 *
 * tools/fuzz links targets with clang's libFuzzer; linked with replay.c, they take files. Files are written to the working folder,
 * which must be empty. */
#ifndef SKEIN_FUZZ_H
#define SKEIN_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

/* A promise of the reader that is not held. */
static inline void fuzz_hold(bool is_held)
{
	if (!is_held)
		abort();
}

/* A file of that name in the working folder that holds the bytes; returns the name. */
static inline const char *fuzz_file(const char *name, const void *bytes, size_t size)
{
	FILE *file = fopen(name, "we");
	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
		perror(name);
		exit(1);
	}
	return name;
}

/* A copy that ends with a zero; the caller frees it. */
static inline char *fuzz_text(const unsigned char *bytes, size_t size)
{
	char *text = malloc(size + 1);
	if (!text)
		exit(1);
	if (size)
		memcpy(text, bytes, size);
	text[size] = 0;
	return text;
}

/* For what a target prints: everything is formatted, nothing is kept. */
static inline FILE *fuzz_nowhere(void)
{
	static FILE *file;
	if (!file && !(file = fopen("/dev/null", "we")))
		exit(1);
	return file;
}

/* Reads a text to its end: a sanitizer sees if it has none. */
static inline void fuzz_read(const char *text)
{
	static volatile size_t sum;
	sum += strlen(text);
}

static inline void fuzz_read_bytes(const void *bytes, size_t size)
{
	static volatile unsigned sum;
	const unsigned char *at = bytes;
	for (size_t i = 0; i < size; i++)
		sum += at[i];
}

#endif
