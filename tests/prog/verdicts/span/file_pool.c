/* SPDX-License-Identifier: MIT */
/* file_pool.c: two threads that spend their time in a library function, of which only a model is known, and one that waits for its whole life for
 * something to write.
 * True cause: not known with the clock insn; a parallelism is a guess, and the wait of the writer orders nothing. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void *formats(void *unused)
{
	char text[64];
	for (int i = 0; i < 200000; i++)
		snprintf(text, sizeof text, "%d %f", i, i / 3.0);
	pthread_mutex_lock(&lock);
	done++;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *writes(void *unused)
{
	pthread_mutex_lock(&lock);
	while (done < 2)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, i == 2 ? writes : formats, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
