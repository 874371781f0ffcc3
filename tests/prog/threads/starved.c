/* SPDX-License-Identifier: MIT */
/* starved.c: a program that has little memory, few descriptors or no environment, and prints what it could do all the
 * same. `starved MODE…` runs the modes one after the other; what a recording may not change is what it prints. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 30 };

static jmp_buf back;
static pthread_barrier_t meet;
static char *const *arguments;

/* Ways to be called that lenses treat apart: recursion, a leaf, a pointer, a jump, a callback of foreign code. */
__attribute__((noinline)) static unsigned long fib(unsigned n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__attribute__((noinline)) static unsigned long leaf(unsigned long x)
{
	return x * 2654435761u + 1;
}

__attribute__((noinline)) static unsigned long two(unsigned long x)
{
	return leaf(leaf(x));
}

__attribute__((noinline)) static void jump(unsigned depth)
{
	if (!depth)
		longjmp(back, 1);
	jump(depth - 1);
}

static int compare(const void *x, const void *y)
{
	int a = *(const int *)x, b = *(const int *)y;
	return (a > b) - (a < b);
}

static unsigned long sort(unsigned long seed)
{
	int numbers[64];
	for (int i = 0; i < 64; i++)
		numbers[i] = (int)((seed = leaf(seed)) >> 40);
	qsort(numbers, 64, sizeof *numbers, compare);
	return (unsigned long)(numbers[0] + numbers[63]);
}

static unsigned long (*volatile by_pointer)(unsigned long) = two;

static unsigned long work(unsigned long seed)
{
	unsigned long sum = fib(12);
	for (unsigned long i = 0; i < 200; i++)
		sum += two(i + seed) + by_pointer(i);
	return sum + sort(seed);
}

static void *thread(void *number)
{
	unsigned long sum = work((unsigned long)number);
	pthread_barrier_wait(&meet);
	return (void *)(sum + work(sum));
}

/* All threads live at once, so that each has its own stack. */
static void start_threads(unsigned wanted)
{
	pthread_t all[THREADS];
	unsigned long sum = 0, count = 0;
	void *result;
	pthread_barrier_init(&meet, NULL, wanted);
	while (count < wanted && pthread_create(&all[count], NULL, thread, (void *)count) == 0)
		count++;
	printf("threads: %lu of %u\n", count, wanted);
	if (count < wanted)
		exit(3);
	for (unsigned i = 0; i < count; i++) {
		pthread_join(all[i], &result);
		sum += (unsigned long)result;
	}
	printf("sum of all: %lu\n", sum);
}

static void limit(int what, unsigned long to)
{
	struct rlimit r;
	getrlimit(what, &r);
	r.rlim_cur = to;
	if (setrlimit(what, &r))
		perror("setrlimit");
}

/* The child of a vfork has the parent's memory, and runs its code. */
static void child_of_vfork(void)
{
	int status;
	pid_t child = vfork();
	if (!child)
		_exit(two(1) == two(1) && fib(5) == 5 ? 7 : 8);
	waitpid(child, &status, 0);
	printf("vfork: %d\n", WEXITSTATUS(status));
}

static void child_of_fork(void)
{
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		start_threads(4);
		fflush(stdout);
		_exit((int)(work(3) % 100));
	}
	waitpid(child, &status, 0);
	printf("fork: status %d\n", status);
}

static volatile sig_atomic_t handled;
static void handle(int number)
{
	handled += (int)(two((unsigned long)number) != 0);
}

static void without_environment(void)
{
	char *rest[] = {arguments[0], "work", "threads", NULL};
	fflush(stdout);
	clearenv();
	execv("/proc/self/exe", rest);
	perror("exec");
}

static void run(const char *mode)
{
	if (strcmp(mode, "work") == 0) {
		if (!setjmp(back))
			jump(3);
		signal(SIGUSR1, handle);
		raise(SIGUSR1);
		printf("work: %lu, handled %d\n", work(1), (int)handled);
	} else if (strcmp(mode, "threads") == 0) {
		start_threads(8);
	} else if (strcmp(mode, "addresses") == 0) {
		limit(RLIMIT_AS, 300ul << 20);
		start_threads(THREADS);
	} else if (strcmp(mode, "files") == 0) {
		signal(SIGXFSZ, SIG_IGN);
		limit(RLIMIT_FSIZE, 0);
		start_threads(THREADS);
	} else if (strcmp(mode, "descriptors") == 0) {
		limit(RLIMIT_NOFILE, 3);
		start_threads(THREADS);
	} else if (strcmp(mode, "vfork") == 0) {
		child_of_vfork();
	} else if (strcmp(mode, "fork") == 0) {
		child_of_fork();
	} else if (strcmp(mode, "exec") == 0) {
		without_environment();
	}
}

int main(int argc, char **argv)
{
	arguments = argv;
	for (int i = 1; i < argc; i++)
		run(argv[i]);
	return 42;
}
