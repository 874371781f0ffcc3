/* SPDX-License-Identifier: MIT */
/* storm.c: calls one routine until the process is killed, and publishes how often in a file that survives.
 *
 *     storm FILE             two threads, until another process kills this one; FILE holds pages of zeros
 *     storm FILE CALLS       one thread; the process kills itself after so many calls
 *     storm FILE CALLS end   one thread; main returns after so many calls
 *     storm FILE rests       two threads that rest most of the time: many of these processes can run at once
 *
 * Each process takes a page of FILE: its number, then for each thread calls that began, calls that ended, and the thread's CPU
 * time; then whether main is about to return. What a recording says of a killed process must lie between the calls that ended and those that began. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 2, PAGE = 4096, TIMED_EVERY = 4096, REST_US = 200000 };

struct thread {
	_Atomic uint64_t began, ended, cpu_ns;
};

struct page {
	_Atomic uint64_t pid;
	struct thread of[THREADS];
	_Atomic uint64_t is_ending;
};

static uint64_t most = UINT64_MAX;
static bool has_rests;

/* Both sides of the branch run, and each call reads memory: every lens has something to count. */
__attribute__((noinline)) static uint64_t turn(const uint64_t *from, uint64_t i)
{
	uint64_t sum = i;
	if (i & 1)
		sum ^= from[i & 7];
	for (uint64_t n = 0; n < (i & 7); n++)
		sum += from[n] * i;
	return sum;
}

static uint64_t cpu_ns(void)
{
	struct timespec t = {0};
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void *work(void *of)
{
	struct thread *mine = of;
	uint64_t numbers[8] = {3, 1, 4, 1, 5, 9, 2, 6};
	for (uint64_t i = 0; i < most; i++) {
		atomic_store_explicit(&mine->began, i + 1, memory_order_release);
		numbers[i & 7] = turn(numbers, i);
		atomic_store_explicit(&mine->ended, i + 1, memory_order_release);
		if (i % TIMED_EVERY == 0) {
			atomic_store_explicit(&mine->cpu_ns, cpu_ns(), memory_order_release);
			if (has_rests)
				usleep(REST_US);
		}
	}
	atomic_store_explicit(&mine->cpu_ns, cpu_ns(), memory_order_release);
	return NULL;
}

static struct page *take_page(const char *path)
{
	struct stat s;
	int d = open(path, O_RDWR | O_CLOEXEC);
	if (d < 0 || fstat(d, &s) < 0)
		return NULL;
	char *all = mmap(NULL, (size_t)s.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, d, 0);
	for (off_t at = 0; all != MAP_FAILED && at + PAGE <= s.st_size; at += PAGE) {
		uint64_t none = 0;
		struct page *page = (struct page *)(all + at);
		if (atomic_compare_exchange_strong(&page->pid, &none, (uint64_t)getpid()))
			return page;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct page *mine = argc > 1 ? take_page(argv[1]) : NULL;
	pthread_t other;
	if (!mine)
		return 2;
	has_rests = argc > 2 && !strcmp(argv[2], "rests");
	if (argc > 2 && !has_rests)
		most = strtoull(argv[2], NULL, 10);
	else
		pthread_create(&other, NULL, work, &mine->of[1]);
	work(&mine->of[0]);
	if (argc < 4)
		raise(SIGKILL);
	atomic_store_explicit(&mine->is_ending, 1, memory_order_release);
	return 0;
}
