/* SPDX-License-Identifier: MIT */
// cxx.cpp, other.cpp: exceptions go from one object through another; both have `shared`.
#include <cstdio>
#include <stdexcept>
#include <vector>
#include "shared.h"
int main()
{
	int sum = 0;
	for (int i = 0; i < 60; i++) {
		try {
			sum += other(i) + shared(i);
		} catch (const std::runtime_error &) {
			sum += 1000;
		}
	}
	std::printf("%d\n", sum);
}
