/* SPDX-License-Identifier: MIT */
/* forms.c: every place where C may spawn, and what comes of it. */
#include <cilk/cilk.h>
#include <stdio.h>
struct big { long a[9]; };
struct pair { int a, b; };
struct wide { double a, b; long c; };
struct two { double a; long b; };
static int calls;
__attribute__((noinline)) static int twice(int x) { calls++; return 2 * x; }
__attribute__((noinline)) static void set(int *p, int v) { calls++; *p = v; }
__attribute__((noinline)) static struct big make_big(int x) { struct big b = {{x, x + 1}}; calls++; b.a[8] = x * 2; return b; }
__attribute__((noinline)) static struct pair make_pair(struct pair p) { calls++; return (struct pair){p.b, p.a}; }
__attribute__((noinline)) static struct wide make_wide(struct wide w) { calls++; w.c++; return w; }
__attribute__((noinline)) static struct two make_two(int x) { calls++; return (struct two){x, x}; }
__attribute__((noinline)) static double half(double x) { calls++; return x / 2; }
__attribute__((noinline)) static int index_of(int i) { calls++; return i & 3; }
__attribute__((noinline)) static _Complex double turn(_Complex double z) { calls++; return z * 2; }
int (*pointer)(int) = twice;
int (*table[2])(int) = {twice, index_of};
struct ops { int (*run)(int); } ops = {twice};
#define SPAWN(f, x) cilk_spawn f(x)
int cilk_reducer(0, twice) total = 0;

int fib(int n)
{
	if (n < 2)
		return n;
	int x = cilk_spawn fib(n - 1), y = fib(n - 2);
	cilk_sync;
	return x + y;
}

static int early(int n)
{
	int x = 0, y = 0;
	cilk_scope {
		x = cilk_spawn twice(n);
		if (n > 3)
			return n;
		y = _Cilk_spawn twice(n + 1);
	}
	cilk_spawn set(&x, x + 1);
	if (n == 2)
		return -1;
	_Cilk_sync;
	return x + y;
}

static long blocks(int n)
{
	long sum = 0, other = 0;
	cilk_spawn {
		int local = twice(n);
		for (int i = 0; i < n; i++) {
			if (i == 3)
				continue;
			sum += local + i;
		}
		if (n > 1) {
			int deep = cilk_spawn twice(7);
			cilk_sync;
			sum += deep;
		}
	}
	cilk_spawn other = twice(n) + 1;
	if (n > 2) cilk_spawn { other++; } else other--;
	cilk_sync;
	return sum * 100 + other;
}

static long loops(int n)
{
	static long a[100];
	int b[100];
	cilk_for (int i = 0; i < n; i++) {
		if (i % 7 == 3)
			continue;
		int x = cilk_spawn twice(i);
		int y = twice(i + 1);
		cilk_sync;
		a[i] = x + y;
	}
	cilk_for (int i = 0; i < n; ++i) b[i] = i * 3;
	cilk_for (int i = n; i > 0; i -= n > 5 ? 2 : 1)
		cilk_spawn set(&b[i - 1], i);
	long s = 0;
	for (int i = 0; i < n; i++)
		s = s * 3 % 1000007 + a[i] + b[i];
	return s;
}

int main(int argc, char **argv)
{
	(void)argv;
	int a[4] = {1, 2, 3, 4}, v = 0;
	unsigned char small = 0;
	struct { unsigned f : 5, g : 7; } bits = {0, 0};
	struct big big; struct pair p = {1, 2}; struct wide w = {1, 2, 3}; struct two t;
	cilk_spawn set(&v, 5 + argc);
	int y = cilk_spawn twice(20);
	a[index_of(6)] += cilk_spawn twice(argc ? twice(3) : 1);
	a[argc] = cilk_spawn pointer(4);
	a[0] -= cilk_spawn (*pointer)(2);
	small = cilk_spawn table[argc - 1](200);
	bits.g = cilk_spawn ops.run(11);
	big = cilk_spawn make_big(3);
	struct big big2 = cilk_spawn make_big(4);
	p = cilk_spawn make_pair(p);
	w = cilk_spawn make_wide(w);
	t = cilk_spawn make_two(9);
	float f = cilk_spawn half(9);
	_Complex double z = cilk_spawn turn(1.5);
	cilk_spawn printf("spawned %d %s\n", argc, "x");
	cilk_spawn twice(1);
	if (argc > 1) y = cilk_spawn twice(1); else y += SPAWN(twice, 2);
	total += cilk_spawn twice(3);
	cilk_sync;
	printf("%d %d %d %d %d %d %d %u %u\n", v, y, a[0], a[1], a[2], a[3], small, bits.f, bits.g);
	printf("%ld %ld %ld %d %d %g %ld %g %ld %g %g %d\n", big.a[0], big.a[8], big2.a[1], p.a, p.b, w.b, w.c, t.a, t.b, f, __real z, total);
	printf("%d %d %d %d\n", fib(15), early(1), early(2), early(5));
	printf("%ld %ld %ld\n", blocks(1), blocks(6), loops(40));
	printf("calls %d\n", calls);
	return 0;
}
