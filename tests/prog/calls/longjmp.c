/* flags: -O2 -g -fno-optimize-sibling-calls */
/* longjmp over ten frames, a thousand times; what is called afterwards must have the right caller. */
#include <setjmp.h>
#include "../count.h"

enum { TURNS = 1000, FRAMES = 10 };
static jmp_buf out;
COUNTED(down);
COUNTED(landed);

ROUTINE static int down(int depth)
{
	COUNT(down);
	if (depth == 1)
		longjmp(out, 1);
	return down(depth - 1) + 1;
}

ROUTINE static void landed(void) { COUNT(landed); }

ROUTINE static void turn(void)
{
	if (setjmp(out) == 0)
		down(FRAMES);
	landed();
}

int main(void)
{
	for (int i = 0; i < TURNS; i++)
		turn();
	expect("down", TURNS * FRAMES);
	expect("landed", TURNS);
	expect("turn", TURNS);
	dprintf(1, "arc turn landed %d\narc turn down %d\narc main turn %d\n", TURNS, TURNS, TURNS);
	return count_of_down != TURNS * FRAMES || count_of_landed != TURNS;
}
