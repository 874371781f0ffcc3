/* SPDX-License-Identifier: MIT */
/* sorts.c: insertion sort against merge sort, on arrays of more and more numbers.
 *
 *     sorts [LARGEST]
 *
 * `skein record input` finds that insertion_sort grows like n^2 and merge_sort like n log n, whatever the computer: where the lines cross, and what ten times
 * the input would cost, can be read from a run of a second. Sizes are numbers that a call reads: merge_sort calls itself, so small sizes are there in plenty. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void insertion_sort(int *a, int n)
{
	for (int i = 1; i < n; i++) {
		int x = a[i], j = i;
		for (; j > 0 && a[j - 1] > x; j--)
			a[j] = a[j - 1];
		a[j] = x;
	}
}

static void merge(int *a, int half, int n, int *room)
{
	int i = 0, j = half, k = 0;
	while (i < half && j < n)
		room[k++] = a[i] <= a[j] ? a[i++] : a[j++];
	while (i < half)
		room[k++] = a[i++];
	while (j < n)
		room[k++] = a[j++];
	for (i = 0; i < n; i++)
		a[i] = room[i];
}

static void merge_sort(int *a, int n, int *room)
{
	if (n < 2)
		return;
	merge_sort(a, n / 2, room);
	merge_sort(a + n / 2, n - n / 2, room);
	merge(a, n / 2, n, room);
}

static void fill(int *a, int n)
{
	unsigned random = (unsigned)n;
	for (int i = 0; i < n; i++) {
		random = random * 1664525u + 1013904223u;
		a[i] = (int)(random >> 8);
	}
}

static int is_sorted(const int *a, int n)
{
	int sorted = 1;
	for (int i = 1; i < n; i++)
		sorted &= a[i - 1] <= a[i];
	return sorted;
}

int main(int argc, char **argv)
{
	int largest = argc > 1 ? atoi(argv[1]) : 2000, right = 1, arrays = 0;
	if (largest < 10) {
		fputs("usage: sorts [LARGEST], 10 or more\n", stderr);
		return 2;
	}
	for (int n = 10; n <= largest; n += n / 5) {
		int *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b), *room = malloc((size_t)n * sizeof *room);
		if (!a || !b || !room)
			return 1;
		fill(a, n);
		fill(b, n);
		insertion_sort(a, n);
		merge_sort(b, n, room);
		right = right && is_sorted(b, n) && memcmp(a, b, (size_t)n * sizeof *a) == 0;
		arrays++;
		free(a);
		free(b);
		free(room);
	}
	printf("%d arrays of up to %d numbers, sorted in two ways: %s\n", arrays, largest, right ? "right" : "wrong");
	return !right;
}
