/* SPDX-License-Identifier: MIT */
/* mergesort.c, with OpenMP: sorts random 64-bit numbers by halves, and merges the halves in parallel too: the middle of the longer one is
 * looked up in the other, and what is below it is merged beside what is above.
 *
 *     mergesort [COUNT]
 *
 * Nothing passes over the whole array serially, so the span is little more than one serial base case and grows like log^3(COUNT):
 * a parallelism of thousands, where quicksort has ten. A profile should show what span there is in merge_serial, the base case
 * of every merge on the way: a smaller one would shorten it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSERTION = 24, SERIAL = 2048, BLOCK = 4096 };

static void insertion_sort(int64_t *array, long count)
{
	for (long i = 1; i < count; i++) {
		int64_t item = array[i];
		long j = i;
		for (; j > 0 && array[j - 1] > item; j--)
			array[j] = array[j - 1];
		array[j] = item;
	}
}

static void merge_serial(int64_t *out, const int64_t *x, long x_count, const int64_t *y, long y_count)
{
	while (x_count > 0 && y_count > 0) {
		int first = *x <= *y;
		*out++ = first ? *x : *y;
		x += first;
		x_count -= first;
		y += !first;
		y_count -= !first;
	}
	memcpy(out, x, (size_t)x_count * sizeof *out);
	memcpy(out + x_count, y, (size_t)y_count * sizeof *out);
}

/* How many of the sorted items are smaller than this one. */
static long count_below(const int64_t *array, long count, int64_t item)
{
	long low = 0, high = count;
	while (low < high) {
		long middle = low + (high - low) / 2;
		if (array[middle] < item)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void merge(int64_t *out, const int64_t *x, long x_count, const int64_t *y, long y_count)
{
	if (x_count + y_count <= SERIAL) {
		merge_serial(out, x, x_count, y, y_count);
		return;
	}
	if (x_count < y_count) {
		merge(out, y, y_count, x, x_count);
		return;
	}
	long half = x_count / 2;
	long below = count_below(y, y_count, x[half]);
	out[half + below] = x[half];
#pragma omp task
	merge(out, x, half, y, below);
#pragma omp task
	merge(out + half + below + 1, x + half + 1, x_count - half - 1, y + below, y_count - below);
#pragma omp taskwait
}

/* Sorts `array`; the result goes to `other` if `moved`, else it stays. Halves are sorted to where the merge then takes them from. */
static void sort_serial(int64_t *array, int64_t *other, long count, int moved)
{
	if (count <= INSERTION) {
		insertion_sort(array, count);
		if (moved)
			memcpy(other, array, (size_t)count * sizeof *array);
		return;
	}
	long half = count / 2;
	sort_serial(array, other, half, !moved);
	sort_serial(array + half, other + half, count - half, !moved);
	const int64_t *from = moved ? array : other;
	merge_serial(moved ? other : array, from, half, from + half, count - half);
}

static void sort(int64_t *array, int64_t *other, long count, int moved)
{
	if (count <= SERIAL) {
		sort_serial(array, other, count, moved);
		return;
	}
	long half = count / 2;
#pragma omp task
	sort(array, other, half, !moved);
#pragma omp task
	sort(array + half, other + half, count - half, !moved);
#pragma omp taskwait
	const int64_t *from = moved ? array : other;
	merge(moved ? other : array, from, half, from + half, count - half);
}

/* Numbers that look random and are the same in every run, on any number of threads. */
static void fill(int64_t *array, long low, long high)
{
	for (long i = low; i < high; i++) {
		uint64_t x = ((uint64_t)i + 1) * 0x9e3779b97f4a7c15;
		x = (x ^ x >> 32) * 0xd1342543de82ef95;
		array[i] = (int64_t)(x ^ x >> 29);
	}
}

struct survey {
	uint64_t sum;
	long disorders;
};

static void look_at(struct survey *survey, const int64_t *array, long low, long high)
{
	survey->sum = 0;
	survey->disorders = 0;
	for (long i = low; i < high; i++) {
		survey->sum += (uint64_t)array[i];
		survey->disorders += i > 0 && array[i - 1] > array[i];
	}
}

static struct survey survey(const int64_t *array, long count, struct survey *parts)
{
	struct survey all = {0, 0};
	long blocks = (count + BLOCK - 1) / BLOCK;
#pragma omp parallel for
	for (long i = 0; i < blocks; i++)
		look_at(&parts[i], array, i * BLOCK, i + 1 < blocks ? (i + 1) * BLOCK : count);
	for (long i = 0; i < blocks; i++) {
		all.sum += parts[i].sum;
		all.disorders += parts[i].disorders;
	}
	return all;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 10000000;
	if (count < 1) {
		fprintf(stderr, "usage: mergesort [COUNT]\n");
		return 2;
	}
	long blocks = (count + BLOCK - 1) / BLOCK;
	int64_t *array = malloc((size_t)count * sizeof *array), *other = malloc((size_t)count * sizeof *other);
	struct survey *parts = malloc((size_t)blocks * sizeof *parts);
	if (!array || !other || !parts)
		return 2;
#pragma omp parallel for
	for (long i = 0; i < blocks; i++)
		fill(array, i * BLOCK, i + 1 < blocks ? (i + 1) * BLOCK : count);
	struct survey before = survey(array, count, parts);
#pragma omp parallel
#pragma omp single
	sort(array, other, count, 0);
	struct survey after = survey(array, count, parts);
	int right = after.disorders == 0 && after.sum == before.sum;
	printf("mergesort of %ld numbers, sum %016llx: %s\n", count, (unsigned long long)after.sum, right ? "right" : "wrong");
	free(parts);
	free(other);
	free(array);
	return !right;
}
