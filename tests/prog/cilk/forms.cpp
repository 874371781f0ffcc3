/* SPDX-License-Identifier: MIT */
/* forms.cpp: every place where C++ may spawn, and what comes of it, exceptions and temporaries included. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <string>
#include <vector>
static int calls;
struct thing {
	int v;
	explicit thing(int x) : v(x) { calls++; }
	thing(const thing &o) : v(o.v) { calls += 100; }
	~thing() { calls += 10000; }
	__attribute__((noinline)) int get(int x) { calls++; return v + x; }
	__attribute__((noinline)) thing &self() { return *this; }
	int operator()(int x) { return v * x; }
	int spawns(int n) { int a = cilk_spawn get(n); int b = cilk_spawn this->get(n + 1); cilk_sync; return a * b; }
	virtual int virt(int x) { return x - v; }
};
__attribute__((noinline)) std::string name(std::string s, int n) { calls++; return s + std::to_string(n); }
__attribute__((noinline)) int value(const thing &t) { return t.v; }
__attribute__((noinline)) const char *text(int n) { return n ? "text" : ""; }
template <class T, class U> __attribute__((noinline)) T mix(T a, U b) { return a + (T)b; }
static int slot = 5;
__attribute__((noinline)) int &ref(int) { return slot; }
int fib(int n) { if (n < 2) return n; int x = cilk_spawn fib(n - 1); int y = fib(n - 2); cilk_sync; return x + y; }
static long blocks(int n)
{
	long sum = 0;
	std::string s = "b";
	cilk_spawn {
		std::string local = name("local", n);
		for (int i = 0; i < n; i++) { if (i == 2) continue; sum += i; }
		auto l = [&](int k) { return k + (int)local.size(); };
		int d = cilk_spawn l(3);
		cilk_sync;
		sum += d;
	}
	cilk_spawn s = name(s, n);
	cilk_scope { cilk_spawn { sum++; } if (n == 4) return 4; }
	cilk_sync;
	return sum * 10 + (long)s.size();
}
int main(int argc, char **)
{
	thing t(3);
	std::string a = cilk_spawn name("first", argc), b;
	b = cilk_spawn name("second", 2);
	std::string c = cilk_spawn text(argc);
	int v = cilk_spawn t.get(4), u = 0;
	int &r = cilk_spawn ref(1);
	u = cilk_spawn t.self().get(5);
	int w = cilk_spawn value(thing(9));
	w += cilk_spawn t(3);
	int x = cilk_spawn mix<int, double>(3, 4.5);
	cilk_spawn [&](int k) { u += k; }(7);
	auto add = [&](int k) -> int { int m = cilk_spawn value(t); cilk_sync; return k + m; };
	int y = cilk_spawn add(1);
	thing *p = &t;
	int z = cilk_spawn p->virt(1);
	int (thing::*member)(int) = &thing::get;
	int q = cilk_spawn (p->*member)(2);
	auto made = cilk_spawn thing(6).get(1);
	cilk_sync;
	r++;
	std::vector<int> out(20);
	cilk_for (auto i = out.begin(); i != out.end(); ++i) { int k = cilk_spawn fib(5); *i = k + int(i - out.begin()); }
	cilk_for (size_t i = 0; i < out.size(); i++) out[i] *= 2;
	long sum = 0;
	for (int o : out) sum += o;
	printf("%s %s %s %d %d %d %d %d %d %d %d %d %d %ld\n", a.c_str(), b.c_str(), c.c_str(), v, u, slot, w, x, y, z, q, made, t.spawns(2), sum);
	printf("%d %ld %ld %d\n", fib(15), blocks(4), blocks(6), calls);
#ifdef __cpp_exceptions
	try { int never = cilk_spawn [](int k) -> int { if (k) throw 3; return k; }(argc); printf("%d\n", never); } catch (int e) { printf("caught %d\n", e); }
#endif
}
