/* C++ that both ways of recording have to see alike (agree.h): containers, virtual calls, closures, exceptions. */
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>
#include "agree.h"

enum { MOST = 300, OF_UNWINDING = 1 << 20 }; /* nothing is known of what an unwinder reads */

/* Their names as they are. */
#undef ROUTINE
#define ROUTINE extern "C" __attribute__((noinline))

ROUTINE long sum_of(const std::vector<int> &v) { return std::accumulate(v.begin(), v.end(), 0L); }
ROUTINE void append(std::vector<int> &v, int n)
{
	for (int i = 0; i < n; i++)
		v.push_back(n - i);
}
ROUTINE void sort(std::vector<int> &v) { std::sort(v.begin(), v.end()); }
ROUTINE bool has(const std::vector<int> &v, int x) { return std::binary_search(v.begin(), v.end(), x); }
ROUTINE void doubled(const std::vector<int> &v, std::vector<int> &to)
{
	to.reserve(v.size());
	std::transform(v.begin(), v.end(), std::back_inserter(to), [](int x) { return 2 * x; });
}

struct shape {
	virtual ~shape() = default;
	virtual long area() const = 0;
};
struct square : shape {
	int side;
	explicit square(int s) : side(s) {}
	__attribute__((noinline)) long area() const override { return static_cast<long>(side) * side; }
};
struct box : shape {
	int width, height;
	box(int w, int h) : width(w), height(h) {}
	__attribute__((noinline)) long area() const override { return static_cast<long>(width) * height; }
};
ROUTINE void shapes(std::vector<std::unique_ptr<shape>> &all, int n)
{
	for (int i = 0; i < n; i++)
		if (i % 2)
			all.push_back(std::make_unique<square>(i));
		else
			all.push_back(std::make_unique<box>(i, 2));
}
ROUTINE long area_of(const std::vector<std::unique_ptr<shape>> &all)
{
	long sum = 0;
	for (const auto &s : all)
		sum += s->area();
	return sum;
}

ROUTINE int throws_at(const int *a, int n)
{
	for (int i = 0;; i++)
		if (i == n)
			throw a[i];
		else if (a[i] < 0)
			return i;
}
ROUTINE int catches(const int *a, int n)
{
	try {
		return throws_at(a, n);
	} catch (int x) {
		return x + a[0];
	}
}

ROUTINE long each(const std::vector<int> &v, const std::function<long(int)> &f)
{
	long sum = 0;
	for (int x : v)
		sum += f(x);
	return sum;
}

int main()
{
	for (int n = 2; n < MOST; n += n / 2) {
		std::vector<int> v;
		append(v, n);
		sort(v);
		std::vector<int> w;
		doubled(v, w);
		std::vector<std::unique_ptr<shape>> all;
		shapes(all, n);
		long by = sink;
		sink = sink + sum_of(v) + sum_of(w) + has(v, n / 2) + area_of(all) + catches(v.data(), n / 2) + each(v, [by](int x) { return x + by; });
	}
	for (const char *name : {"sum_of", "append", "sort", "has", "doubled", "shapes", "area_of", "each"})
		agree(name);
	within("throws_at", OF_UNWINDING);
	within("catches", OF_UNWINDING);
	return 0;
}
