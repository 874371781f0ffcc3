/* queue.h: a bounded queue of blocks without content, by a lock and two conditions. */
#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>

enum { QUEUE_ROOM = 4 };

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t filled, emptied;
	int blocks;
};

#define QUEUE_INITIALIZER {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, 0}

__attribute__((noinline)) static void queue_put(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	while (q->blocks == QUEUE_ROOM)
		pthread_cond_wait(&q->emptied, &q->lock);
	q->blocks++;
	pthread_cond_signal(&q->filled);
	pthread_mutex_unlock(&q->lock);
}

__attribute__((noinline)) static void queue_take(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	while (q->blocks == 0)
		pthread_cond_wait(&q->filled, &q->lock);
	q->blocks--;
	pthread_cond_signal(&q->emptied);
	pthread_mutex_unlock(&q->lock);
}

#endif
