/* SPDX-License-Identifier: MIT */
/* spread.c: two threads that each do ten different things, one after another.
 * True cause: the number of threads; none of the ten has more than a tenth of the span, as long as their loops are not unrolled differently. */
#include <pthread.h>

static volatile unsigned sink;

#define THING(name)                                                \
	__attribute__((noinline)) static void name(unsigned times) \
	{                                                          \
		_Pragma("clang loop unroll(disable)")              \
		for (unsigned i = 0; i < times; i++)               \
			sink = i;                                  \
	}
THING(a) THING(b) THING(c) THING(d) THING(e) THING(f) THING(g) THING(h) THING(i) THING(j)

static void *worker(void *unused)
{
	a(100001), b(100002), c(100003), d(100004), e(100005), f(100006), g(100007), h(100008), i(100009), j(100010);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int t = 0; t < 2; t++)
		pthread_create(&threads[t], NULL, worker, NULL);
	for (int t = 0; t < 2; t++)
		pthread_join(threads[t], NULL);
	return 0;
}
