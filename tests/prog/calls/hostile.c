/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* entered: worker kind_* */
/* run: close-all */
/* run: chdir */
/* run: chroot */
/* run: setuid */
/* run: no-memory */
/* needs: root */
/* Takes away what a profiler might lean on (its descriptors, its folder, its rights, its memory), and then makes it
 * need more: new arcs, new threads, a fork. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../count.h"

enum { KINDS = 64, THREADS = 20 };

/* Sixty-four routines, so that there are thousands of arcs. */
typedef void routine(unsigned depth, unsigned random);
static routine *const table[KINDS];
#define EACH(X)                                                                                                        \
	X(00) X(01) X(02) X(03) X(04) X(05) X(06) X(07) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17)                    \
	X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(30) X(31) X(32) X(33) X(34) X(35) X(36) X(37)                    \
	X(40) X(41) X(42) X(43) X(44) X(45) X(46) X(47) X(50) X(51) X(52) X(53) X(54) X(55) X(56) X(57)                    \
	X(60) X(61) X(62) X(63) X(64) X(65) X(66) X(67) X(70) X(71) X(72) X(73) X(74) X(75) X(76) X(77)
static unsigned long count[KINDS];
#define X(n)                                                                                                           \
	ROUTINE static void kind_##n(unsigned depth, unsigned random)                                                      \
	{                                                                                                                  \
		__atomic_fetch_add(&count[0##n], 1, __ATOMIC_RELAXED);                                                     \
		if (depth)                                                                                                 \
			table[random >> 24 & (KINDS - 1)](depth - 1, random * 1103515245 + 12345);                         \
	}
EACH(X)
#undef X
#define X(n) kind_##n,
static routine *const table[KINDS] = {EACH(X)};
#undef X

ROUTINE static void *worker(void *seed)
{
	for (unsigned i = 0; i < 200; i++)
		table[i % KINDS](40, (unsigned)(long)seed * 2654435761u + i);
	return NULL;
}

static void take_away(const char *how)
{
	if (!strcmp(how, "close-all")) {
		close_range(3, ~0u, 0);
	} else if (!strcmp(how, "chdir")) {
		if (chdir("/proc"))
			_exit(1);
	} else if (!strcmp(how, "chroot")) {
		if (chroot("."))
			_exit(1);
	} else if (!strcmp(how, "no-memory")) {
		/* enough for its own threads, not for a profiler that takes a lot for each */
		struct rlimit limit = {256 << 20, 256 << 20};
		if (setrlimit(RLIMIT_DATA, &limit))
			_exit(1);
	} else if (!strcmp(how, "setuid")) {
		if (setgid(65534) || setuid(65534))
			_exit(1);
	}
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	unsigned long all = 0;
	worker((void *)99);
	take_away(argc > 1 ? argv[1] : "chdir");
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, worker, (void *)i))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < KINDS; i++)
		all += count[i];
	expect("worker", THREADS + 1);
	expect("kind_*", all);
	pid_t child = fork();
	if (!child)
		_exit(3);
	int status;
	waitpid(child, &status, 0);
	return WEXITSTATUS(status) == 3 ? 0 : 1;
}
