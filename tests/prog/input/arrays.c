/* Sizes of arrays: sums, insertion sort, recursion, a local array, and a loop that reads what it wrote. */
#include <string.h>
#include "expect.h"

enum { N = 60 };
static int array[N];

ROUTINE static int sum(const volatile int *a, int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += a[i];
	return s;
}

ROUTINE static void insertion_sort(volatile int *a, int n)
{
	for (int i = 1; i < n; i++) {
		int x = a[i], j = i;
		for (; j > 0 && a[j - 1] > x; j--)
			a[j] = a[j - 1];
		a[j] = x;
	}
}

/* Each activation reads its own cell, and with those that it calls all the cells above it. */
ROUTINE static int recursive(const volatile int *a, int n)
{
	return n == 1 ? a[0] : a[0] + recursive(a + 1, n - 1);
}

ROUTINE static int own_array(int n)
{
	volatile int a[N];
	for (int i = 0; i < n; i++)
		a[i] = i;
	return sum(a, n) + sum(a, n);
}

ROUTINE static void increment(volatile int *a, int n)
{
	for (int i = 0; i < n; i++)
		a[i]++;
}

int main(void)
{
	int total = 0;
	for (int n = 1; n <= N; n++) {
		for (int i = 0; i < N; i++)
			((volatile int *)array)[i] = N - i;
		total += sum(array, n);
		total += sum(array, n);
		insertion_sort(array, n);
		increment(array, n);
		total += recursive(array, n);
		total += own_array(n);
		expect("sum", "all", n, 4);
		if (n > 1) /* of one there is nothing to compare */
			expect("insertion_sort", "all", n, 1);
		expect("increment", "all", n, 1);
		expect("recursive", "all", n, N - n + 1);
	}
	expect("own_array", "all", 0, N);
	expect_induced("sum", 0, 0);
	return total == 0;
}
