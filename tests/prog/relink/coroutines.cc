// SPDX-License-Identifier: MIT
// coroutines.cc: C++20 coroutines that yield, and that wait for each other. At -O0 a coroutine keeps calls that other code has inlined
// always, and goes from one to the next by musttail calls.
// With -DINDIRECT the program needs an indirect function, so it is linked as a whole.
#include <coroutine>
#include <cstdio>
#include <exception>
#include <utility>
struct gen {
	struct promise_type {
		int value = 0;
		gen get_return_object() { return gen{std::coroutine_handle<promise_type>::from_promise(*this)}; }
		std::suspend_always initial_suspend() noexcept { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		std::suspend_always yield_value(int v) { value = v; return {}; }
		void return_void() {}
		void unhandled_exception() { std::terminate(); }
	};
	std::coroutine_handle<promise_type> h;
	explicit gen(std::coroutine_handle<promise_type> handle) : h(handle) {}
	gen(gen &&o) : h(std::exchange(o.h, {})) {}
	~gen() { if (h) h.destroy(); }
	bool next() { h.resume(); return !h.done(); }
};
static gen count(int n) { for (int i = 0; i < n; i++) co_yield i * i; }
struct task {
	struct promise_type {
		std::coroutine_handle<> back;
		int value = 0;
		task get_return_object() { return task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
		std::suspend_always initial_suspend() noexcept { return {}; }
		struct last {
			bool await_ready() noexcept { return false; }
			std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept { return h.promise().back ? h.promise().back : std::noop_coroutine(); }
			void await_resume() noexcept {}
		};
		last final_suspend() noexcept { return {}; }
		void return_value(int v) { value = v; }
		void unhandled_exception() { std::terminate(); }
	};
	std::coroutine_handle<promise_type> h;
	explicit task(std::coroutine_handle<promise_type> handle) : h(handle) {}
	task(task &&o) : h(std::exchange(o.h, {})) {}
	~task() { if (h) h.destroy(); }
	bool await_ready() { return false; }
	std::coroutine_handle<> await_suspend(std::coroutine_handle<> c) { h.promise().back = c; return h; }
	int await_resume() { return h.promise().value; }
};
static task fib(int n) { if (n < 2) co_return n; int a = co_await fib(n - 1); int b = co_await fib(n - 2); co_return a + b; }
#ifdef INDIRECT
extern "C" {
static int one(int x) { return x; }
int (*pick())(int) { return one; }
int same(int) __attribute__((ifunc("pick")));
}
#else
static int same(int x) { return x; }
#endif
int main()
{
	long sum = 0;
	for (gen g = count(100); g.next();) sum += g.h.promise().value;
	task t = fib(same(15));
	t.h.resume();
	std::printf("%ld %d\n", sum, t.h.promise().value);
}
