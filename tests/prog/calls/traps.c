/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* entered: state_a state_b */
/* What a pass that works on optimised code can get wrong, each with a count that shows it: functions that were proved to
 * read nothing, calls in tail position that must stay there, jumps to computed places, functions without a frame,
 * resolvers that run before relocation, allocas behind hooks, results of every shape. */
#include <alloca.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "../count.h"

/* Pure by proof: two calls with equal arguments may be merged by the compiler before it instruments, never after. The
 * opaque argument keeps them apart until then. */
static long opaque(long value)
{
	__asm__ volatile("" : "+r"(value));
	return value;
}

ROUTINE static long pure(long x) { return x * x + 1; }

static long call_pure(int times)
{
	long sum = 0;
	for (int i = 0; i < times; i++)
		sum += pure(opaque(3));
	return sum;
}

/* Calls that must not need stack: a state machine of 30,000 steps. */
COUNTED(state_a);
COUNTED(state_b);
static int state_b(int left);
static int (*volatile any_state)(int);
ROUTINE static int state_a(int left)
{
	COUNT(state_a);
	if (left == 0)
		return 7;
	__attribute__((musttail)) return state_b(left - 1);
}
ROUTINE static int state_b(int left)
{
	COUNT(state_b);
	if (left == 0)
		return 8;
	__attribute__((musttail)) return any_state(left - 1);
}

/* A computed goto: edges that cannot be split. */
COUNTED(interpret);
ROUTINE static int interpret(const unsigned char *code)
{
	static const void *const jump[] = {&&more, &&less, &&twice, &&stop};
	int value = 1;
	COUNT(interpret);
	goto *jump[*code++];
more:
	value++;
	goto *jump[*code++];
less:
	value--;
	goto *jump[*code++];
twice:
	value *= 2;
	goto *jump[*code++];
stop:
	return value;
}

/* No frame, so no hook: its caller's count of calls is all there is. */
__attribute__((naked, noinline)) static int naked(void) { __asm__("movl $5, %eax; ret"); }

/* The resolver runs before anything is relocated. */
COUNTED(chosen);
ROUTINE static int chosen(int x)
{
	COUNT(chosen);
	return x + 2;
}
static int (*resolve(void))(int) { return chosen; }
int by_choice(int x) __attribute__((ifunc("resolve")));

/* Memory of fixed and of chosen size, results in registers and in memory, any number of arguments. */
COUNTED(fill);
ROUTINE static int fill(int bytes)
{
	char fixed[64];
	char *chosen_size = alloca((size_t)bytes);
	COUNT(fill);
	memset(fixed, 1, sizeof fixed);
	memset(chosen_size, 2, (size_t)bytes);
	return fixed[bytes % 64] + chosen_size[bytes - 1];
}

struct large {
	long field[9];
};
COUNTED(large_of);
ROUTINE static struct large large_of(long x)
{
	struct large l = {{x, x + 1}};
	COUNT(large_of);
	return l;
}

COUNTED(sum_of);
ROUTINE static double sum_of(int n, ...)
{
	va_list arguments;
	double sum = 0;
	COUNT(sum_of);
	va_start(arguments, n);
	while (n--)
		sum += va_arg(arguments, double);
	va_end(arguments);
	return sum;
}

COUNTED(never_back);
static jmp_buf home;
__attribute__((noreturn, noinline)) static void never_back(void)
{
	COUNT(never_back);
	longjmp(home, 1);
}

COUNTED(once_home);
ROUTINE static void once_home(void) { COUNT(once_home); }

/* setjmp in a loop: the same frame is come back to again and again. */
COUNTED(come_home);
ROUTINE static int come_home(int times)
{
	volatile int i;
	COUNT(come_home);
	for (i = 0; i < times; i++) {
		if (setjmp(home) == 0)
			never_back();
		once_home();
	}
	return i;
}

COUNTED(weak_one);
__attribute__((weak, noinline)) void weak_one(void) { COUNT(weak_one); }

COUNTED(unoptimised);
__attribute__((optnone, noinline)) static int unoptimised(int x)
{
	COUNT(unoptimised);
	return x - 1;
}

COUNTED(by_section);
__attribute__((section(".text.far"), noinline)) static int by_section(int x)
{
	COUNT(by_section);
	__asm__ goto("" : : : : out);
	return x;
out:
	return 0;
}

int main(void)
{
	static const unsigned char code[] = {0, 2, 2, 1, 0, 3};
	double sum = 0;
	long total = call_pure(1000);
	any_state = state_a;
	total += state_a(30000);
	for (int i = 1; i <= 200; i++) {
		total += interpret(code) + naked() + by_choice(i) + fill(i) + large_of(i).field[1] + unoptimised(i) + by_section(i);
		sum += sum_of(3, 1.0, 2.0, (double)i);
		weak_one();
	}
	total += come_home(50);
	dprintf(1, "total %ld %g\n", total, sum);
	expect("pure", 1000);
	EXPECT(state_a);
	EXPECT(state_b);
	EXPECT(interpret);
	EXPECT(chosen);
	EXPECT(fill);
	EXPECT(large_of);
	EXPECT(sum_of);
	EXPECT(never_back);
	EXPECT(once_home);
	EXPECT(come_home);
	EXPECT(weak_one);
	EXPECT(unoptimised);
	EXPECT(by_section);
	return 0;
}
