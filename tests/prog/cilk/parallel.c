/* SPDX-License-Identifier: MIT */
/* parallel.c: every place where C may spawn, without a race: the same output serially and on any number of workers. */
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct big { long a[9]; };
struct pair { int a, b; };
struct wide { double a, b; long c; };
struct two { double a; long b; };
__attribute__((noinline)) static int twice(int x) { return 2 * x; }
__attribute__((noinline)) static void set(int *p, int v) { *p = v; }
__attribute__((noinline)) static struct big make_big(struct big b, int x) { b.a[0] += x; b.a[8] = x * 2; return b; }
__attribute__((noinline)) static struct pair make_pair(struct pair p) { return (struct pair){p.b, p.a}; }
__attribute__((noinline)) static struct wide make_wide(struct wide w) { w.c++; return w; }
__attribute__((noinline)) static struct two make_two(int x) { return (struct two){x, x}; }
__attribute__((noinline)) static double half(double x) { return x / 2; }
__attribute__((noinline)) static _Complex double turn(_Complex double z) { return z * 2; }
__attribute__((noinline)) static long many(char a, short b, int c, long d, float e, double f, unsigned char g, long h, long i, double j) { return a + b + c + d + (long)e + (long)f + g + h + i + (long)j; }
static int (*pointer)(int) = twice;

static long fib(long n)
{
	if (n < 2)
		return n;
	long x = cilk_spawn fib(n - 1), y = fib(n - 2);
	cilk_sync;
	return x + y;
}

static int sum(int count, ...)
{
	int s = 0, t = 0;
	__builtin_va_list all;
	__builtin_va_start(all, count);
	for (int i = 0; i < count; i++)
		s += __builtin_va_arg(all, int);
	__builtin_va_end(all);
	t = cilk_spawn twice(s);
	cilk_sync;
	return t;
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
	int z = x;
	cilk_spawn set(&x, z + 1);
	if (n == 2)
		return -1;
	_Cilk_sync;
	return x + y;
}

/* Each run of a block has its own variables. */
static long blocks(int n)
{
	long out[16], sum = 0;
	for (int i = 0; i < n; i++) {
		int k = i;
		long *to = &out[i];
		cilk_scope {
			cilk_spawn {
				int local[4];
				for (int j = 0; j < 4; j++) {
					if (j == 2) { local[j] = 1; continue; }
					local[j] = twice(k + j);
				}
				int deep = cilk_spawn twice(7);
				cilk_sync;
				*to = local[0] + local[1] + local[2] + local[3] + deep;
			}
		}
	}
	long a[4] = {0, 0, 0, 0};
	for (int i = 0; i < 4; i++) {
		long *p = &a[i];
		set((int *)p, i);
	}
	cilk_spawn { int v = 5; for (int i = 0; i < 100; i++) v += twice(i); a[0] = v; }
	cilk_spawn { int v = 6; for (int i = 0; i < 100; i++) v += twice(i); a[1] = v; }
	cilk_spawn a[2] = twice(n) + 1;
	cilk_sync;
	for (int i = 0; i < n; i++)
		sum = sum * 7 % 1000003 + out[i];
	return sum + a[0] + a[1] * 10 + a[2] * 100 + a[3];
}

/* What a function owns outlives what it has spawned, to the sync at its end. */
__attribute__((noinline)) static void fill(long *a, int n, long *out)
{
	long s = 0;
	for (int i = 0; i < n; i++)
		a[i] = twice(i);
	for (int i = 0; i < n; i++)
		s += a[i];
	*out = s;
}
static void owns(int n, long *out)
{
	long a[n], b[100];
	cilk_spawn fill(a, n, &out[0]);
	cilk_spawn fill(b, 100, &out[1]);
	if (n > 500)
		return;
	out[2]++;
}

/* The same block beside itself. */
static long tickets(int n)
{
	static int next;
	static long out[100];
	long sum = 0;
	next = 0;
	for (int i = 0; i < n; i++)
		cilk_spawn {
			int mine = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
			volatile long slow = 0;
			for (int j = 0; j < 2000; j++)
				slow += mine;
			out[mine] = slow;
		}
	cilk_sync;
	for (int i = 0; i < n; i++)
		sum = (sum * 31 + out[i]) % 1000003;
	return sum;
}

static void quick(int *from, int *to)
{
	if (to - from < 2)
		return;
	int pivot = from[(to - from) / 2], *low = from, *high = to - 1;
	while (low <= high) {
		while (*low < pivot) low++;
		while (*high > pivot) high--;
		if (low <= high) { int t = *low; *low++ = *high; *high-- = t; }
	}
	cilk_spawn quick(from, high + 1);
	quick(low, to);
	cilk_sync;
}

static long sorted(int n)
{
	int *a = malloc((size_t)n * sizeof *a);
	unsigned x = 12345;
	long s = 0;
	for (int i = 0; i < n; i++)
		a[i] = (int)((x = x * 1103515245 + 12345) >> 8 & 0xffff);
	quick(a, a + n);
	for (int i = 0; i < n; i++)
		s = (s * 31 + a[i]) % 1000003;
	for (int i = 1; i < n; i++)
		if (a[i - 1] > a[i])
			s = -1;
	free(a);
	return s;
}

int main(void)
{
	int a[8] = {0}, v = 0;
	unsigned char small = 0;
	struct { unsigned f : 5, g : 7; } bits = {0, 0};
	struct big big = {{1, 2}}; struct pair p = {1, 2}, q; struct wide w = {1, 2, 3}, u; struct two t;
	cilk_spawn set(&v, 5);
	int y = cilk_spawn twice(20);
	a[1] += cilk_spawn twice(twice(3));
	a[2] = cilk_spawn pointer(4);
	a[3] -= cilk_spawn (*pointer)(2);
	small = cilk_spawn twice(200);
	struct big big2 = cilk_spawn make_big(big, 4);
	q = cilk_spawn make_pair(p);
	u = cilk_spawn make_wide(w);
	t = cilk_spawn make_two(9);
	float f = cilk_spawn half(9);
	_Complex double z = cilk_spawn turn(1.5);
	long m = cilk_spawn many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
	cilk_spawn memset(&a[4], 1, 2 * sizeof a[4]);
	cilk_sync;
	bits.g = cilk_spawn twice(11);
	cilk_sync;
	printf("%d %d %d %d %d %d %d %u %u %d %d\n", v, y, a[0], a[1], a[2], a[3], small, bits.f, bits.g, a[4], a[5]);
	printf("%ld %ld %ld %d %d %g %ld %g %ld %g %g %ld\n", big.a[0], big2.a[8], big2.a[1], q.a, q.b, u.b, u.c, t.a, t.b, f, __real z, m);
	printf("%ld %d %d %d %d\n", fib(20), early(1), early(2), early(5), sum(3, 1, 2, 3));
	long out[3] = {0, 0, 0}, owned = 0;
	for (int n = 1; n < 1000; n += 7) {
		owns(n, out);
		owned = (owned * 31 + out[0] + out[1] + out[2]) % 1000003;
	}
	printf("%ld %ld %ld %ld\n", blocks(8), tickets(100), sorted(20000), owned);
	return __cilkrts_get_nworkers() < 1 || __cilkrts_get_worker_number() != 0;
}
