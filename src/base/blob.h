/* SPDX-License-Identifier: MIT */
/* blob.h: reads a whole file into memory, and computes digests.
 *
 * A file is read, not mapped: another process may truncate it at any time, and a mapped file would then be SIGBUS.
 * The digest is 128 bits of MurmurHash3: it distinguishes objects of a build, but does not resist an attacker who
 * can write them (and could as well write the program).
 *
 *     struct digest sum = {0};
 *     digest_add(&sum, text, strlen(text));       the length counts too: "ab","c" differs from "a","bc"
 *     char hex[DIGEST_HEX];
 *     digest_hex(&sum, hex); */
#ifndef SKEIN_BLOB_H
#define SKEIN_BLOB_H

#include <stddef.h>
#include <stdint.h>
#include "base/fail.h"

struct blob {
	const unsigned char *at;
	size_t size;
};

int blob_read(const char *path, struct blob *blob, struct fail *why); /* free with blob_free */
void blob_free(struct blob *blob);

#define DIGEST_HEX 33
struct digest {
	uint64_t low, high;
};

void digest_add(struct digest *sum, const void *bytes, size_t size);
void digest_text(struct digest *sum, const char *text);
void digest_hex(const struct digest *sum, char hex[DIGEST_HEX]);

#endif
