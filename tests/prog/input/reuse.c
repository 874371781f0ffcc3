/* Memory that is freed and used again, filled from outside each time: each block is new to whoever asked for it, by any metric. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "expect.h"

enum { TURNS = 20, CELLS = 100 };
static int zero;

ROUTINE static long add(const volatile int *a)
{
	long sum = 0;
	for (int i = 0; i < CELLS; i++)
		sum += a[i];
	return sum;
}

ROUTINE static long with_malloc(void)
{
	long sum = 0;
	for (int i = 0; i < TURNS; i++) {
		int *block = malloc(CELLS * sizeof *block);
		kernel(SYS_read, zero, (long)block, CELLS * (long)sizeof *block);
		sum += add(block);
		free(block);
	}
	return sum;
}

ROUTINE static long with_mmap(void)
{
	long sum = 0;
	for (int i = 0; i < TURNS; i++) {
		void *block = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		kernel(SYS_read, zero, (long)block, CELLS * (long)sizeof(int));
		sum += add(block);
		munmap(block, 4096);
	}
	return sum;
}

ROUTINE static long on_stack(int from)
{
	int block[CELLS];
	kernel(SYS_read, from, (long)block, sizeof block);
	return add(block);
}

ROUTINE static long with_stack(int from)
{
	long sum = 0;
	for (int i = 0; i < TURNS; i++)
		sum += on_stack(from);
	return sum;
}

int main(void)
{
	zero = open("/dev/zero", O_RDONLY);
	long sum = with_malloc() + with_mmap() + with_stack(zero);
	expect("add", "all", CELLS, 3 * TURNS);
	expect_induced("add", 0, 3 * TURNS * CELLS);
	expect("with_malloc", "all", TURNS * CELLS + 1, 1); /* and the descriptor */
	expect("with_stack", "all", TURNS * CELLS, 1);
	return sum != 0;
}
