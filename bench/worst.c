/* SPDX-License-Identifier: MIT */
/* worst.c: patterns that cost a lens most, by name; bench/worst.sh records each of them under every lens.
 *
 *     worst NAME [TURNS]     prints cpu_ns of the process; TURNS is 100 by default, and the work grows with it */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline)) static
enum { CELLS = 1 << 18, MIB = 1 << 20 };
static volatile long sink;
static unsigned state = 1;
static unsigned next(void) { return state = state * 1664525u + 1013904223u; }

/* ---- memory ---- */

static int *here, *there; /* so far apart */

static void place(long mib)
{
	char *at = mmap(NULL, (size_t)(mib + 16) * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		abort();
	here = (int *)at;
	there = (int *)(at + mib * MIB);
	for (int i = 0; i < CELLS; i++) {
		here[i] = i;
		there[i] = (int)(next() >> 8) % CELLS;
	}
}

APART void copies(int *restrict to, const int *restrict from, long n)
{
	for (long i = 0; i < n; i++)
		to[i] = from[i] + 1;
}

APART void averages(float *restrict to, const float *restrict from, long n)
{
	for (long i = 1; i < n - 1; i++)
		to[i] = from[i - 1] + from[i] + from[i + 1];
}

APART long gathers(const int *from, const int *at, long n)
{
	long sum = 0;
	for (long i = 0; i < n; i++)
		sum += from[at[i]];
	return sum;
}

APART void scatters(int *to, const int *at, long n)
{
	for (long i = 0; i < n; i++)
		to[at[i]] = (int)i;
}

static void copy_near(long turns)
{
	place(16);
	for (long t = 0; t < 40 * turns; t++)
		copies(here, there, CELLS);
}

static void copy_far(long turns)
{
	place(32);
	for (long t = 0; t < 40 * turns; t++)
		copies(here, there, CELLS);
}

static void stencil(long turns)
{
	place(16);
	for (long t = 0; t < 20 * turns; t++)
		averages((float *)here, (const float *)there, CELLS);
}

static void gather(long turns)
{
	place(16);
	for (long t = 0; t < 2 * turns; t++) {
		sink += gathers(here, there, CELLS);
		((volatile int *)here)[0] = (int)t; /* not once for all */
	}
}

static void scatter(long turns)
{
	place(16);
	for (long t = 0; t < 10 * turns; t++)
		scatters(here, there, CELLS);
}

static void team_sum(long turns)
{
	place(16);
	for (long t = 0; t < 10 * turns; t++) {
		long sum = 0;
#pragma omp parallel for num_threads(4) reduction(+ : sum)
		for (long i = 0; i < CELLS; i++)
			sum += there[i];
		sink += sum;
	}
}

static void team_stencil(long turns)
{
	place(16);
	for (long t = 0; t < 6 * turns; t++) {
		float *to = (float *)(t % 2 ? here : there), *from = (float *)(t % 2 ? there : here);
#pragma omp parallel for num_threads(4)
		for (long i = 1; i < CELLS - 1; i++)
			to[i] = (from[i - 1] + from[i] + from[i + 1]) / 3;
	}
}

static void team_gather(long turns)
{
	place(16);
	for (long t = 0; t < 5 * turns; t++) {
		long sum = 0;
#pragma omp parallel for num_threads(4) reduction(+ : sum)
		for (long i = 0; i < CELLS; i++)
			sum += here[there[i]];
		sink += sum;
	}
}

enum { SIDE = 96 };
static double left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];

APART double dot(const double *a, const double *b, long stride)
{
	double sum = 0;
	for (long i = 0; i < SIDE; i++)
		sum += a[i] * b[i * stride];
	return sum;
}

static void team_dots(long turns)
{
	for (long t = 0; t < 5 * turns; t++) {
#pragma omp parallel for num_threads(4)
		for (int i = 0; i < SIDE; i++)
			for (int k = 0; k < SIDE; k++)
				product[i][k] = dot(left[i], &right[0][k], SIDE);
	}
}

/* ---- calls ---- */

APART int tiny(int x) { return x * 3 + 1; }

static void tiny_calls(long turns)
{
	int x = 1;
	for (long i = 0; i < turns * 2000000; i++)
		x = tiny(x);
	sink = x;
}

APART long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static void recursion(long turns)
{
	for (long t = 0; t < 2 * turns; t++) {
		int n = 25;
		__asm__ volatile("" : "+r"(n)); /* not once for all */
		sink += fib(n);
	}
}

typedef int operation(int);
APART int add_one(int x) { return x + 1; }
APART int twice(int x) { return x * 2; }
APART int negate(int x) { return -x; }
static operation *const operations[] = {add_one, twice, negate, tiny};

static void by_pointer(long turns)
{
	int x = 1;
	for (long i = 0; i < turns * 400000; i++)
		x = operations[next() >> 30](x);
	sink = x;
}

/* ---- paths ---- */

/* An interpreter: a switch in a loop. */
static void interpreter(long turns)
{
	enum { CODE = 1024 };
	unsigned char code[CODE];
	long x = 1, y = 2;
	for (int i = 0; i < CODE; i++)
		code[i] = (unsigned char)(next() >> 29);
	for (long i = 0; i < turns * 2000000; i++)
		switch (code[i % CODE]) {
		case 0: x += y; break;
		case 1: y ^= x; break;
		case 2: x = x > y ? x - y : y - x; break;
		case 3: y += i; break;
		case 4: x <<= 1; break;
		case 5: x >>= 2; break;
		case 6: y = ~y; break;
		default: x = y; break;
		}
	sink = x;
}

/* More paths through a body than an array can count. */
APART int branches(unsigned bits)
{
	int sum = 0;
	for (int i = 0; i < 30; i++) {
		__asm__ volatile("" : "+r"(sum)); /* a branch, not arithmetic */
		if (bits >> i & 1)
			sum += i;
	}
	return sum;
}

static void many_paths(long turns)
{
	for (long i = 0; i < turns * 100000; i++)
		sink += branches(next());
}

/* ---- threads and tasks ---- */

static int to_other[2], to_me[2];

static void *answers(void *turns)
{
	char c;
	for (long i = 0; i < *(long *)turns; i++)
		if (read(to_other[0], &c, 1) != 1 || write(to_me[1], &c, 1) != 1)
			abort();
	return NULL;
}

/* On one core: what a switch costs, not where the other thread woke up. */
static void pipes(long turns)
{
	long wakes = turns * 500;
	cpu_set_t one;
	pthread_t thread;
	char c = 0;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof one, &one);
	if (pipe(to_other) || pipe(to_me))
		abort();
	pthread_create(&thread, NULL, answers, &wakes);
	for (long i = 0; i < wakes; i++)
		if (write(to_other[1], &c, 1) != 1 || read(to_me[0], &c, 1) != 1)
			abort();
	pthread_join(thread, NULL);
}

static void *locks(void *lock)
{
	for (int i = 0; i < 1000000; i++) {
		pthread_mutex_lock(lock);
		sink++;
		pthread_mutex_unlock(lock);
	}
	return NULL;
}

static void contended(long turns)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	for (long t = 0; t < turns / 10 + 1; t++) {
		pthread_t thread[2];
		for (int i = 0; i < 2; i++)
			pthread_create(&thread[i], NULL, locks, &lock);
		for (int i = 0; i < 2; i++)
			pthread_join(thread[i], NULL);
	}
}

static void *briefly(void *unused)
{
	for (int i = 0; i < 1000; i++)
		__asm__ volatile("");
	return unused;
}

static void short_threads(long turns)
{
	for (long t = 0; t < turns * 100; t++) {
		pthread_t thread;
		pthread_create(&thread, NULL, briefly, NULL);
		pthread_join(thread, NULL);
	}
}

static void nest(long depth)
{
	for (int i = 0; i < 20000; i++)
		__asm__ volatile("");
	if (depth == 0)
		return;
#pragma omp task
	nest(depth - 1);
#pragma omp taskwait
}

/* A task in a task in a task. */
static void nested_tasks(long turns)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	nest(turns * 50);
}

static void search(int depth)
{
	for (int i = 0; depth && i < 2; i++) {
#pragma omp task
		search(depth - 1);
	}
#pragma omp taskwait
}

static void tiny_tasks(long turns)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (long t = 0; t < turns; t++)
		search(12);
}

/* ---- all ---- */

static const struct {
	const char *name;
	void (*run)(long turns);
} patterns[] = {
	{"copy-near", copy_near},
	{"copy-far", copy_far},
	{"stencil", stencil},
	{"gather", gather},
	{"scatter", scatter},
	{"team-sum", team_sum},
	{"team-stencil", team_stencil},
	{"team-gather", team_gather},
	{"team-dots", team_dots},
	{"tiny-calls", tiny_calls},
	{"recursion", recursion},
	{"by-pointer", by_pointer},
	{"interpreter", interpreter},
	{"many-paths", many_paths},
	{"pipes", pipes},
	{"contended", contended},
	{"short-threads", short_threads},
	{"nested-tasks", nested_tasks},
	{"tiny-tasks", tiny_tasks},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

int main(int argc, char **argv)
{
	long turns = argc > 2 ? atol(argv[2]) : 100;
	struct timespec t;
	for (int i = 0; i < PATTERNS; i++) {
		if (argc == 1)
			puts(patterns[i].name);
		else if (!strcmp(argv[1], patterns[i].name)) {
			patterns[i].run(turns);
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
			printf("cpu_ns %lld\n", t.tv_sec * 1000000000LL + t.tv_nsec);
			return 0;
		}
	}
	return argc > 1 ? 2 : 0;
}
