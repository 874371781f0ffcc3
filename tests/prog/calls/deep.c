/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* entered: worker */
/* Recursion a million deep, on a stack that has room for it. */
#include <pthread.h>
#include "../count.h"

enum { DEPTH = 1000000 };

ROUTINE static unsigned down(volatile unsigned *depth)
{
	return --*depth ? down(depth) + 1 : 1;
}

ROUTINE static void *worker(void *result)
{
	volatile unsigned depth = DEPTH;
	*(unsigned *)result = down(&depth);
	return NULL;
}

int main(void)
{
	pthread_attr_t big;
	pthread_t thread;
	unsigned result = 0;
	pthread_attr_init(&big);
	pthread_attr_setstacksize(&big, (size_t)1 << 30);
	if (pthread_create(&thread, &big, worker, &result))
		return 1;
	pthread_join(thread, NULL);
	dprintf(1, "%u\n", result);
	expect("down", DEPTH);
	expect("worker", 1);
	return 0;
}
