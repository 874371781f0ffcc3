/* Variables of all kinds and in all places, and handlers of signals (agree.h). */
#include <alloca.h>
#include <complex.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include "agree.h"

enum { MOST = 256 };

/* ---- types ---- */

static struct packed {
	char tag;
	int value;
	short rest;
} __attribute__((packed)) records[MOST];
static struct {
	unsigned a : 3, b : 13, c : 16;
} fields[MOST];
static double reals[MOST];
static long double wide[MOST];
static double complex waves[MOST];
static unsigned char bytes[4 * MOST];
static short shorts[2 * MOST];
static int matrix[16][16];
static __thread int own[MOST];
static atomic_int counters[MOST];

ROUTINE long add_packed(int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += records[i].value;
	return sum;
}
ROUTINE void set_fields(int n)
{
	for (int i = 0; i < n; i++)
		fields[i].b = (unsigned)i & 0x1fff;
}
ROUTINE double add_reals(int n)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum += reals[i];
	return sum;
}
ROUTINE long double add_wide(int n)
{
	long double sum = 0;
	for (int i = 0; i < n; i++)
		sum += wide[i];
	return sum;
}
ROUTINE double add_waves(int n)
{
	double complex sum = 0;
	for (int i = 0; i < n; i++)
		sum += waves[i];
	return creal(sum) + cimag(sum);
}
ROUTINE long add_bytes(int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += bytes[i];
	return sum;
}
ROUTINE void scale_shorts(int n)
{
	for (int i = 0; i < n; i++)
		shorts[i] = (short)(shorts[i] * 3);
}
ROUTINE void transpose(int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++) {
			int x = matrix[i][j];
			matrix[i][j] = matrix[j][i];
			matrix[j][i] = x;
		}
}
ROUTINE long add_own(int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += own[i];
	return sum;
}
ROUTINE long count_atomic(int n)
{
	for (int i = 0; i < n; i++)
		atomic_fetch_add(&counters[i], 1);
	return n;
}

/* Or the linker would know that they hold nothing but 0. */
static void touch(volatile void *at, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((volatile char *)at)[i] = (char)(i % 3);
}
#define TOUCH(variable) touch(variable, sizeof variable)

static void types(void)
{
	TOUCH(records), TOUCH(fields), TOUCH(reals), TOUCH(wide), TOUCH(waves), TOUCH(bytes), TOUCH(shorts), TOUCH(matrix), TOUCH(own), TOUCH(counters);
	for (int n = 1; n <= MOST; n *= 2) {
		sink += add_packed(n) + add_bytes(4 * n) + add_own(n) + count_atomic(n);
		sink += (long)(add_reals(n) + (double)add_wide(n) + add_waves(n));
		set_fields(n);
		scale_shorts(2 * n);
		transpose(n < 16 ? n : 16);
	}
	agree("add_packed");
	within("set_fields", OF_VECTORS);
	agree("add_reals");
	agree("add_wide");
	agree("add_waves");
	agree("add_bytes");
	agree("scale_shorts");
	agree("transpose");
	agree("add_own");
	agree("count_atomic");
}

/* ---- places ---- */

ROUTINE long add(const int *a, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += a[i];
	return sum;
}
ROUTINE void put(int *a, int n)
{
	for (int i = 0; i < n; i++)
		a[i] = n;
}
ROUTINE long on_stack(int n)
{
	int *a = alloca((size_t)n * sizeof *a);
	put(a, n);
	return add(a, n);
}
ROUTINE long used_before(int n) /* what another routine has left on the stack is not read: put writes it first */
{
	int a[64];
	put(a, n < 64 ? n : 64);
	return add(a, n < 64 ? n : 64);
}
static int *given;
ROUTINE void give(int *a) { given = a; }
ROUTINE long through_global(int n)
{
	int a[MOST];
	give(a);
	put(given, n);
	return add(given, n);
}
ROUTINE long in_mapping(int n)
{
	int *a = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	put(a, n);
	long sum = add(a, n) + add(a + n, n);
	munmap(a, 8192);
	return sum;
}

/* Room on the stack that nobody has written: compilers release it by a pop into a register that nothing needs. */
ROUTINE long releases(const int *a, int n)
{
	__asm__ volatile("lea -256(%%rsp), %%rsp\n\tpop %%rcx\n\tpop %%r8\n\tlea 240(%%rsp), %%rsp" : : : "rcx", "r8", "memory");
	return add(a, n);
}
/* The thread control block: the guard of the stack, the address of the block, and a word that is found by that address. */
ROUTINE long looks_up(const int *a, int n)
{
	long guard, block, word;
	__asm__ volatile("mov %%fs:0x28, %0\n\tmov %%fs:0x10, %1\n\tmov 0x30(%1), %2" : "=r"(guard), "=&r"(block), "=&r"(word));
	return add(a, n);
}

static void places(void)
{
	for (int n = 1; n <= MOST; n *= 2)
		sink += on_stack(n) + used_before(n) + through_global(n) + in_mapping(n) + releases(own, n) + looks_up(own, n);
	agree("put");
	agree("add");
	agree("on_stack");
	agree("used_before");
	agree("give");
	agree("through_global");
	agree("in_mapping");
	agree("releases");
	agree("looks_up");
}

/* ---- handlers ---- */

static int heard[MOST];
ROUTINE void hears(int number)
{
	for (int i = 0; i < number; i++)
		heard[i]++;
}
ROUTINE void raises(int times)
{
	for (int i = 0; i < times; i++)
		raise(SIGUSR1);
}

static void handlers(void)
{
	signal(SIGUSR1, hears);
	for (int n = 1; n <= 8; n *= 2)
		raises(n);
	agree("hears");
	within("raises", OF_LOCALE);
}

int main(void)
{
	types();
	places();
	handlers();
	return 0;
}
