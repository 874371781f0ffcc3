/* Exceptions out of ten frames: whatever they pass has ended, and its handler goes on in its own activation. */
#include <cstdio>
#define ROUTINE __attribute__((noinline, noclone))

enum { TURNS = 50, FRAMES = 10, CELLS = 9 };
static volatile int cells[CELLS], sink;

extern "C" {
ROUTINE int look(void)
{
	int sum = 0;
	for (int i = 0; i < CELLS; i++)
		sum += cells[i];
	return sum;
}

ROUTINE int down(int depth)
{
	if (depth == 1)
		throw depth;
	return down(depth - 1) + sink;
}

ROUTINE int catches(void)
{
	try {
		return down(FRAMES);
	} catch (int) {
		return look();
	}
}
}

int main()
{
	for (int i = 0; i < TURNS; i++)
		sink += catches();
	std::printf("calls down %d\ncalls catches %d\nexpect look all %d %d\n", TURNS * FRAMES, TURNS, CELLS, TURNS);
	return 0;
}
