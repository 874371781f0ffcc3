/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -D_GNU_SOURCE -pthread */
/* library: opens_library.c */
/* One thread opens a library, works in it and closes it, again and again, and a second one does nothing but open and close another, while a
 * third burns: the sampler walks over stacks while the loader changes what is mapped. */
#include <dlfcn.h>
#include "workers.h"

enum { TURNS = 150 };

BURNS(beside_the_loader)
static struct truth in_library = TRUTH(library_burn); /* the library's own routine */

static void use_library(void)
{
	for (int i = 0; i < TURNS; i++) {
		void *library = dlopen("./libopens.so", RTLD_NOW);
		long (*work)(long, long) = library ? (long (*)(long, long))dlsym(library, "library_work") : NULL;
		if (work) {
			truth_list(&in_library);
			in_library.work_ns += work(truth_turns, 10);
			dlclose(library);
		}
	}
}

static void storm(void)
{
	for (int i = 0; i < 10 * TURNS; i++) {
		void *library = dlopen("libresolv.so.2", RTLD_NOW);
		if (library)
			dlclose(library);
	}
}

static void run(int number)
{
	if (number == 0)
		use_library();
	else if (number == 1)
		storm();
	else
		beside_the_loader(200 * MS);
}

int main(void)
{
	truth_start();
	crew_run(3, run);
	truth_print();
	return 0;
}
