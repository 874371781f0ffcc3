// SPDX-License-Identifier: MIT
// openmp_objects.cpp: OpenMP in C++: lambdas, exceptions that stay inside a task or an iteration, objects that are copied.
#include "openmp.h"

#include <numeric>
#include <stdexcept>
#include <vector>

namespace {

template <class Body> void in_team(Body body)
{
#pragma omp parallel
#pragma omp single
	body();
}

void serial()
{
	work(10);
}

void lambdas() // max(3, 2) + 1
{
	in_team([] {
		auto part = [](unsigned units) { work(units); };
#pragma omp task
		part(3);
		part(2);
#pragma omp taskwait
		part(1);
	});
}

void loop_of_lambdas() // 2 + 1
{
	std::vector<unsigned> units(8, 2);
	auto body = [&](size_t i) { work(units[i]); };
#pragma omp parallel for
	for (size_t i = 0; i < units.size(); i++)
		body(i);
	work(1);
}

void over_iterators() // 3 + 1
{
	std::vector<unsigned> units(8);
	std::iota(units.begin(), units.end(), 0u);
#pragma omp parallel for
	for (auto i = units.begin(); i < units.end(); ++i)
		work(*i % 4);
	work(1);
}

[[gnu::noinline]] void may_throw(unsigned units)
{
	work(units);
	if (units % 2)
		throw std::runtime_error("odd");
	work(1);
}

void caught_in_task() // max(3 + 2, 1) + 1
{
	in_team([] {
#pragma omp task
		try {
			may_throw(3);
		} catch (const std::exception &) {
			work(2);
		}
		work(1);
#pragma omp taskwait
		work(1);
	});
}

void caught_in_iteration() // 3 + 2 + 1
{
#pragma omp parallel for
	for (unsigned i = 0; i < 4; i++)
		try {
			may_throw(i);
		} catch (const std::exception &) {
			work(2);
		}
	work(1);
}

void caught_in_taskloop() // 3 + 2 + 1
{
	in_team([] {
#pragma omp taskloop grainsize(2)
		for (unsigned i = 0; i < 4; i++)
			try {
				may_throw(i);
			} catch (const std::exception &) {
				work(2);
			}
		work(1);
	});
}

void children_of_what_throws() // max(1 + 6, 1 + 1) + 1
{
	in_team([] {
#pragma omp task
		try {
			work(1);
#pragma omp task
			work(6);
			may_throw(1);
		} catch (const std::exception &) {
#pragma omp taskwait
		}
#pragma omp taskwait
		work(1);
	});
}

struct heavy {
	unsigned units;
	explicit heavy(unsigned u) : units(u) {}
	heavy(const heavy &other) : units(other.units) { work(1); }
	heavy &operator=(const heavy &) = default;
	~heavy() { work(1); }
};

void copied() // the creator makes the copy and the task destroys it: 1 + max(2 + 1, 1) + 1
{
	in_team([] {
		heavy h(2);
#pragma omp task firstprivate(h)
		work(h.units);
		work(1);
#pragma omp taskwait
	});
}

} // namespace

int main(int argc, char **argv)
{
	static const subject subjects[] = {
		{"serial", 10, 10, serial},
		{"lambdas", 6, 4, lambdas},
		{"loop_of_lambdas", 17, 3, loop_of_lambdas},
		{"over_iterators", 13, 4, over_iterators},
		{"caught_in_task", 7, 6, caught_in_task},
		{"caught_in_iteration", 13, 6, caught_in_iteration},
		{"caught_in_taskloop", 13, 6, caught_in_taskloop},
		{"children_of_what_throws", 9, 8, children_of_what_throws},
		{"copied", 6, 5, copied},
		{nullptr, 0, 0, nullptr},
	};
	return run_subject(subjects, argc > 1 ? argv[1] : "list");
}
