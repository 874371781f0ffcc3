/* flags: -O2 -g */
/* Marked regions in a Cilk program: around a spawn and its sync, beside a child that was spawned before, in a child, in
 * iterations, one in another of the same name, one left open by a return, one that the end of the program ends. */
#include <cilk/cilk.h>
#include <skein/skein.h>
#include <stdlib.h>
#include "../count.h"

ROUTINE static unsigned turn(unsigned n)
{
	unsigned x = n;
	while (n--)
		__asm__ volatile("" : "+r"(x));
	return x;
}

ROUTINE static unsigned fib(unsigned n)
{
	if (n < 2)
		return turn(50);
	unsigned a = cilk_spawn fib(n - 1), b = fib(n - 2);
	cilk_sync;
	return a + b;
}

ROUTINE static unsigned deeper(unsigned n)
{
	skein_begin("nested");
	unsigned r = turn(100) + (n ? deeper(n - 1) : 0);
	skein_end();
	return r;
}

ROUTINE static unsigned leaves(int n)
{
	skein_begin("left open");
	unsigned r = turn(20);
	if (n & 1)
		return r;
	skein_end();
	return r;
}

ROUTINE static unsigned child(unsigned n)
{
	skein_begin("in a child");
	unsigned r = turn(n);
	skein_end();
	return r;
}

int main(int argc, char **argv)
{
	unsigned a, b, c;
	(void)argv;
	skein_begin("nothing");
	skein_end();
	skein_begin("fib");
	a = fib(12);
	skein_end();
	skein_begin("pair");
	b = cilk_spawn turn(5000);
	a += turn(4000);
	cilk_sync;
	skein_end();
	c = cilk_spawn turn(8000);
	skein_begin("beside");
	a += turn(1000);
	cilk_sync;
	a += turn(500);
	skein_end();
	skein_begin("children");
	b += cilk_spawn child(3000);
	a += child(2000);
	cilk_sync;
	skein_end();
	a += deeper(5);
	for (int i = 0; i < 10; i++)
		a += leaves(i);
	cilk_for (unsigned i = 0; i < 10; i++) {
		skein_begin("iteration");
		turn(1000 * i);
		skein_end();
	}
	skein_end(); /* of nothing */
	dprintf(1, "%u\n", a + b + c);
	expect("deeper", 6);
	expect("leaves", 10);
	expect("child", 2);
	skein_begin("to the end");
	if (argc > 1)
		exit(turn(100) == 0);
	return 0;
}
