/* SPDX-License-Identifier: MIT */
/* orders PART: ways to wait, or not to, whose counts are known; prints `done PART`. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <skein/skein.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define CALLED __attribute__((noinline, noclone))
#define STAYS() __asm__ volatile("" ::: "memory")
enum { MS = 1000000, TURNS = 5 };

static volatile unsigned sink;

CALLED static void work(int ms)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	int64_t end = now.tv_sec * INT64_C(1000000000) + now.tv_nsec + (int64_t)ms * MS;
	do {
		sink++;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while (now.tv_sec * INT64_C(1000000000) + now.tv_nsec < end);
	STAYS();
}

static void run(int count, void *(*body)(void *))
{
	pthread_t threads[4];
	for (intptr_t i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, body, (void *)i);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

/* ---- once: one thread sets up for 60 ms, the others wait for that ---- */

static pthread_once_t set_up_once = PTHREAD_ONCE_INIT, inner_once = PTHREAD_ONCE_INIT;
static once_flag flag = ONCE_FLAG_INIT;
static int inner;

static void set_up_inner(void)
{
	inner++;
}

CALLED static void set_up(void)
{
	pthread_once(&inner_once, set_up_inner);
	work(60);
	STAYS();
}

static void *sets_up(void *unused)
{
	for (int i = 0; i < 1000; i++)
		pthread_once(&set_up_once, set_up);
	call_once(&flag, set_up_inner);
	return unused;
}

/* ---- eventfd: a thread works, another one is told by an eventfd ---- */

static int ready;

static void *tells(void *unused)
{
	for (int i = 0; i < TURNS; i++) {
		work(20);
		eventfd_write(ready, 1);
		usleep(2000);
	}
	return unused;
}

static void *is_told(void *unused)
{
	eventfd_t value;
	for (int i = 0; i < TURNS; i++)
		eventfd_read(ready, &value);
	return unused;
}

static void *either(void *number)
{
	return number ? is_told(NULL) : tells(NULL);
}

/* The descriptor becomes that of a clock, which has nothing to do with the eventfd. */
static void reuse(void)
{
	struct itimerspec soon = {.it_value.tv_nsec = 5 * MS};
	uint64_t value;
	close(ready);
	int clock = timerfd_create(CLOCK_MONOTONIC, 0);
	timerfd_settime(clock, 0, &soon, NULL);
	if (clock != ready || read(clock, &value, sizeof value) != sizeof value)
		puts("no clock");
	close(clock);
}

/* ---- tries: some fail, in a row and apart ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static sem_t none;

CALLED static int try_both(void)
{
	int failed = pthread_mutex_trylock(&lock) != 0;
	failed += pthread_mutex_trylock(&other) != 0;
	STAYS();
	return failed;
}

static void *tries(void *unused)
{
	int failed = 0;
	for (int i = 0; i < 1000; i++)
		failed += pthread_mutex_trylock(&lock) != 0;
	for (int i = 0; i < TURNS; i++)
		failed += try_both();
	failed += pthread_rwlock_tryrdlock(&shared) != 0;
	failed += pthread_rwlock_trywrlock(&shared) != 0;
	failed += sem_trywait(&none) != 0;
	printf("failed %d\n", failed);
	return unused;
}

/* ---- marks ---- */

static void *says(void *number)
{
	skein_begin("outer");
	for (int i = 0; i < TURNS; i++) {
		skein_begin("inner");
		work(4);
		skein_end();
	}
	usleep(20000);
	skein_end();
	skein_value("temperature", (intptr_t)number ? -7 : 40);
	skein_value("temperature", (intptr_t)number ? -1 : 20);
	skein_message("almost done");
	skein_begin("never ended");
	return NULL;
}

/* ---- turns: who had a lock after whom ---- */

enum { TURNED = 4000 };
static pthread_mutex_t turn_lock = PTHREAD_MUTEX_INITIALIZER;
static int turned[TURNED + 4], turn; /* each thread has the lock once more in the end */

/* Who had it in a turn whose number is a multiple of 10 waits until another thread has had it. */
static void *turns(void *unused)
{
	for (bool goes_on = true; goes_on;) {
		pthread_mutex_lock(&turn_lock);
		turned[turn] = (int)gettid();
		__atomic_store_n(&turn, turn + 1, __ATOMIC_RELEASE);
		goes_on = turn < TURNED;
		pthread_mutex_unlock(&turn_lock);
		for (int i = turn % 13; i; i--)
			sink++;
		for (int last; (last = __atomic_load_n(&turn, __ATOMIC_ACQUIRE)) < TURNED && last % 10 == 0 && turned[last - 1] == (int)gettid();)
			sched_yield();
	}
	return unused;
}

/* Threads that had it several times in a row are told once. */
static void print_turns(void)
{
	for (int i = 1; i < turn; i++)
		if (turned[i] != turned[i - 1])
			printf("turn %d\n", turned[i]);
}

static void *does_nothing(void *unused)
{
	return unused;
}

int main(int argc, char **argv)
{
	const char *part = argc > 1 ? argv[1] : "";
	if (strcmp(part, "once") == 0) {
		run(3, sets_up);
	} else if (strcmp(part, "eventfd") == 0) {
		ready = eventfd(0, 0);
		run(2, either);
		reuse();
	} else if (strcmp(part, "tries") == 0) {
		sem_init(&none, 0, 0);
		pthread_mutex_lock(&lock);
		pthread_mutex_lock(&other);
		pthread_rwlock_wrlock(&shared);
		run(1, tries);
	} else if (strcmp(part, "marks") == 0) {
		run(2, says);
	} else if (strcmp(part, "turns") == 0) {
		run(4, turns);
		print_turns();
		return 0;
	} else if (strcmp(part, "detach") == 0) {
		pthread_t thread;
		thrd_t second;
		pthread_create(&thread, NULL, does_nothing, NULL);
		pthread_detach(thread);
		thrd_create(&second, (thrd_start_t)does_nothing, NULL);
		thrd_detach(second);
		usleep(20000);
	} else {
		return 2;
	}
	printf("done %s\n", part);
	return 0;
}
