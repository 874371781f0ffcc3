/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

enum { BLOCK_BYTES = 1 << 16 };

struct pool_block {
	struct pool_block *next;
	size_t used, size;
	char bytes[];
};

void *mem_or_die(void *memory)
{
	if (!memory) {
		fputs("skein: not enough memory\n", stderr);
		exit(FAIL_INTERNAL);
	}
	return memory;
}

void *memory_resize(void *old, size_t count, size_t bytes)
{
	return mem_or_die(reallocarray(old, count ? count : 1, bytes));
}

void *memory_zeroed(size_t count, size_t bytes)
{
	return mem_or_die(calloc(count ? count : 1, bytes));
}

char *memory_text(const char *text)
{
	return mem_or_die(strdup(text));
}

char *pool_bytes(struct pool *pool, size_t bytes)
{
	struct pool_block *block = pool->blocks;
	if (!block || block->size - block->used < bytes) {
		size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
		block = memory_resize(NULL, 1, sizeof *block + size);
		*block = (struct pool_block){.next = pool->blocks, .size = size};
		pool->blocks = block;
	}
	char *at = block->bytes + block->used;
	block->used += bytes;
	return at;
}

char *pool_text(struct pool *pool, const char *text)
{
	size_t bytes = strlen(text) + 1;
	return memcpy(pool_bytes(pool, bytes), text, bytes);
}

char *pool_print(struct pool *pool, const char *format, ...)
{
	va_list list, again;
	va_start(list, format);
	va_copy(again, list);
	int length = vsnprintf(NULL, 0, format, list);
	va_end(list);
	char *at = pool_bytes(pool, (size_t)(length < 0 ? 0 : length) + 1);
	vsnprintf(at, (size_t)(length < 0 ? 0 : length) + 1, format, again);
	va_end(again);
	return at;
}

void pool_free(struct pool *pool)
{
	while (pool->blocks) {
		struct pool_block *block = pool->blocks;
		pool->blocks = block->next;
		free(block);
	}
}
