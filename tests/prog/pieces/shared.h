/* SPDX-License-Identifier: MIT */
int other(int x);
__attribute__((noinline)) inline int shared(int x) { if (x % 6 == 5) throw 7 > x ? std::runtime_error("seven") : std::runtime_error("more"); return x & 1 ? x : -x; }
