/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* entered: worker */
/* run: 2 22 */
/* run: 4 22 */
/* run: 16 20 */
/* The same recursion in many threads at once: no call may be lost. */
#include <pthread.h>
#include <stdlib.h>
#include "../count.h"

static unsigned n;

ROUTINE static unsigned long fib(unsigned k)
{
	return k < 2 ? k : fib(k - 1) + fib(k - 2);
}

ROUTINE static void *worker(void *sum)
{
	*(unsigned long *)sum = fib(n);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned threads = argc > 1 ? (unsigned)atoi(argv[1]) : 2;
	n = argc > 2 ? (unsigned)atoi(argv[2]) : 20;
	pthread_t thread[64];
	unsigned long sum[64], all = 0;
	for (unsigned i = 0; i < threads && i < 64; i++)
		pthread_create(&thread[i], NULL, worker, &sum[i]);
	for (unsigned i = 0; i < threads && i < 64; i++) {
		pthread_join(thread[i], NULL);
		all += sum[i];
	}
	printf("%lu\n", all);
	fflush(stdout);
	expect("fib", threads * fib_calls(n));
	expect("worker", threads);
	arc("main", "worker", threads);
	arc("worker", "fib", threads);
	expect("main", 1);
	return 0;
}
