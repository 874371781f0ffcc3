/* Loops that a compiler makes vectors of: with masks, gathered, scattered. Each cell is read once, and only where the mask says so. */
#include "expect.h"

enum { N = 512 };
static int mask[N], values[N], places[N], results[N];

ROUTINE static int some(const int *restrict m, const int *restrict a, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		if (m[i] > 0)
			sum += a[i];
	return sum;
}

ROUTINE static void store_some(const int *restrict m, int *restrict to, int n)
{
	for (int i = 0; i < n; i++)
		if (m[i] > 0)
			to[i] = 7;
}

ROUTINE static int gathers(const int *restrict at, const int *restrict a, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += a[at[i]];
	return sum;
}

ROUTINE static int written_and_read(const int *restrict m, int *restrict to, int n) /* what the mask leaves out was not written */
{
	store_some(m, to, n);
	return some(m, to, n);
}

int main(void)
{
	int total = 0;
	for (int i = 0; i < N; i++)
		mask[i] = i % 3 == 0, values[i] = i, places[i] = i / 2;
	for (int n = 64; n <= N; n *= 2) {
		total += some(mask, values, n);
		store_some(mask, results, n);
		total += gathers(places, values, n);
		total += written_and_read(mask, results, n);
		expect("some", "all", n + (n + 2) / 3, 2);
		expect("store_some", "all", n, 2);
		expect("gathers", "all", n + n / 2, 1);
		expect("written_and_read", "all", n, 1);
	}
	return total == 0;
}
