/* flags: -O3 -g -fno-optimize-sibling-calls */
/* run: plain */
/* run: recursive */
/* Calls in loops that compilers unroll: each is one call of the source, however often it stands in the program. */
#include <stdlib.h>
#include <string.h>
#include "../count.h"

enum { SIDE = 8 };
static volatile long sum;
COUNTED(leaf);
COUNTED(middle);
COUNTED(again);

ROUTINE static void leaf(long i)
{
	COUNT(leaf);
	sum += i;
}

ROUTINE static void middle(long i)
{
	COUNT(middle);
	leaf(i);
	leaf(i + 1);
}

ROUTINE static void rows(long turns)
{
	for (long t = 0; t < turns; t++)
		for (int i = 0; i < SIDE; i++) {
			leaf(i);
			middle(t);
		}
}

ROUTINE static void again(int depth)
{
	COUNT(again);
	for (int i = 0; depth && i < 4; i++) {
		leaf(i);
		again(depth - 1);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "recursive") == 0)
		again(6);
	else
		rows(1000);
	EXPECT(leaf);
	EXPECT(middle);
	EXPECT(again);
	return 0;
}
