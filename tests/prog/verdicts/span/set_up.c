/* SPDX-License-Identifier: MIT */
/* set_up.c: a serial fill, then a parallel kernel of the same work.
 * True cause: fill; the kernel itself has a parallelism of 1,000. */
static unsigned table[1000];

__attribute__((noinline)) static void fill(void)
{
	for (unsigned i = 0; i < 10000000; i++)
		*(volatile unsigned *)&table[i % 1000] += i;
}

__attribute__((noinline)) static void transform(unsigned at)
{
	for (unsigned i = 0; i < 10000; i++)
		*(volatile unsigned *)&table[at] += i;
}

__attribute__((noinline)) static void kernel(void)
{
#pragma omp parallel for
	for (int i = 0; i < 1000; i++)
		transform((unsigned)i);
}

int main(void)
{
	fill();
	kernel();
	return 0;
}
