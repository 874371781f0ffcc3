/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* entered: worker */
/* A pool whose jobs make jobs: divide() hands one half to the pool, does the other half itself, and helps (runs other
 * jobs, so enters divide again) until its own are done. The same routine is active in several workers, and several
 * times in one. */
#include <pthread.h>
#include <stdlib.h>
#include "../count.h"

enum { WORKERS = 4, LEVELS = 12, QUEUE = 8192 };

struct job {
	unsigned level;
	int done;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct job *queue[QUEUE];
static unsigned queued;
static int stop;
COUNTED(divide);
COUNTED(leaf);
COUNTED(submit);

ROUTINE static void submit(struct job *job)
{
	COUNT(submit);
	pthread_mutex_lock(&lock);
	queue[queued++] = job;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

ROUTINE static void leaf(void)
{
	COUNT(leaf);
	for (volatile int i = 0; i < 2000; i++)
		;
}

ROUTINE static void divide(struct job *job);

/* Runs jobs until *done, or, if done is NULL, until the pool stops. The lock is held when it is called and left. */
ROUTINE static void help(const int *done)
{
	while (done ? !*done : !stop) {
		if (queued) {
			struct job *job = queue[--queued];
			pthread_mutex_unlock(&lock);
			divide(job);
			pthread_mutex_lock(&lock);
			job->done = 1;
			pthread_cond_broadcast(&changed);
		} else {
			pthread_cond_wait(&changed, &lock);
		}
	}
}

ROUTINE static void divide(struct job *job)
{
	COUNT(divide);
	if (job->level == 0) {
		leaf();
		return;
	}
	struct job half = {.level = job->level - 1}, mine = half;
	submit(&half);
	divide(&mine);
	pthread_mutex_lock(&lock);
	help(&half.done);
	pthread_mutex_unlock(&lock);
}

ROUTINE static void *worker(void *unused)
{
	pthread_mutex_lock(&lock);
	help(NULL);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread[WORKERS];
	struct job all = {.level = LEVELS};
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&thread[i], NULL, worker, NULL);
	divide(&all);
	pthread_mutex_lock(&lock);
	stop = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(thread[i], NULL);
	expect("divide", (2u << LEVELS) - 1);
	expect("leaf", 1u << LEVELS);
	expect("submit", (1u << LEVELS) - 1);
	expect("worker", WORKERS);
	return count_of_divide != (2u << LEVELS) - 1 || count_of_leaf != 1u << LEVELS || count_of_submit != (1u << LEVELS) - 1;
}
