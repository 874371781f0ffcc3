/* What comes from outside: the buffered reads of Example 4, a mapped file, a buffer given to write. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "expect.h"

enum { BLOCKS = 500, MAPPED = 3000 };
static volatile int buffer[2];
static int sent[64];

ROUTINE static long external_read(int file, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++) {
		kernel(SYS_pread64, file, (long)buffer, sizeof buffer);
		sum += buffer[0];
	}
	return sum;
}

ROUTINE static long add_mapped(const volatile int *at, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += at[i];
	return sum;
}

ROUTINE static void send(int to, int n)
{
	kernel(SYS_write, to, (long)sent, n * (long)sizeof *sent);
}

int main(void)
{
	char path[] = "input_kernel.XXXXXX";
	int file = mkstemp(path), nowhere = open("/dev/null", O_WRONLY);
	static int out[MAPPED];
	unlink(path);
	if (file < 0 || write(file, out, sizeof out) != sizeof out)
		return 1;
	const int *at = mmap(NULL, sizeof out, PROT_READ, MAP_PRIVATE, file, 0);
	if (at == MAP_FAILED)
		return 1;
	long sum = external_read(file, BLOCKS) + add_mapped(at, 1000) + add_mapped(at, MAPPED);
	for (int n = 1; n <= 64; n *= 2)
		send(nowhere, n), expect("send", "all", n, 1);
	expect("external_read", "rms", 1, 1);
	expect("external_read", "rms+external", BLOCKS, 1);
	expect("external_read", "trms", BLOCKS, 1);
	expect_induced("external_read", 0, BLOCKS);
	expect("add_mapped", "all", 1000, 1);
	expect("add_mapped", "all", MAPPED, 1);
	expect_induced("add_mapped", 0, MAPPED); /* the first thousand are known the second time */
	return sum != 0;
}
