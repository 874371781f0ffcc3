/* flags: -O2 -g */
/* True cause: save, whose many writes never wait: the kernel copies for nearly all of the run. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

enum { WRITES = 20000, BYTES = 64 * 1024 };

static char page[BYTES];

__attribute__((noinline)) static int save(int to)
{
	for (int i = 0; i < WRITES; i++)
		if (pwrite(to, page, BYTES, (off_t)(i % 40) * BYTES) != BYTES)
			return 1;
	return 0;
}

int main(void)
{
	return save(memfd_create("copies", 0));
}
