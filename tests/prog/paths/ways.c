/* SPDX-License-Identifier: MIT */
/* ways.c: every kind of control flow that C has. Prints `expect FUNCTION COUNT` for functions whose frames all end: how many paths each frame takes, added up: one,
 * and one more for each time that it goes round a loop. With an argument it ends otherwise: exit, abort, kill, wait. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define APART __attribute__((noinline))

/* An optimised loop begins elsewhere, and a recursion may have become one. */
#ifdef __OPTIMIZE__
static const int is_plain = 0;
#else
static const int is_plain = 1;
#endif

static unsigned state = 7;

static unsigned dice(unsigned below)
{
	state = state * 1103515245u + 12345u;
	return (state >> 16) % below;
}

static const char *volatile program_text = "++2-s?+2+--s.2+2.";
static uint64_t rounds; /* of loops, in the function that is looked at */

APART static int loops(int n)
{
	int sum = 0;
	for (volatile int i = 0; i < n; i++, rounds++) {
		for (volatile int k = 0; k < i; k++, rounds++)
			sum += k & 1 ? 3 : 5;
		if (sum > 100)
			sum /= 2;
	}
	return sum;
}

APART static int choose(unsigned x)
{
	switch (x % 9) {
	case 0:
	case 1:
	case 2: return 10;
	case 3: x++; /* falls through */
	case 4: return (int)x;
	case 7: return -1;
	default: return 3;
	}
}

/* A small interpreter: computed goto, in a loop without any other way. */
APART static int interpret(const char *program)
{
	static const void *const way[] = {&&plus, &&minus, &&twice, &&skip, &&end};
	int sum = 1;
	goto *way[strchr("+-2s.", *program) - "+-2s."];
plus:
	sum++;
	rounds++;
	goto *way[strchr("+-2s.", *++program) - "+-2s."];
minus:
	sum--;
	rounds++;
	goto *way[strchr("+-2s.", *++program) - "+-2s."];
twice:
	if (sum < 1000)
		sum *= 2;
	rounds++;
	goto *way[strchr("+-2s.", *++program) - "+-2s."];
skip:
	program++;
	rounds++;
	goto *way[strchr("+-2s.", *++program) - "+-2s."];
end:
	return sum;
}

#define BIT(n) if (x[(n) % 32] & 1u << (n) % 13) sum += (n) * sum % 7; else sum ^= (n);
#define BITS(n) BIT(n) BIT(n + 1) BIT(n + 2) BIT(n + 3) BIT(n + 4) BIT(n + 5) BIT(n + 6) BIT(n + 7) BIT(n + 8) BIT(n + 9)

/* 2 to the 100 paths. */
APART static unsigned hundred(const volatile unsigned *x)
{
	unsigned sum = 1;
	BITS(0) BITS(10) BITS(20) BITS(30) BITS(40) BITS(50) BITS(60) BITS(70) BITS(80) BITS(90)
	return sum;
}

APART static unsigned fib(unsigned n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

/* Each calls the other last: with optimisation no stack is needed, with or without counters. */
APART static int even(volatile unsigned *n);
APART static int odd(volatile unsigned *n)
{
	return *n == 0 ? 0 : ((*n)--, even(n));
}
APART static int even(volatile unsigned *n)
{
	return *n == 0 ? 1 : ((*n)--, odd(n));
}

APART static void complain(int how) __attribute__((noreturn));
APART static void complain(int how)
{
	if (how == 'e')
		exit(3);
	if (how == 'a')
		abort();
	raise(SIGKILL);
	for (;;)
		pause();
}

APART static int below(int n, int how)
{
	if (n == 0)
		complain(how);
	int sum = n & 1 ? below(n - 1, how) + 1 : 2 * below(n - 1, how);
	program_text = "";
	return sum;
}

APART static unsigned hundreds(unsigned times)
{
	static unsigned words[32];
	unsigned sum = 0;
	for (unsigned i = 0; i < times; i++) {
		for (unsigned k = 0; k < 32; k++)
			words[k] = i % 3 ? i % 5 : dice(1u << 13);
		sum += hundred(words);
	}
	return sum;
}

int main(int argc, char **argv)
{
	volatile unsigned n = argc > 1 ? 10 : 4000000;
	int sum = 0;
	if (argc > 1 && *argv[1] != 'n') {
		sum = below(9, *argv[1]);
		program_text = "";
		return sum;
	}
	sum += loops(40);
	if (is_plain)
		printf("expect loops %llu\n", (unsigned long long)rounds + 1);
	for (unsigned i = 0; i < 1000; i++)
		sum += choose(dice(1000));
	printf("expect choose 1000\n");
	rounds = 0;
	for (int i = 0; i < 50; i++)
		sum += interpret(program_text);
	if (is_plain)
		printf("expect interpret %llu\n", (unsigned long long)rounds + 50);
	sum += (int)hundreds(300);
	printf("expect hundred 300\n");
	sum += (int)fib(15);
	if (is_plain)
		printf("expect fib 1973\n");
	printf("%d %d\n", argc > 1 ? 0 : even(&n), sum);
	return 0;
}
