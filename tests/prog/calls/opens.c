/* flags: -O2 -g -pthread -fno-optimize-sibling-calls -ldl */
/* entered: library_work */
/* library: opens_library.c */
/* Opens an instrumented library beside itself, calls it, closes it, and does so again: from here and from a thread. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include "../count.h"

enum { TURNS = 5 };
static const char *path;

ROUTINE static int use(void)
{
	void *library = dlopen(path, RTLD_NOW);
	if (!library)
		return dprintf(1, "%s\n", dlerror()), 1;
	int (*work)(int) = (int (*)(int))dlsym(library, "library_work");
	int sum = work ? work(10) : 0;
	dlclose(library);
	return sum != 55;
}

ROUTINE static void *worker(void *failed)
{
	*(int *)failed |= use();
	return NULL;
}

int main(int argc, char **argv)
{
	int failed = 0;
	(void)argc;
	(void)argv;
	path = "./libopens.so";
	for (int i = 0; i < TURNS; i++)
		failed |= use();
	pthread_t thread;
	pthread_create(&thread, NULL, worker, &failed);
	pthread_join(thread, NULL);
	expect("use", TURNS + 1);
	expect("library_work", TURNS + 1);
	expect("library_step", (TURNS + 1) * 10);
	return failed;
}
