/* SPDX-License-Identifier: MIT */
#include <stdexcept>
#include <vector>
#include "shared.h"
int other(int x)
{
	std::vector<int> v;
	for (int i = 0; i < x % 5; i++)
		v.push_back(shared(i + x));
	if (v.size() == 3)
		throw std::runtime_error("three");
	return static_cast<int>(v.size());
}
