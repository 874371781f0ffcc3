/* SPDX-License-Identifier: MIT */
/* repath.c: strings of the loader, replaced in place. */
#include "relink/repath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/blob.h"
#include "build/elf64.h"

bool repath_fits(const struct strv *from, const struct strv *to)
{
	bool fits = from->count == to->count;

	for (size_t i = 0; i < from->count && fits; i++)
		fits = strlen(from->at[i]) == strlen(to->at[i]);
	return fits;
}

/* How often it was there. What was put in is not looked at again: it may be what is sought next. */
static size_t replace(const unsigned char *at, size_t size, const char *from, const char *to, unsigned char *out)
{
	size_t length = strlen(from), found = 0;

	for (const unsigned char *hit; (hit = memmem(at, size, from, length)); found++) {
		memcpy(out + (hit - at), to, length);
		out += hit + length - at;
		size -= (size_t)(hit - at) + length;
		at = hit + length;
	}
	return found;
}

static int write_over(const char *object, size_t offset, const unsigned char *bytes, size_t size, struct fail *why)
{
	int fd = open(object, O_WRONLY | O_CLOEXEC);
	bool bad = fd < 0 || pwrite(fd, bytes, size, (off_t)offset) != (ssize_t)size;

	if (fd >= 0 && close(fd) < 0)
		bad = true;
	return bad ? fail_set(why, FAIL_INTERNAL, "cannot write %s: %s", object, strerror(errno)) : 0;
}

int repath(const char *object, const struct strv *from, const struct strv *to, struct fail *why)
{
	struct blob file, strings;
	int failed = 0;

	if (blob_read(object, &file, why) < 0)
		return -1;
	if (!elf64_section(file, ".dynstr", &strings))
		strings.size = 0;
	unsigned char *changed = mem_or_die(malloc(strings.size + 1));
	memcpy(changed, strings.size ? strings.at : file.at, strings.size);
	for (size_t i = 0; i < from->count && !failed; i++)
		if (strcmp(from->at[i], to->at[i]) != 0 && replace(strings.at, strings.size, from->at[i], to->at[i], changed) == 0)
			failed = fail_set(why, FAIL_INTERNAL, "%s has no run path %s", object, from->at[i]);
	if (!failed && strings.size && memcmp(changed, strings.at, strings.size) != 0)
		failed = write_over(object, (size_t)(strings.at - file.at), changed, strings.size, why);
	free(changed);
	blob_free(&file);
	return failed;
}
