/* flags: -O2 -g -fno-optimize-sibling-calls */
/* Mutual recursion: from even(n), n/2 + 1 calls of even and n/2 of odd for an even n. */
#include "../count.h"

enum { N = 5000, TURNS = 20 };
ROUTINE static int odd(volatile unsigned *n);

ROUTINE static int even(volatile unsigned *n)
{
	return *n == 0 ? 1 : (--*n, odd(n));
}

ROUTINE static int odd(volatile unsigned *n)
{
	return *n == 0 ? 0 : (--*n, even(n));
}

int main(void)
{
	int sum = 0;
	for (int i = 0; i < TURNS; i++) {
		volatile unsigned n = N;
		sum += even(&n);
	}
	printf("%d\n", sum);
	fflush(stdout);
	expect("even", TURNS * (N / 2 + 1));
	expect("odd", TURNS * (N / 2));
	expect("main", 1);
	return 0;
}
