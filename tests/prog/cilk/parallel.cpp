// SPDX-License-Identifier: MIT
// parallel.cpp: spawns and loops of C++ without a race, and exceptions from and through all of them.
#include <cilk/cilk.h>
#include <cstdio>
#include <exception>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

struct counted {
	static int alive;
	counted() { __atomic_add_fetch(&alive, 1, __ATOMIC_RELAXED); }
	counted(const counted &) { __atomic_add_fetch(&alive, 1, __ATOMIC_RELAXED); }
	~counted() { __atomic_sub_fetch(&alive, 1, __ATOMIC_RELAXED); }
};
int counted::alive;

__attribute__((noinline)) int work(int n)
{
	volatile int s = 0;
	for (int i = 0; i < 300; i++)
		s += n;
	return s;
}
__attribute__((noinline)) int fussy(int n)
{
	work(n);
	if (n % 7 == 3)
		throw std::runtime_error("seven " + std::to_string(n));
	return n;
}
__attribute__((noinline)) std::string name(std::string s, int n) { return s + std::to_string(n); }
template <class T> T fib(T n) { if (n < 2) return n; T x = cilk_spawn fib<T>(n - 1); T y = fib<T>(n - 2); cilk_sync; return x + y; }

struct tree {
	std::vector<tree> below;
	int value;
	tree(int depth, int v) : value(v) { for (int i = 0; depth > 0 && i < 3; i++) below.emplace_back(depth - 1, v * 3 + i); }
	virtual ~tree() {}
	virtual long sum() const
	{
		std::vector<long> sums(below.size());
		for (size_t i = 0; i < below.size(); i++)
			sums[i] = cilk_spawn below[i].sum();
		cilk_sync;
		return std::accumulate(sums.begin(), sums.end(), (long)value);
	}
};

static int thrown_by_spawned(int n) { counted a; int x = cilk_spawn fussy(n); int y = work(1); cilk_sync; return x + y; }
static int thrown_beside(int n) { counted a; int x = cilk_spawn work(n), y = fussy(n); cilk_sync; return x + y; }
static int thrown_through(int n) { int x = cilk_spawn work(n); fussy(n); cilk_sync; return x; } // nothing to clean up
static int thrown_at_return(int n) { cilk_spawn fussy(n); return n; }
// Objects outlive the spawned calls of their function, also those that are waited for at its end only.
struct slot {
	int *at;
	explicit slot(int *p) : at(p) {}
	~slot() { *at += 1000; }
};
__attribute__((noinline)) static void fill(std::vector<int> *v, int *out, int n)
{
	for (size_t i = 0; i < v->size(); i++)
		(*v)[i] = work(n);
	*out = std::accumulate(v->begin(), v->end(), 0);
}
static void ends(int *out, int n)
{
	std::vector<int> v(50), *p = &v;
	slot s(out); // destroyed behind the spawned call, or the sum is wrong
	cilk_spawn fill(p, out, n);
	if (n % 2)
		return;
	std::string other = name("other", n);
	work((int)other.size());
}
static int thrown_past_objects(int n) { std::vector<int> v(9); counted a; cilk_spawn fussy(n); counted b; return n + (int)v.size(); }
static int caught_inside(int n)
{
	counted a;
	try {
		counted b;
		int x = cilk_spawn fussy(n);
		work(2);
		cilk_sync;
		return x;
	} catch (std::exception &e) {
		return -(int)std::string(e.what()).size();
	}
}
static int scoped(int n)
{
	int x = 0, y = 0;
	try {
		cilk_scope { counted c; x = cilk_spawn fussy(n); y = work(n); }
	} catch (std::exception &) { x = 1000, y = 0; } // on one worker nothing behind the spawn ran
	return x + y;
}
static int block(int n)
{
	int x = 0;
	cilk_spawn { counted c; std::string s = name("a", n); int k = cilk_spawn fussy(n); cilk_sync; x = k + (int)s.size(); }
	work(n);
	cilk_sync;
	return x;
}
static int deep(int n) { if (n == 0) return fussy(3); int x = cilk_spawn deep(n - 1); counted k; int y = n > 3 ? deep(n - 2) : 0; cilk_sync; return x + y; }
static void loop(std::vector<int> &v) { counted n; cilk_for (size_t i = 0; i < v.size(); i++) { counted k; v[i] = fussy((int)i); } }
static void iterators(std::vector<int> &v) { cilk_for (auto i = v.begin(); i != v.end(); ++i) { int k = cilk_spawn work(1); cilk_sync; *i = k + int(i - v.begin()); } }

template <class F> static int tried(F f, int n)
{
	try {
		return f(n);
	} catch (std::exception &e) {
		return e.what()[6];
	}
}

int main()
{
	long sum = 0;
	for (int r = 0; r < 60; r++)
		sum += tried(thrown_by_spawned, r) + tried(thrown_beside, r) * 3 + tried(thrown_through, r) * 5 + tried(thrown_at_return, r) * 7 + caught_inside(r) * 11 + tried(thrown_past_objects, r) + scoped(r) * 13 +
		       tried(block, r) * 17;
	for (int r = 0; r < 60; r++) {
		int out = 0;
		ends(&out, r);
		sum = sum * 3 % 1000003 + out;
	}
	sum += tried(deep, 9);
	std::vector<int> v(1000);
	iterators(v);
	sum += std::accumulate(v.begin(), v.end(), 0);
	try { loop(v); sum = -1; } catch (std::exception &) { sum++; }
	tree t(6, 1);
	auto lambda = [&](int n) { int x = cilk_spawn work(n); cilk_sync; return x; };
	std::string s = cilk_spawn name("first", 1), q;
	q = cilk_spawn name("second", 2);
	cilk_sync;
	std::printf("%ld %ld %d %ld %s %s alive %d on their way %d\n", sum, t.sum(), lambda(3), fib<long>(18), s.c_str(), q.c_str(), counted::alive, std::uncaught_exceptions());
}
