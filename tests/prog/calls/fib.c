/* flags: -O2 -g -fno-optimize-sibling-calls */
/* run: 20 */
/* run: 27 */
/* Plain recursion: fib(n) is called 2 F(n+1) - 1 times. */
#include <stdlib.h>
#include "../count.h"

ROUTINE static unsigned long fib(unsigned n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
	printf("%lu\n", fib(n));
	fflush(stdout);
	expect("fib", fib_calls(n));
	expect("main", 1);
	return 0;
}
