/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* A thread waits for each of 400 semaphores, more than a lane has rows for; then a forked child does the same. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OBJECTS = 400 };

static sem_t gate[OBJECTS];

__attribute__((noinline)) static void pass(int i)
{
	while (sem_wait(&gate[i]))
		;
}

__attribute__((noinline)) static void *pass_all(void *none)
{
	for (int i = 0; i < OBJECTS; i++)
		pass(i);
	return none;
}

static void open_all(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, pass_all, NULL);
	for (int i = 0; i < OBJECTS; i++) {
		usleep(500);
		sem_post(&gate[i]);
	}
	pthread_join(thread, NULL);
}

int main(void)
{
	for (int i = 0; i < OBJECTS; i++)
		sem_init(&gate[i], 0, 0);
	open_all();
	if (fork() == 0) {
		open_all();
		exit(0);
	}
	wait(NULL);
	return 0;
}
