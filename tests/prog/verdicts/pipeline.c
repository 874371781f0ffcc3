/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: of three stages that are one thread each, compress_all is by far the slowest; the others wait for it. */
#include <pthread.h>
#include "queue.h"
#include "work.h"

enum { BLOCKS = 40 };

static struct queue read_blocks = QUEUE_INITIALIZER, packed_blocks = QUEUE_INITIALIZER;

ROUTINE static void *read_all(void *none)
{
	for (int i = 0; i < BLOCKS; i++) {
		work_ms(1);
		queue_put(&read_blocks);
	}
	return none;
}

ROUTINE static void *compress_all(void *none)
{
	for (int i = 0; i < BLOCKS; i++) {
		queue_take(&read_blocks);
		work_ms(20);
		queue_put(&packed_blocks);
	}
	return none;
}

ROUTINE static void *write_all(void *none)
{
	for (int i = 0; i < BLOCKS; i++) {
		queue_take(&packed_blocks);
		work_ms(1);
	}
	return none;
}

int main(void)
{
	void *(*const stages[])(void *) = {read_all, compress_all, write_all};
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, stages[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
