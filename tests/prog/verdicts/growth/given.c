/* flags: -O2 -g -pthread */
/* True cause: pairs compares each item with each other: it grows like n^2. Routines that are given a function cost what that
 * function costs:
 *
 *     apply        n with sum, n^2 with pairs, each at its own half of the sizes: no curve of its own; pairs grows like n^2
 *     once         as apply, but the thread that gives it sum is not the one that gives it pairs
 *     by_library   as apply, through qsort: a comparison that reads one item, or all of them
 *     each         n, with twice and thrice, which cost the same: one curve
 *     only         n^2, with one function behind its pointer: one curve
 *     stages       n, with the same three functions, cheap and dear, in each call: one curve */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUTINE __attribute__((noinline))
enum { MOST = 2048 };

static int items[MOST];
static volatile long sink;

ROUTINE static long sum(const int *a, int n)
{
	long s = 0;
	for (int i = 0; i < n; i++)
		s += a[i] ^ (s >> 3);
	return s;
}

ROUTINE static long pairs(const int *a, int n)
{
	long s = 0;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++)
			s += a[i] < (a[k] ^ (s >> 9));
	return s;
}

ROUTINE static long first(const int *a, int n)
{
	return a[n / 2];
}

ROUTINE static long twice(const int *a, int n)
{
	long s = 1;
	for (int i = 0; i < n; i++)
		s += 2 * a[i] ^ (s >> 2);
	return s;
}

ROUTINE static long thrice(const int *a, int n)
{
	long s = 2;
	for (int i = 0; i < n; i++)
		s += 3 * a[i] ^ (s >> 2);
	return s;
}

typedef long function(const int *a, int n);

ROUTINE static long apply(function *f, const int *a, int n)
{
	return f(a, n) + 1;
}

ROUTINE static long once(function *f, const int *a, int n)
{
	return f(a, n) + 2;
}

ROUTINE static long each(function *f, const int *a, int n)
{
	return f(a, n) + 3;
}

ROUTINE static long only(function *f, const int *a, int n)
{
	return f(a, n) + 4;
}

ROUTINE static long stages(function *const *f, const int *a, int n)
{
	return f[0](a, n) + f[1](a, n) + f[2](a, n);
}

static int many;

ROUTINE static int by_value(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

ROUTINE static int by_rank(const void *a, const void *b)
{
	int rank = 0;
	for (int i = 0; i < many; i++)
		rank += (items[i] < *(const int *)a) - (items[i] < *(const int *)b);
	return rank;
}

ROUTINE static void by_library(int *a, int n, int (*compare)(const void *, const void *))
{
	many = n;
	qsort(a, (size_t)n, sizeof *a, compare);
}

static void *others(void *unused)
{
	for (int n = 8; n <= MOST / 4; n += n / 4)
		sink += once(pairs, items, n);
	return unused;
}

int main(void)
{
	static function *const three[] = {first, sum, twice};
	function *volatile any[] = {sum, pairs, twice, thrice};
	static int copy[MOST];
	pthread_t thread;
	for (int i = 0; i < MOST; i++)
		items[i] = i * 7919 % MOST;
	for (int n = 8, turn = 0; n <= MOST / 4; n += n / 8, turn++) {
		sink += apply(any[turn % 2], items, n);
		sink += each(any[2 + turn % 2], items, n);
		sink += only(any[1], items, n);
		sink += stages(three, items, n);
		sink += once(any[0], items, n);
		for (int i = 0; i < n; i++)
			copy[i] = items[i] ^ turn;
		by_library(copy, n, turn % 2 ? by_value : by_rank);
	}
	if (pthread_create(&thread, NULL, others, NULL) == 0)
		pthread_join(thread, NULL);
	puts("right");
	return 0;
}
