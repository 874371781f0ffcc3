/* flags: -pthread */
/* tiny.c COUNT: calls a routine of a few instructions COUNT times, in the main thread and in another one. Hooks around such a
 * routine take longer than the routine itself. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int count;

__attribute__((noinline)) static int tiny(int x)
{
	return x * 3 + 1;
}

__attribute__((noinline)) static int many(void)
{
	int x = 1;
	for (int i = 0; i < count; i++)
		x = tiny(x);
	return x;
}

static void *start(void *result)
{
	*(int *)result = many();
	return NULL;
}

int main(int arguments, char **argument)
{
	pthread_t thread;
	int there = 0;
	count = arguments > 1 ? atoi(argument[1]) : 1000;
	if (pthread_create(&thread, NULL, start, &there) != 0)
		return 1;
	int here = many();
	pthread_join(thread, NULL);
	printf("expect tiny %d\nexpect many 2\n", 2 * count);
	return here != there;
}
