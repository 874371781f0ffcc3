/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -D_GNU_SOURCE -pthread */
/* Much of everything, by its argument: `short`: ten thousand threads that hardly work; `few-files`: two hundred threads where a process may have 64
 * descriptors; `closes`: closes every descriptor that is not its own; `killed`: burns in two threads and kills itself. */
#include <stdlib.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include "workers.h"

int close_range(unsigned first, unsigned last, int flags);

enum { SHORT = 10000, AT_ONCE = 50, MANY = 200 };

BURNS(in_many)
BURNS(after_closing)
BURNS(before_the_end)

static struct truth briefly = TRUTH(in_short_thread);

ROUTINE static void in_short_thread(void)
{
	long start = truth_cpu();
	truth_spin(truth_turns / 4);
	__atomic_fetch_add(&briefly.work_ns, truth_cpu() - start, __ATOMIC_RELAXED);
}

static void *short_thread(void *unused)
{
	in_short_thread();
	return unused;
}

static void short_threads(void)
{
	pthread_t threads[AT_ONCE];
	truth_list(&briefly);
	for (int i = 0; i < SHORT / AT_ONCE; i++) {
		for (int j = 0; j < AT_ONCE; j++)
			if (pthread_create(&threads[j], NULL, short_thread, NULL))
				exit(1);
		for (int j = 0; j < AT_ONCE; j++)
			pthread_join(threads[j], NULL);
	}
}

static void many(int number) { (void)number; in_many(2 * MS); }
static void closed(int number) { (void)number; after_closing(100 * MS); }

static void doomed(int number)
{
	before_the_end(150 * MS);
	if (number == 0) {
		truth_print();
		kill(getpid(), SIGKILL);
	}
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	truth_start();
	if (!strcmp(how, "short"))
		short_threads();
	if (!strcmp(how, "few-files")) {
		struct rlimit limit = {64, 64};
		setrlimit(RLIMIT_NOFILE, &limit);
		crew_run(MANY, many);
	}
	if (!strcmp(how, "closes")) {
		close_range(3, ~0U, 0);
		crew_run(3, closed);
	}
	if (!strcmp(how, "killed"))
		crew_run(2, doomed);
	truth_print();
	return 0;
}
