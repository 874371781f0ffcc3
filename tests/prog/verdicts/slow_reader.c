/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: four threads wait for work, since parse_block, in main, makes it slowly. */
#include <pthread.h>
#include "queue.h"
#include "work.h"
static struct queue q = QUEUE_INITIALIZER;
static volatile int done;
ROUTINE static void parse_block(void)
{
	work_ms(10);
}
ROUTINE static void *consume(void *n)
{
	for (int i = 0; i < 15; i++) {
		queue_take(&q);
		work_ms(2);
	}
	return n;
}
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], 0, consume, 0);
	for (int i = 0; i < 60; i++) {
		parse_block();
		queue_put(&q);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	return 0;
}
