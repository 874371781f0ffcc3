/* SPDX-License-Identifier: MIT */
/* narrow.c HOW: works on stacks that have hardly more room than what the program itself needs. Below each is memory that must not be touched.
 *
 *     alternate BYTES   has an alternate signal stack of that size, and never uses it
 *     handled BYTES     works in a handler on such a stack, of BYTES beyond what the kernel takes
 *     left BYTES        the same, but leaves its handler by longjmp
 *     before BYTES      the handler is there before the stack
 *     thread            a thread with the smallest stack, of which it uses 6000 bytes
 *     default           a thread with attributes that say nothing of its stack, of which it uses 2 MiB
 *     own               a thread on a stack that the program brings along
 *
 * Prints what it sees of its own actions and masks. */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { GUARD = 1 << 16 };

static volatile unsigned long sink;
static jmp_buf back;

static long cpu_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

__attribute__((noinline)) static void work(long ms)
{
	for (long end = cpu_ms() + ms; cpu_ms() < end;)
		for (int i = 0; i < 2000; i++)
			sink += (unsigned long)i;
}

/* Ends at `bytes` behind the result; what is before it cannot be touched. */
static char *stack_of(size_t bytes)
{
	size_t whole = (bytes + 4095) & ~(size_t)4095;
	char *at = mmap(NULL, GUARD + whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED || mprotect(at, GUARD, PROT_NONE) != 0)
		exit(3);
	return at + GUARD;
}

static void show(const char *what, const sigset_t *set)
{
	printf("%s:", what);
	for (int i = 1; i < NSIG; i++)
		if (sigismember(set, i) == 1)
			printf(" %d", i);
	puts("");
}

static void on_user(int number)
{
	(void)number;
	work(150);
}

static void on_user_leave(int number)
{
	(void)number;
	work(50);
	longjmp(back, 1);
}

static void set_alternate(size_t bytes)
{
	stack_t stack = {.ss_sp = stack_of(bytes), .ss_size = bytes}, now;
	if (sigaltstack(&stack, NULL) != 0 || sigaltstack(NULL, &now) != 0)
		exit(3);
	printf("alternate stack: %d %zu\n", now.ss_flags, now.ss_size);
}

static void set_handler(void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK}, old;
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGUSR2);
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR1, NULL, &old);
	show("mask of the action", &old.sa_mask);
	printf("flags %d, %s\n", old.sa_flags & ~0x04000000, old.sa_handler == handler ? "as set" : "another");
}

static void handle(const char *how, size_t bytes)
{
	int leaves = strcmp(how, "left") == 0, before = strcmp(how, "before") == 0;
	sigset_t set;
	if (!before)
		set_alternate(bytes);
	set_handler(leaves ? on_user_leave : on_user);
	if (before)
		set_alternate(bytes);
	if (!setjmp(back))
		raise(SIGUSR1);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_UNBLOCK, &set, NULL); /* longjmp does not */
	sigprocmask(SIG_BLOCK, NULL, &set);
	show("mask", &set);
	work(150);
	sigpending(&set);
	show("pending", &set);
}

/* All of it: the compiler must not see what is left unused. */
__attribute__((noinline)) static void use(char *room, size_t bytes)
{
	memset(room, 1, bytes);
	__asm__ volatile("" ::"r"(room) : "memory");
}

static void *on_small(void *unused)
{
	char room[6000];
	use(room, sizeof room);
	work(150);
	use(room, sizeof room);
	return unused;
}

static void *on_large(void *unused)
{
	char room[2 << 20];
	use(room, sizeof room);
	return unused;
}

static void in_thread(const pthread_attr_t *attr, void *(*run)(void *))
{
	pthread_t thread;
	void *result = NULL;
	printf("created: %d\n", pthread_create(&thread, attr, run, &thread));
	pthread_join(thread, &result);
	puts(result == &thread ? "joined" : "wrong");
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	size_t bytes = argc > 2 ? (size_t)atol(argv[2]) : 0, frame = getauxval(AT_MINSIGSTKSZ);
	pthread_attr_t attr;
	setvbuf(stdout, NULL, _IOLBF, 0);
	pthread_attr_init(&attr);
	if (strcmp(how, "alternate") == 0) {
		set_alternate(bytes);
		work(150);
	} else if (strcmp(how, "thread") == 0) {
		pthread_attr_setstacksize(&attr, (size_t)PTHREAD_STACK_MIN);
		in_thread(&attr, on_small);
	} else if (strcmp(how, "default") == 0) {
		in_thread(&attr, on_large);
	} else if (strcmp(how, "own") == 0) {
		pthread_attr_setstack(&attr, stack_of(1 << 15), 1 << 15);
		in_thread(&attr, on_small);
	} else {
		handle(how, (frame ? frame : 4096) + bytes);
	}
	puts("done");
	return 0;
}
