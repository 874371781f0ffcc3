/* flags: -O2 -g -fno-optimize-sibling-calls */
/* entered: red green blue */
/* Calls through a table of pointers, in an order that only the run knows. */
#include "../count.h"

COUNTED(red);
COUNTED(green);
COUNTED(blue);
COUNTED(dispatch);
ROUTINE static int red(int x) { COUNT(red); return x + 1; }
ROUTINE static int green(int x) { COUNT(green); return x * 3; }
ROUTINE static int blue(int x) { COUNT(blue); return x ^ 5; }
static int (*volatile table[])(int) = {red, green, blue};

ROUTINE static int dispatch(unsigned which, int x)
{
	COUNT(dispatch);
	return table[which % 3](x);
}

int main(void)
{
	unsigned random = 7;
	int x = 0;
	for (int i = 0; i < 30000; i++)
		x = dispatch((random = random * 1103515245 + 12345) >> 16, x) & 0xffff;
	printf("%d\n", x);
	fflush(stdout);
	EXPECT(red);
	EXPECT(green);
	EXPECT(blue);
	EXPECT(dispatch);
	return 0;
}
