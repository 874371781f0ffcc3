/* SPDX-License-Identifier: MIT */
/* Takes its time in one way: computing in registers, moving words in memory, or taking branches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 1 << 16 };

static __attribute__((noinline)) unsigned long compute(unsigned long turns)
{
	unsigned long x = 88172645463325252u;
	while (turns--) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	return x;
}

static __attribute__((noinline)) unsigned long move_words(unsigned *words, unsigned long turns)
{
	unsigned long sum = 0;
	for (unsigned long i = 0; i < turns; i++) {
		sum += words[i * 17 % WORDS];
		words[i * 31 % WORDS] = (unsigned)sum;
	}
	return sum;
}

/* The compiler cannot make a choice of values of this. */
#define BRANCH(bit)                                  \
	if (x & 1ul << (bit))                        \
		__asm__ volatile("" : "+r"(sum));    \
	else                                         \
		__asm__ volatile("inc %0" : "+r"(sum))

static __attribute__((noinline)) unsigned long branch(unsigned long turns)
{
	unsigned long sum = 0;
	for (unsigned long x = 0; x < turns; x++) {
		BRANCH(20);
		BRANCH(21);
		BRANCH(22);
	}
	return sum;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	unsigned *words = calloc(WORDS, sizeof *words);
	if (!words)
		return 1;
	unsigned long result = strcmp(what, "compute") == 0 ? compute(200000000)
		: strcmp(what, "move") == 0                 ? move_words(words, 200000000)
							    : branch(500000000);
	printf("%lu\n", result);
	free(words);
	return 0;
}
