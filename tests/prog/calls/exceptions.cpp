/* flags: -O2 -g -fno-optimize-sibling-calls */
/* A C++ exception passes ten instrumented frames, with a destructor in each; every second one is caught half-way and
 * thrown again. */
#include "../count.h"

enum { TURNS = 500, FRAMES = 10 };
COUNTED(down);
COUNTED(landed);
COUNTED(cleanup);

extern "C" { /* so that their names are plain */
ROUTINE void cleanup(void) { COUNT(cleanup); }
ROUTINE void landed(void) { COUNT(landed); }
ROUTINE int down(int depth, bool rethrow);
}

struct guard {
	~guard() { cleanup(); }
};

int down(int depth, bool rethrow)
{
	guard mine;
	COUNT(down);
	if (depth == 1)
		throw depth;
	if (rethrow && depth == FRAMES / 2) {
		try {
			return down(depth - 1, rethrow) + 1;
		} catch (int) {
			landed();
			throw;
		}
	}
	return down(depth - 1, rethrow) + 1;
}

extern "C" ROUTINE void turn(bool rethrow)
{
	try {
		down(FRAMES, rethrow);
	} catch (int) {
		landed();
	}
}

int main()
{
	for (int i = 0; i < TURNS; i++)
		turn(i % 2);
	expect("down", TURNS * FRAMES);
	expect("cleanup", TURNS * FRAMES);
	expect("landed", TURNS + TURNS / 2);
	expect("turn", TURNS);
	dprintf(1, "arc turn landed %d\narc down landed %d\n", TURNS, TURNS / 2);
	return count_of_down != TURNS * FRAMES || count_of_cleanup != TURNS * FRAMES;
}
