/* SPDX-License-Identifier: MIT */
/* Calls through pointers, each counted by the program itself: tables of functions, a sort with a callback, a pointer to a
 * library's function, OpenMP tasks, threads and a signal handler. Prints `expect CALLER TARGET COUNT`. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
enum { KINDS = 5, CALLS = 20000, NUMBERS = 500, TASKS = 300, THREADS = 40, ROUNDS = 100 };

static _Atomic unsigned sink;

static NOINLINE void red(unsigned n) { sink += n; }
static NOINLINE void green(unsigned n) { sink ^= n + 1; }
static NOINLINE void blue(unsigned n) { sink -= n + 2; }
static NOINLINE void grey(unsigned n) { sink += 3 * n; }
static NOINLINE void never(unsigned n) { sink |= n; }
static void (*volatile table[KINDS])(unsigned) = {red, green, blue, grey, never};
static const char *const names[KINDS] = {"red", "green", "blue", "grey", "never"};

static unsigned next_random(unsigned *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return *seed >> 16;
}

static void expect(const char *caller, const unsigned long *counts)
{
	for (int i = 0; i < KINDS; i++)
		if (counts[i])
			printf("expect %s %s %lu\n", caller, names[i], counts[i]);
}

/* Mostly red, seldom grey. */
static NOINLINE void random_table(void)
{
	unsigned long counts[KINDS] = {0};
	unsigned seed = 7;
	for (unsigned i = 0; i < CALLS; i++) {
		unsigned r = next_random(&seed) % 100, kind = r < 60 ? 0 : r < 85 ? 1 : r < 99 ? 2 : 3;
		counts[kind]++;
		table[kind](i);
	}
	expect("random_table", counts);
}

static unsigned long ups, downs;
static NOINLINE int up(int a, int b) { ups++; return a < b ? -1 : a > b; }
static NOINLINE int down(int a, int b) { downs++; return a > b ? -1 : a < b; }

static NOINLINE void sort(int *numbers, int count, int (*order)(int, int))
{
	for (int i = 1; i < count; i++)
		for (int j = i; j > 0 && order(numbers[j - 1], numbers[j]) > 0; j--) {
			int other = numbers[j];
			numbers[j] = numbers[j - 1];
			numbers[j - 1] = other;
		}
}

static NOINLINE void sorts(int (*volatile first)(int, int), int (*volatile second)(int, int))
{
	int numbers[NUMBERS];
	unsigned seed = 3;
	for (int i = 0; i < NUMBERS; i++)
		numbers[i] = (int)next_random(&seed);
	sort(numbers, NUMBERS, first);
	sort(numbers, NUMBERS / 2, second);
	printf("expect sort up %lu\nexpect sort down %lu\n", ups, downs);
}

static NOINLINE void library(void)
{
	int (*volatile convert)(const char *) = atoi;
	int (*volatile print)(const char *) = puts;
	for (int i = 0; i < 12; i++)
		sink += (unsigned)convert("12");
	print("expect library atoi 12");
	puts("expect library puts 1");
}

static NOINLINE void task_body(unsigned kind)
{
	table[kind](kind);
}

static NOINLINE void tasks(void)
{
	unsigned long counts[KINDS] = {0};
	unsigned seed = 11;
	for (int i = 0; i < TASKS; i++) {
		unsigned kind = next_random(&seed) % (KINDS - 1);
		counts[kind]++;
#pragma omp task firstprivate(kind)
		task_body(kind);
	}
#pragma omp taskwait
	expect("task_body", counts);
}

static unsigned long by_threads[KINDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static NOINLINE void *thread(void *argument)
{
	unsigned seed = (unsigned)(size_t)argument;
	unsigned long counts[KINDS] = {0};
	for (unsigned i = 0; i < ROUNDS; i++) {
		unsigned kind = next_random(&seed) % (KINDS - 1);
		counts[kind]++;
		table[kind](i);
	}
	pthread_mutex_lock(&lock);
	for (int i = 0; i < KINDS; i++)
		by_threads[i] += counts[i];
	pthread_mutex_unlock(&lock);
	return NULL;
}

/* In four batches, so that lanes are used again. */
static void threads(void)
{
	pthread_t all[THREADS / 4];
	for (int batch = 0; batch < 4; batch++) {
		for (size_t i = 0; i < THREADS / 4; i++)
			pthread_create(&all[i], NULL, thread, (void *)(i + 1));
		for (int i = 0; i < THREADS / 4; i++)
			pthread_join(all[i], NULL);
	}
	expect("thread", by_threads);
}

static volatile unsigned long signals;

static NOINLINE void on_signal(int number)
{
	(void)number;
	signals++;
	table[signals % 2](1);
}

/* A handler that interrupts calls through pointers, and makes some. */
static NOINLINE void interrupted(void)
{
	unsigned long counts[KINDS] = {0}, handled[KINDS] = {0};
	struct itimerval every = {{0, 200}, {0, 200}}, off = {{0, 0}, {0, 0}};
	signal(SIGALRM, on_signal);
	setitimer(ITIMER_REAL, &every, NULL);
	for (unsigned i = 0; signals < 200 || i < 3000; i++) {
		counts[i % 3]++;
		table[i % 3](i);
	}
	setitimer(ITIMER_REAL, &off, NULL);
	expect("interrupted", counts);
	handled[0] = signals / 2;
	handled[1] = signals - handled[0];
	expect("on_signal", handled);
}

/* A child's calls are not the parent's. */
static NOINLINE void forks(void)
{
	unsigned long counts[KINDS] = {0};
	fflush(stdout);
	for (int i = 0; i < 10; i++)
		table[counts[0]++ % 1](1);
	pid_t child = fork();
	if (child < 0)
		exit(1);
	for (int i = 0; i < (child ? 5 : 1000); i++) {
		counts[1] += child != 0;
		table[1](2);
	}
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	expect("forks", counts);
}

static NOINLINE void killed(void)
{
	unsigned long counts[KINDS] = {0};
	for (unsigned i = 0; i < 1000; i++) {
		counts[i % 4]++;
		table[i % 4](i);
	}
	expect("killed", counts);
	fflush(stdout);
	raise(SIGKILL);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "killed") == 0)
		killed();
	if (argc > 1 && strcmp(argv[1], "interrupted") == 0) {
		interrupted();
		return 0;
	}
	random_table();
	sorts(up, down);
	library();
	tasks();
	threads();
	forks();
	return 0;
}
