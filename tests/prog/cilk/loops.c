/* SPDX-License-Identifier: MIT */
/* loops.c: cilk_for in every form whose iterations can be counted, and in some that cannot. */
#include <cilk/cilk.h>
#include <stdio.h>
static long a[5000], m[40][40];
__attribute__((noinline)) static long twice(long x) { return 2 * x; }

static long digest(const long *from, long count)
{
	long s = 0;
	for (long i = 0; i < count; i++)
		s = (s * 31 + from[i]) % 1000003;
	return s;
}

static void clear(void) { for (int i = 0; i < 5000; i++) a[i] = i % 7; }
#define SHOW(what) printf("%s %ld\n", what, digest(a, 5000)), clear()

static void up(int n) { cilk_for (int i = 0; i < n; i++) a[i] = twice(i); }
static void outer_variable(int n) { int i; long add = n; cilk_for (i = 1; i <= n; ++i) a[i] += add; }
static void unsigned_down(unsigned n) { cilk_for (unsigned u = n; u > 3; u -= 2) a[u] = u + 1; }
static void exchanged(long n) { cilk_for (long q = -n; n >= q; q += 3) a[q + n] = q; }
static void narrow(void) { cilk_for (unsigned char c = 250; c >= 100; c -= 50) a[c] = c; cilk_for (short s = -5; s != 5; s++) a[s + 5] = s; }
static void pointers(long *from, long *to) { cilk_for (long *p = from; p != to; ++p) *p = p - from; cilk_for (long *p = to - 1; p >= from; p--) *p += 1; }
static void negative(int n, int step) { cilk_for (int i = n; i > 0; i += step) a[i] = i * 3; }
static void wide(void) { cilk_for (int i = -2000000000; i < 2000000000; i += 1000000) a[i / 1000000 + 2000] = i % 1000; }
static void squares(int n) { cilk_for (int i = 1; i * i < n; i++) a[i] = i; }   /* cannot be counted */
static void doubling(int n) { cilk_for (int i = 1; i < n; i = i * 2) a[i] = i; } /* nor this */

static void spawning(int n)
{
	cilk_for (int i = 0; i < n; i++) {
		if (i % 7 == 3)
			continue;
		long x = cilk_spawn twice(i), y = twice(i + 1);
		cilk_sync;
		a[i] = x + y;
	}
}

static void nested(int n)
{
	cilk_for (int i = 0; i < n; i++) {
		long row = i * 10, seen[3] = {i, i, i};
		cilk_for (int j = n - 1; j >= 0; j--) {
			long v = row;
			if (j == 3)
				continue;
			v += j + seen[j % 3];
			m[i][j] = v;
		}
	}
}

static long local_results(int n)
{
	long sums[64] = {0}, total = 0;
	int bits = 64;
	cilk_for (int k = 0; k < bits; k++) {
		long sum = 0;
		for (int i = 0; i < n; i++)
			sum += i ^ k;
		sums[k] = sum;
	}
	for (int k = 0; k < bits; k++)
		total += sums[k] * k;
	return total;
}

int main(void)
{
	clear();
	up(0), SHOW("none");
	up(-5), SHOW("fewer than none");
	up(1), SHOW("one");
	up(2), SHOW("two");
	up(5000), SHOW("many");
	outer_variable(3000), SHOW("a variable from outside");
	unsigned_down(4000), SHOW("unsigned, down");
	unsigned_down(0), SHOW("unsigned, none");
	exchanged(1000), SHOW("sides exchanged");
	narrow(), SHOW("narrow types");
	pointers(a, a + 5000), SHOW("pointers");
	pointers(a, a), SHOW("no pointers");
	negative(4000, -3), SHOW("a negative stride");
	wide(), SHOW("a wide range");
	squares(2000), SHOW("squares");
	doubling(4000), SHOW("doubling");
	spawning(2000), SHOW("spawning");
	nested(40), printf("nested %ld\n", digest(&m[0][0], 1600));
	printf("results %ld\n", local_results(1000));
	return 0;
}
