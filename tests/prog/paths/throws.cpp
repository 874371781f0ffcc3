// SPDX-License-Identifier: MIT
// throws.cpp: frames that exceptions leave, and those that catch. Prints `stops FUNCTION COUNT`: frames of it that never come to an end.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#define APART __attribute__((noinline))

static int destroyed;

struct Thing {
	int number;
	explicit Thing(int n) : number(n) {}
	~Thing() { destroyed += number; }
};

// Each frame below has nothing to clean up: it is left where it stands.
extern "C" APART int sink(int n)
{
	if (n == 0)
		throw std::runtime_error("deep");
	if (n == -1)
		throw 5;
	return (n % 2 ? sink(n - 1) : sink(n - 1) * 2) + 1;
}

// Several calls share one landing pad; each is another path.
extern "C" APART int shares(int n)
{
	Thing a(1);
	int sum = 0;
	try {
		sum += n & 1 ? sink(n) : 1;
		Thing b(2);
		if (n & 2)
			sum += sink(n / 2);
		sum += n > 5 ? sink(3) : sink(-1);
	} catch (const std::runtime_error &) {
		sum = n & 4 ? 100 : 200;
	} catch (int i) {
		sum = i;
	}
	return sum;
}

// Cleans up and goes on: its frames do end.
extern "C" APART int passes(int n)
{
	Thing a(n);
	return n ? passes(n - 1) + a.number : sink(0);
}

extern "C" APART int again(int n)
{
	try {
		return passes(n);
	} catch (...) {
		if (n > 3)
			throw;
		return -n;
	}
}

extern "C" int compare(const void *a, const void *b)
{
	if (*static_cast<const int *>(a) == 9)
		throw std::string("nine");
	return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

// Through frames of the C library.
extern "C" APART int sorts()
{
	int list[] = {4, 9, 2, 7, 1};
	try {
		std::qsort(list, 5, sizeof *list, compare);
	} catch (const std::string &s) {
		return static_cast<int>(s.size());
	}
	return 0;
}

int main()
{
	int sum = 0, caught = 0;
	for (int i = 0; i < 20; i++)
		sum += shares(i);
	for (int i = 0; i < 6; i++)
		try {
			sum += again(i);
		} catch (const std::runtime_error &) {
			caught++;
		}
	sum += sorts();
	std::printf("%d %d %d\n", sum, caught, destroyed);
	return sum == 0;
}
