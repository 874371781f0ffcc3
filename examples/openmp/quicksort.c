/* SPDX-License-Identifier: MIT */
/* quicksort.c, with OpenMP: sorts random 64-bit numbers. The two halves are sorted in parallel, but each is first parted off by one thread.
 *
 *     quicksort [COUNT]
 *
 * The first call of partition() passes over the whole array, the next over about half of it, and so on: the span is a few times
 * COUNT, the work COUNT x log(COUNT). A profile should show a parallelism below 10, and nearly all of the span in the call of
 * partition from pqsort. Making and checking the numbers is parallel and does not count. The time goes to stderr. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COARSENING = 32, BLOCK = 16384 };

static long partition(int64_t *array, long low, long high)
{
	int64_t pivot = array[low + (high - low) / 2];
	long l = low - 1, r = high;
	for (;;) {
		do
			l++;
		while (array[l] < pivot);
		do
			r--;
		while (array[r] > pivot);
		if (l >= r)
			return l == low ? l + 1 : l;
		int64_t other = array[l];
		array[l] = array[r];
		array[r] = other;
	}
}

static void insertion_sort(int64_t *array, long low, long high)
{
	for (long i = low + 1; i < high; i++) {
		int64_t item = array[i];
		long j = i;
		for (; j > low && array[j - 1] > item; j--)
			array[j] = array[j - 1];
		array[j] = item;
	}
}

static void pqsort(int64_t *array, long low, long high)
{
	if (high - low < COARSENING) {
		insertion_sort(array, low, high);
		return;
	}
	long part = partition(array, low, high);
#pragma omp task
	pqsort(array, low, part);
#pragma omp task
	pqsort(array, part, high);
#pragma omp taskwait
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

static double seconds(void)
{
	struct timespec now;
	timespec_get(&now, TIME_UTC);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 10000000;
	if (count < 1) {
		fprintf(stderr, "usage: quicksort [COUNT]\n");
		return 2;
	}
	long blocks = (count + BLOCK - 1) / BLOCK;
	int64_t *array = malloc((size_t)count * sizeof *array);
	struct survey *parts = malloc((size_t)blocks * sizeof *parts);
	if (!array || !parts)
		return 2;
#pragma omp parallel for
	for (long i = 0; i < blocks; i++)
		fill(array, i * BLOCK, i + 1 < blocks ? (i + 1) * BLOCK : count);
	struct survey before = survey(array, count, parts);

	double start = seconds();
#pragma omp parallel
#pragma omp single
	pqsort(array, 0, count);
	fprintf(stderr, "sorted in %.2f s\n", seconds() - start);

	struct survey after = survey(array, count, parts);
	int right = after.disorders == 0 && after.sum == before.sum;
	printf("quicksort of %ld numbers, sum %016llx: %s\n", count, (unsigned long long)after.sum, right ? "right" : "wrong");
	free(parts);
	free(array);
	return !right;
}
