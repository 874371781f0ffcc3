/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -D_GNU_SOURCE -pthread */
/* C++: exceptions thrown from a depth in two std::threads, and work in a destructor that runs while the stack is unwound and in a handler that caught
 * one. The runtime walks over the same stacks as the sampler, at the same time. */
#include <cstdio>
#include <stdexcept>
#include <thread>
#include "truth.h"

enum { THROWS = 20000, DEPTH = 20 };

BURNS(in_destructor)
BURNS(in_catch)
static struct truth of_throwing = TRUTH(throw_many);

struct guard {
	~guard() { in_destructor(60 * MS); }
};

ROUTINE static int thrower(int depth)
{
	if (depth == 0)
		throw std::runtime_error("far down");
	return thrower(depth - 1) + 1;
}

ROUTINE static void throw_many()
{
	long start = truth_cpu();
	for (int i = 0; i < THROWS; i++)
		try {
			thrower(DEPTH);
		} catch (const std::exception &) {
			if (truth_cpu() - start > 120 * MS)
				break;
		}
	__atomic_fetch_add(&of_throwing.work_ns, truth_cpu() - start, __ATOMIC_RELAXED);
}

static void run()
{
	truth_list(&of_throwing);
	truth_begin();
	throw_many();
	try {
		guard g;
		thrower(DEPTH);
	} catch (const std::exception &) {
		in_catch(60 * MS);
	}
	truth_end();
}

int main()
{
	truth_start();
	truth_end();
	std::thread one(run), two(run);
	one.join();
	two.join();
	truth_begin();
	truth_print();
	return 0;
}
