/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* run: threads */
/* run: thrown */
/* run: spawned */
/* run: loop */
/* std::thread; exceptions through steady and other frames, out of a spawned call, out of a parallel loop. */
#include <cilk/cilk.h>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>
#include "../count.h"

enum { UNIT = 200000 };
COUNTED(work);
COUNTED(down);

extern "C" ROUTINE void work(int units)
{
	COUNT(work);
	for (volatile int i = 0; i < units * UNIT; i++)
		;
}

static void known(double all, double longest)
{
	dprintf(1, "figure parallelism %.3f %.3f\n", all / longest * 0.99, all / longest * 1.01);
	EXPECT(work);
}

struct guard {
	~guard() { work(1); }
};

extern "C" ROUTINE void down(int depth)
{
	COUNT(down);
	guard here;
	if (depth == 0)
		throw std::runtime_error("thrown");
	down(depth - 1);
}

extern "C" ROUTINE void throws_after(int units)
{
	work(units);
	if (units)
		throw std::runtime_error("late");
}

static void thrown()
{
	for (int i = 0; i < 10; i++)
		try {
			down(9);
		} catch (const std::exception &) {
			work(1);
		}
	known(110, 110);
	EXPECT(down);
}

extern "C" ROUTINE int spawned(int units)
{
	try {
		cilk_spawn work(units);
		cilk_spawn throws_after(1);
		work(units);
		cilk_sync;
	} catch (const std::exception &) {
		return 1;
	}
	return 0;
}

static void loop(int count)
{
	int caught = 0;
	try {
		cilk_for (int i = 0; i < count; i++) {
			throws_after(i == 2 ? 2 : 0);
			work(2);
		}
	} catch (const std::exception &) {
		caught++;
	}
	work(1);
	dprintf(1, "caught %d\n", caught);
	known(7, 3);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "threads";
	if (!strcmp(how, "threads")) {
		std::vector<std::thread> threads;
		for (int i = 0; i < 4; i++)
			threads.emplace_back([i] { work(i + 1); });
		for (auto &thread : threads)
			thread.join();
		known(10, 4);
	} else if (!strcmp(how, "thrown")) {
		thrown();
	} else if (!strcmp(how, "spawned")) { /* whoever throws in a serial run skips what comes behind */
		dprintf(1, "caught %d\n", spawned(3));
		known(4, 3);
	} else {
		loop(argc + 8);
	}
	return 0;
}
