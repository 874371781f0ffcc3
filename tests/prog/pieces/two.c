/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
int calm(int x), jumps(int x);
static int inner(int x) { return x > 3 ? calm(x) + inner(x - 3) : 1; }
int deep(int x) { return inner(x % 40); }
int through(int x) { int s = 0; for (int i = 0; i < 3; i++) s += x % 13 ? deep(i) : jumps(x + i); return s; }
void ends(int x) { if (x & 1) exit(3); exit(4); }
