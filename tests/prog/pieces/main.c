/* SPDX-License-Identifier: MIT */
/* main.c, one.c, two.c: one program of three objects. Control leaves functions of one by a jump in another, by exit, or never. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
jmp_buf back;
int calm(int x), jumps(int x), asks(int x, int (*how)(int)), deep(int x), through(int x);
void ends(int x);
static int own(int x) { return x % 5 ? calm(x) : calm(x + 1) * 2; }
int main(int argc, char **argv)
{
	volatile int sum = 0;
	(void)argv;
	for (volatile int i = 0; i < 100; i++) {
		if (setjmp(back) == 0) {
			sum += i % 7 ? jumps(i) : own(i);
			sum += through(i);
		}
		sum += asks(i, i % 2 ? calm : deep);
	}
	printf("%d\n", sum);
	if (argc > 1)
		ends(sum);
	return 0;
}
