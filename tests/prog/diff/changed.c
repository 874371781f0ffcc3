/* SPDX-License-Identifier: MIT */
/* changed.c: two versions of one program. With -DNEW `slower` makes twice as many calls, `old_name` is called new_name, `removed` and the
 * lock are gone, `added` is new, `becomes_inlined` is part of main, `rare` takes another path, and `quadratic` costs n^2 in place of n. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#ifdef NEW
#define OLD_OR_NEW(old, new) new
#else
#define OLD_OR_NEW(old, new) old
#endif
#define KEPT __attribute__((noinline)) static

static volatile unsigned sink;
static unsigned list[300];
#ifndef NEW
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
#endif

KEPT void steady(void)
{
	for (int i = 0; i < 1000; i++)
		sink += (unsigned)i;
}

KEPT void slower(int n)
{
	for (int i = 0; i < n; i++)
		steady();
}

#ifndef NEW
KEPT void removed(void)
{
	sink++;
}
#endif

KEPT void OLD_OR_NEW(old_name, new_name)(int n)
{
	for (int i = 0; i < n; i++)
		sink ^= 3;
}

OLD_OR_NEW(KEPT, __attribute__((always_inline)) static inline) unsigned becomes_inlined(unsigned x)
{
	return x * 3 + sink;
}

KEPT void rare(unsigned x)
{
	if (x < OLD_OR_NEW(1000, 0) + sink % 2) {
		sink += 1;
		sink += 2;
	} else {
		sink ^= 5;
	}
}

KEPT unsigned quadratic(const unsigned *of, int n)
{
	unsigned sum = 0;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < OLD_OR_NEW(1, n); k++)
			sum += of[i] ^ of[k];
	return sum;
}

#ifdef NEW
KEPT void added(void)
{
	sink--;
}
#endif

static void *body(void *unused)
{
	for (int i = 0; i < 20; i++) {
#ifndef NEW
		pthread_mutex_lock(&table_lock);
		usleep(500);
		pthread_mutex_unlock(&table_lock);
#endif
		usleep(100);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	(void)argv;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, body, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	slower(OLD_OR_NEW(100, 200));
#ifdef NEW
	added();
#else
	removed();
#endif
	OLD_OR_NEW(old_name, new_name)(1000);
	for (int i = 0; i < 50; i++) {
		sink += becomes_inlined((unsigned)argc);
		rare((unsigned)i + 2);
	}
	for (int i = 0; i < 300; i++)
		list[i] = (unsigned)(argc * i);
	for (int n = 10; n <= 300; n += 10)
		sink += quadratic(list, n);
	puts("done");
	return 0;
}
