/* SPDX-License-Identifier: MIT */
#include "analyse/symbols/image.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

enum { COPIED_BYTES = 256 << 20, TAIL_BYTES = 4096 };

void symbols_image_copy(struct symbols_image *i, const void *bytes, size_t size)
{
	*i = (struct symbols_image){.bytes = memory_zeroed(size + 1, 1), .size = size};
	memcpy(i->bytes, bytes, size);
}

static bool copy_file(struct symbols_image *i, int fd, size_t size)
{
	ssize_t got;
	i->bytes = memory_zeroed(size + 1, 1);
	while (i->size < size && (got = read(fd, i->bytes + i->size, size - i->size)) > 0)
		i->size += (size_t)got;
	return i->size > 0;
}

/* Maps the file over zeroed pages, of which at least one stays behind the file. */
static bool map_file(struct symbols_image *i, int fd, size_t size)
{
	void *room = mmap(NULL, size + TAIL_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (room == MAP_FAILED)
		return false;
	*i = (struct symbols_image){.bytes = room, .size = size, .mapped_bytes = size + TAIL_BYTES};
	return mmap(room, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) != MAP_FAILED;
}

bool symbols_image_open(struct symbols_image *i, const char *path)
{
	struct stat s;
	*i = (struct symbols_image){0};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	bool done = fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size > 0 &&
		(s.st_size > COPIED_BYTES ? map_file(i, fd, (size_t)s.st_size) : copy_file(i, fd, (size_t)s.st_size));
	close(fd);
	return done;
}

void symbols_image_close(struct symbols_image *i)
{
	if (i->mapped_bytes)
		munmap(i->bytes, i->mapped_bytes);
	else
		free(i->bytes);
	*i = (struct symbols_image){0};
}
