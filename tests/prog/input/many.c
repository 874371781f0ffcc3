/* flags: -pthread */
/* input_many deep: a stack of a million activations. input_many threads: ten thousand threads, one after another. */
#include <pthread.h>
#include <string.h>
#include "expect.h"

enum { DEPTH = 1000000, THREADS = 10000, CELLS = 5 };
static volatile int cells[CELLS], sink;

ROUTINE static int down(int depth)
{
	return depth == 1 ? cells[0] : down(depth - 1) + sink;
}

ROUTINE static void *dive(void *unused)
{
	sink = down(DEPTH);
	return unused;
}

ROUTINE static void *look(void *unused)
{
	for (int i = 0; i < CELLS; i++)
		sink = cells[i];
	return unused;
}

int main(int count, char **words)
{
	pthread_t thread;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	if (count == 2 && strcmp(words[1], "deep") == 0) {
		pthread_attr_setstacksize(&attributes, 256u << 20);
		if (pthread_create(&thread, &attributes, dive, NULL) != 0)
			return 1;
		pthread_join(thread, NULL);
		expect_calls("down", DEPTH);
		expect("down", "rms", 1, 1);
		expect("down", "rms", 2, DEPTH - 1);
		return 0;
	}
	for (int i = 0; i < THREADS; i++) {
		if (pthread_create(&thread, NULL, look, NULL) != 0)
			return 1;
		pthread_join(thread, NULL);
	}
	expect("look", "rms", CELLS, THREADS);
	return 0;
}
