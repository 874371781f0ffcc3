/* SPDX-License-Identifier: MIT */
/* input.c: the programs that bench/input.sh measures, by their first argument; the second is the number of threads, the third says how much is done.
 *
 *     input memory THREADS ROUNDS   each thread for itself: arrays of 16 MB are added up, read at random and counted into a table
 *     input calls THREADS ROUNDS    each thread for itself: recursion with next to no work, and a walk over a tree
 *     input team THREADS ROUNDS     one team, OpenMP: a product of matrices by rows, a stencil, a sum of all
 *     input sums TURNS              a routine is called TURNS times, and accesses memory 10,000 times each, word by word
 *     input sizes COUNT             … is called with COUNT different sizes
 *
 * All print `check N`, by which runs can be compared. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

static uint32_t next(uint32_t x)
{
	return x * 1664525u + 1013904223u;
}

/* ---- memory ---- */

enum { ITEMS_LOG2 = 22, ITEMS = 1 << ITEMS_LOG2, BINS_LOG2 = 16 };

APART static void triad(uint32_t *restrict a, const uint32_t *b, const uint32_t *c)
{
	for (int i = 0; i < ITEMS; i++)
		a[i] = b[i] + 3 * c[i];
}

APART static uint64_t gather(const uint32_t *a)
{
	uint32_t x = 1;
	uint64_t sum = 0;
	for (int i = 0; i < ITEMS; i++)
		sum += a[(x = next(x)) >> (32 - ITEMS_LOG2)];
	return sum;
}

APART static void histogram(uint32_t *bins)
{
	uint32_t x = 7;
	for (int i = 0; i < ITEMS; i++)
		bins[(x = next(x)) >> (32 - BINS_LOG2)]++;
}

static uint64_t memory(int rounds)
{
	uint32_t *a = malloc(ITEMS * sizeof *a), *b = malloc(ITEMS * sizeof *b), *c = malloc(ITEMS * sizeof *c);
	uint64_t sum = 0;
	if (!a || !b || !c)
		abort();
	for (uint32_t i = 0; i < ITEMS; i++) {
		b[i] = i;
		c[i] = i * 7;
	}
	for (int r = 0; r < rounds; r++) {
		triad(a, b, c);
		sum += gather(a);
		histogram(b);
	}
	free(a);
	free(b);
	free(c);
	return sum;
}

/* ---- calls ---- */

struct node {
	struct node *left, *right;
};

APART static unsigned fib(unsigned n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

APART static unsigned height(const struct node *t)
{
	if (!t)
		return 0;
	unsigned left = height(t->left), right = height(t->right);
	return 1 + (left > right ? left : right);
}

static struct node *tree(struct node **from, int levels)
{
	if (!levels)
		return NULL;
	struct node *t = (*from)++;
	t->left = tree(from, levels - 1);
	t->right = tree(from, levels - 1);
	return t;
}

static uint64_t calls(int rounds)
{
	enum { LEVELS = 14, FIB = 24 };
	struct node *nodes = malloc(sizeof *nodes << LEVELS), *at = nodes, *root = nodes ? tree(&at, LEVELS) : NULL;
	volatile unsigned n = FIB;
	uint64_t sum = 0;
	for (int r = 0; r < rounds; r++)
		sum += fib(n) + height(root);
	free(nodes);
	return sum;
}

/* ---- team ---- */

enum { SIDE = 320 };
typedef double row[SIDE];

APART static void multiply(row *restrict c, const row *a, const row *b)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < SIDE; i++)
		for (int k = 0; k < SIDE; k++) {
			double x = a[i][k];
			for (int j = 0; j < SIDE; j++)
				c[i][j] += x * b[k][j];
		}
}

APART static void smooth(row *restrict to, const row *from)
{
#pragma omp parallel for schedule(static)
	for (int i = 1; i < SIDE - 1; i++)
		for (int j = 1; j < SIDE - 1; j++)
			to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}

APART static double add_up(const row *a)
{
	double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++)
			sum += a[i][j] > 1 ? a[i][j] : 1;
	return sum;
}

static uint64_t team(int rounds)
{
	row *a = calloc(SIDE, sizeof *a), *b = calloc(SIDE, sizeof *b), *c = calloc(SIDE, sizeof *c);
	double sum = 0;
	if (!a || !b || !c)
		abort();
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++) {
			a[i][j] = i % 8;
			b[i][j] = j % 4;
		}
	for (int r = 0; r < rounds; r++) {
		memset(c, 0, SIDE * sizeof *c);
		multiply(c, a, b);
		for (int turn = 0; turn < 10; turn++) {
			smooth(b, a);
			smooth(a, b);
		}
		sum += add_up(a) + c[3][4];
	}
	free(a);
	free(b);
	free(c);
	return (uint64_t)sum;
}

/* ---- endurance ---- */

APART static uint64_t sum_of(const uint32_t *items, size_t count, int turns)
{
	uint64_t sum = 0;
	for (int t = 0; t < turns; t++) {
#pragma clang loop vectorize(disable) unroll(disable)
		for (size_t i = 0; i < count; i++)
			sum += items[i];
		__asm__ volatile("" : : "r"(items) : "memory");
	}
	return sum;
}

static uint64_t sums(long turns)
{
	static uint32_t items[1000];
	uint64_t sum = 0;
	for (long t = 0; t < turns; t++) {
		items[t % 1000]++;
		sum += sum_of(items, 1000, 10);
	}
	return sum;
}

static uint64_t sizes(long count)
{
	uint32_t *items = calloc((size_t)count, sizeof *items);
	uint64_t sum = 0;
	for (long n = 1; items && n <= count; n++)
		sum += sum_of(items, (size_t)n, 1);
	free(items);
	return sum;
}

/* ---- which ---- */

static uint64_t each(uint64_t (*work)(int), int rounds)
{
	uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
	sum += work(rounds);
	return sum;
}

int main(int count, char **words)
{
	const char *what = count > 2 ? words[1] : "";
	int rounds = count > 3 ? atoi(words[3]) : 1;
	uint64_t sum;
	if (strcmp(what, "sums") == 0) {
		sum = sums(atol(words[2]));
	} else if (strcmp(what, "sizes") == 0) {
		sum = sizes(atol(words[2]));
	} else {
		omp_set_num_threads(*what ? atoi(words[2]) : 1);
		if (strcmp(what, "memory") == 0)
			sum = each(memory, rounds);
		else if (strcmp(what, "calls") == 0)
			sum = each(calls, rounds);
		else if (strcmp(what, "team") == 0)
			sum = team(rounds);
		else
			return 2;
	}
	printf("check %llu\n", (unsigned long long)sum);
	return 0;
}
