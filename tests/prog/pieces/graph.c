/* SPDX-License-Identifier: MIT */
/* graph.c: what a call graph of two objects can look like. With SECOND it is the second one. */
#include <stdio.h>
#include <stdlib.h>

int leaf(int x), fib(int n), even(int n), odd(int n), weak(int x), other_name(int x), table(int which, int x), quiet(const char *text);
int again(int depth, int (*next)(int)), back_here(int x), strong(int x);
void each(int (*what)(int), int count);
extern int (*const methods[2])(int);

#ifndef SECOND
__attribute__((weak)) int weak(int x) { return x + 1; }
__attribute__((noinline)) static int helper(int x) { return leaf(x) + leaf(x + 1); }
static int callback(int x) { return helper(x) + fib(3); }
int back_here(int x) { return x > 90 ? helper(x) : again(x, back_here); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int compare(const void *a, const void *b) { return leaf(*(const int *)a) - leaf(*(const int *)b); }
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 12, list[32];
	long sum = 0;
	for (int i = 0; i < 32; i++)
		list[i] = (i * 7919) % 101;
	qsort(list, 32, sizeof *list, compare);
	for (int i = 0; i < n; i++)
		sum += helper(i) + fib(i % 9) + even(i) + weak(i) + other_name(i) + table(i, list[i % 32]) + quiet(argv[0]);
	each(callback, n);
	printf("%ld %d\n", sum, back_here(80) + methods[n & 1](n) + strong(n));
	return 0;
}
#else
#include <string.h>
int leaf(int x) { int s = 0; for (int i = 0; i < x % 7 + 3; i++) s += x * i ^ s; return s; }
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int weak(int x) { return leaf(x) * 2; }
int one_name(int x) { return leaf(x) + 5; }
int other_name(int x) __attribute__((alias("one_name")));
static int first(int x) { return leaf(x); }
static int second(int x) { return x * 2 + fib(2); }
int (*const methods[2])(int) = {first, second};
int table(int which, int x) { return methods[which & 1](x); }
int quiet(const char *text) { return strlen(text) > 0; }
void each(int (*what)(int), int count) { for (int i = 0; i < count; i++) { volatile int r = what(i) + leaf(i); (void)r; } }
int again(int depth, int (*next)(int)) { return leaf(depth) + next(depth + 5); }
__attribute__((pure)) int strong(int x) { return leaf(x) + (x > 0 ? strong(x - 1) : 0); }
#endif
