/* SPDX-License-Identifier: MIT */
/* blob.c: files as bytes, bytes as digests (MurmurHash3, x64, 128 bits, by Austin Appleby, in the public domain). */
#include "base/blob.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strv.h"

static int fill(int fd, unsigned char *to, size_t size, size_t *got)
{
	*got = 0;
	while (*got < size) {
		ssize_t n = read(fd, to + *got, size - *got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			return 0;
		*got += (size_t)n;
	}
	return 0;
}

int blob_read(const char *path, struct blob *blob, struct fail *why)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	*blob = (struct blob){0};
	if (fd < 0)
		return fail_set(why, errno == ENOENT ? FAIL_NOT_FOUND : FAIL_CANNOT_RUN, "cannot read %s: %s", path, strerror(errno));
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return fail_set(why, FAIL_CANNOT_RUN, "cannot read %s: it is not a regular file", path);
	}
	unsigned char *memory = mem_or_die(malloc((size_t)st.st_size + 1));
	int failed = fill(fd, memory, (size_t)st.st_size, &blob->size);
	int error = errno;
	close(fd);
	if (failed) {
		free(memory);
		return fail_set(why, FAIL_CANNOT_RUN, "cannot read %s: %s", path, strerror(error));
	}
	memory[blob->size] = 0;
	blob->at = memory;
	return 0;
}

void blob_free(struct blob *blob)
{
	free((void *)blob->at);
	*blob = (struct blob){0};
}

static uint64_t rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

static uint64_t scramble_low(uint64_t k)
{
	return rotate(k * 0x87c37b91114253d5u, 31) * 0x4cf5ad432745937fu;
}

static uint64_t scramble_high(uint64_t k)
{
	return rotate(k * 0x4cf5ad432745937fu, 33) * 0x87c37b91114253d5u;
}

static uint64_t finish(uint64_t k)
{
	k = (k ^ k >> 33) * 0xff51afd7ed558ccdu;
	k = (k ^ k >> 33) * 0xc4ceb9fe1a85ec53u;
	return k ^ k >> 33;
}

/* The state left by what was added before is the seed. */
void digest_add(struct digest *sum, const void *bytes, size_t size)
{
	const unsigned char *p = bytes;
	uint64_t low = sum->low, high = sum->high, k[2];
	size_t left = size;

	for (; left >= 16; left -= 16, p += 16) {
		memcpy(k, p, 16);
		low = (rotate(low ^ scramble_low(k[0]), 27) + high) * 5 + 0x52dce729;
		high = (rotate(high ^ scramble_high(k[1]), 31) + low) * 5 + 0x38495ab5;
	}
	memset(k, 0, sizeof k);
	if (left)
		memcpy(k, p, left);
	low ^= scramble_low(k[0]) ^ size;
	high ^= scramble_high(k[1]) ^ size;
	low += high;
	high += low;
	low = finish(low);
	high = finish(high);
	sum->low = low + high;
	sum->high = high + sum->low;
}

void digest_text(struct digest *sum, const char *text)
{
	digest_add(sum, text, strlen(text));
}

void digest_hex(const struct digest *sum, char hex[DIGEST_HEX])
{
	snprintf(hex, DIGEST_HEX, "%016" PRIx64 "%016" PRIx64, sum->low, sum->high);
}
