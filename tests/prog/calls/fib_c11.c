/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* entered: worker */
/* C11 threads, with their mutex and join. */
#include <threads.h>
#include "../count.h"

enum { THREADS = 4, N = 20 };
static mtx_t lock;
static unsigned long sum;

ROUTINE static unsigned long fib(unsigned n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

ROUTINE static void add(unsigned long value)
{
	mtx_lock(&lock);
	sum += value;
	mtx_unlock(&lock);
}

ROUTINE static int worker(void *n)
{
	add(fib(*(unsigned *)n));
	return 7;
}

int main(void)
{
	thrd_t thread[THREADS];
	unsigned n = N;
	int results = 0, result;
	mtx_init(&lock, mtx_plain);
	for (int i = 0; i < THREADS; i++)
		thrd_create(&thread[i], worker, &n);
	for (int i = 0; i < THREADS; i++) {
		thrd_join(thread[i], &result);
		results += result;
	}
	printf("%lu %d\n", sum, results);
	fflush(stdout);
	expect("fib", THREADS * fib_calls(N));
	expect("add", THREADS);
	expect("worker", THREADS);
	arc("main", "worker", THREADS);
	return 0;
}
