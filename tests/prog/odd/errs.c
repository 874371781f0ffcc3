/* SPDX-License-Identifier: MIT */
/* errs fine: nothing is wrong. errs heap, errs race, errs overflow, errs leak: one error of the kind that AddressSanitizer, ThreadSanitizer,
 * UndefinedBehaviorSanitizer or LeakSanitizer reports. */
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include "work.h"

static int shared;
static char *volatile kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *adds(void *racy)
{
	for (int i = 0; i < 100; i++) {
		if (!racy)
			pthread_mutex_lock(&lock);
		shared++;
		work(1);
		if (!racy)
			pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "fine";
	void *racy = strcmp(what, "race") == 0 ? &shared : NULL;
	pthread_t thread[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, adds, racy);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	kept = (char *)calloc(10, 1);
	if (strcmp(what, "heap") == 0)
		kept[(int)strlen(what) + 6] = 1;
	if (strcmp(what, "overflow") == 0)
		sink = (unsigned)(INT_MAX - 4 + argc + (int)strlen(what));
	if (strcmp(what, "leak") == 0)
		kept = NULL;
	else
		free(kept);
	report_work();
	return 5;
}
