/* SPDX-License-Identifier: MIT */
/* library.c: two threads spend their time in a library function of which only a model is known.
 * True cause: not known with the clock insn; a parallelism is a guess. */
#include <pthread.h>
#include <stdio.h>

static void *formats(void *unused)
{
	char text[64];
	for (int i = 0; i < 100000; i++)
		snprintf(text, sizeof text, "%d %f", i, i / 3.0);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, formats, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
