/* flags: -pthread */
/* What takes long or is large, by the first argument.
 *
 *     batches     ten thousand threads, five hundred of them alive at once
 *     large       a routine whose input has more cells than 32 bits can count, if a cell is a byte
 *     sizes       a routine that is called with five thousand different sizes */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "expect.h"

enum { BATCHES = 20, ALIVE = 500, CELLS = 5, BUFFER = 1 << 20, TURNS = 4100, SIZES = 5000 };
static volatile int cells[CELLS], sink;
static pthread_barrier_t all_there;

ROUTINE static void look(void)
{
	for (int i = 0; i < CELLS; i++)
		sink = cells[i];
}

static void *waits(void *unused)
{
	pthread_barrier_wait(&all_there);
	look();
	return unused;
}

static int batches(void)
{
	static pthread_t threads[ALIVE];
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 << 10);
	pthread_barrier_init(&all_there, NULL, ALIVE);
	for (int batch = 0; batch < BATCHES; batch++) {
		for (int i = 0; i < ALIVE; i++)
			if (pthread_create(&threads[i], &small, waits, NULL) != 0)
				return 1;
		for (int i = 0; i < ALIVE; i++)
			pthread_join(threads[i], NULL);
	}
	expect("look", "rms", CELLS, BATCHES * ALIVE);
	return 0;
}

/* What is read is given away at once. */
ROUTINE static long pump(char *buffer, int from, int to, int turns)
{
	long total = 0;
	for (int i = 0; i < turns; i++) {
		total += read(from, buffer, BUFFER);
		total += write(to, buffer, BUFFER);
	}
	return total;
}

static int large(void)
{
	char *buffer = malloc(BUFFER);
	int from = open("/dev/zero", O_RDONLY), to = open("/dev/null", O_WRONLY);
	if (!buffer || from < 0 || to < 0 || pump(buffer, from, to, TURNS) != 2l * TURNS * BUFFER)
		return 1;
	printf("cells %ld\n", (long)TURNS * BUFFER);
	return 0;
}

ROUTINE static int sum(const volatile int *items, int count)
{
	int total = 0;
	for (int i = 0; i < count; i++)
		total += items[i];
	return total;
}

static int sizes(void)
{
	int *items = calloc(SIZES, sizeof *items), total = 0;
	for (int n = 1; items && n <= SIZES; n++)
		total += sum(items, n);
	expect_calls("sum", SIZES);
	return total;
}

int main(int count, char **words)
{
	const char *what = count > 1 ? words[1] : "";
	return strcmp(what, "batches") == 0 ? batches() : strcmp(what, "large") == 0 ? large() : sizes();
}
