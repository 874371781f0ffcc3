/* SPDX-License-Identifier: MIT */
/* allocates: eight threads allocate, resize and free, also each other's memory, under whatever allocator the program has. */
#include <pthread.h>
#include <string.h>
#include "work.h"

enum { THREADS = 8, BLOCKS = 500 };
static char *blocks[THREADS][BLOCKS];

static void *allocates(void *number)
{
	char **mine = blocks[(long)number];
	for (size_t i = 0; i < BLOCKS; i++) {
		mine[i] = malloc(i * 37 % 3000 + 1);
		mine[i][0] = (char)i;
		if (i % 3 == 0)
			mine[i] = realloc(mine[i], i * 91 % 9000 + 1);
		work(1);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];
	unsigned long sum = 0;
	void *aligned = NULL;
	for (long i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, allocates, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < THREADS; i++)
		for (int k = 0; k < BLOCKS; k++) {
			sum = sum * 3 + (unsigned char)blocks[i][k][0];
			free(blocks[i][k]);
		}
	if (posix_memalign(&aligned, 4096, 100000))
		return 1;
	memset(aligned, 1, 100000);
	free(aligned);
	dprintf(1, "sum %lu\n", sum);
	report_work();
	return 3;
}
