/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
extern jmp_buf back;
int calm(int x) { if (x % 3) return x * 5; if (x % 7) return x; return 2; }
int jumps(int x) { if (x % 11 == 3) longjmp(back, 1); return x & 1 ? calm(x) : calm(x + 4); }
int asks(int x, int (*how)(int)) { int s = 0; for (int i = 0; i < x % 4; i++) s += how(i + x); return s; }
