// SPDX-License-Identifier: MIT
// Virtual calls, calls of members through pointers and of lambdas, some of which throw, counted by the program itself. Prints
// `expect CALLER TARGET COUNT`.
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

#define NOINLINE __attribute__((noinline))

static volatile unsigned sink;
enum { CALLS = 5000 };

struct shape {
	virtual ~shape() = default;
	virtual void draw(unsigned n) = 0;
};
struct circle : shape {
	unsigned long count = 0;
	NOINLINE void draw(unsigned n) override { count++, sink = sink + n; }
};
struct square : shape {
	unsigned long count = 0;
	NOINLINE void draw(unsigned n) override { count++, sink = sink ^ n; }
	NOINLINE void twice(unsigned n) { sink = sink - n; }
};
struct bomb : shape {
	unsigned long count = 0;
	NOINLINE void draw(unsigned n) override
	{
		if (count++ % 2)
			throw n;
		sink = sink + 1;
	}
};

NOINLINE static void draw_all(shape *const *all, size_t count)
{
	unsigned seed = 5;
	for (unsigned i = 0; i < CALLS; i++) {
		seed = seed * 1103515245u + 12345u;
		try {
			all[(seed >> 16) % count]->draw(i);
		} catch (unsigned n) {
			sink = sink + n;
		}
	}
}

NOINLINE static void by_member(square *s, void (square::*volatile member)(unsigned))
{
	for (unsigned i = 0; i < 77; i++)
		(s->*member)(i);
}

int main()
{
	circle c;
	square s;
	bomb b;
	shape *all[] = {&c, &s, &b};
	draw_all(all, 3);
	std::printf("expect draw_all circle::draw %lu\nexpect draw_all square::draw %lu\nexpect draw_all bomb::draw %lu\n", c.count, s.count,
	            b.count);
	by_member(&s, &square::twice);
	std::puts("expect by_member square::twice 77");
}
