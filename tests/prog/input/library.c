/* flags: -pthread */
/* What the C library reads and writes for a routine: text, memory, files, numbers, allocation; and what comes in by other ways than by plain loads: copies of
 * structs, arguments by value and without names, vectors, atomic operations. */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "expect.h"

enum { BLOCKS = 500, MAPPED = 3000, BIG = 100, TURNS = 20 };
struct big { int at[BIG]; };
static char text[400], other[400];
static int numbers[1000], more[1000];
static struct big one, two;
static volatile int sink;

ROUTINE static size_t length(const char *s) { return strlen(s); }
ROUTINE static void copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
ROUTINE static void move_up(int *a, size_t n) { memmove(a + 1, a, n * sizeof *a); }
ROUTINE static void clear(void *at, size_t bytes) { memset(at, 0, bytes); }
ROUTINE static void copy_text(char *to, const char *from) { strcpy(to, from); }
ROUTINE static int compare(const char *a, const char *b) { return strcmp(a, b); }
ROUTINE static int compare_memory(const void *a, const void *b, size_t bytes) { return memcmp(a, b, bytes) < 0; }
ROUTINE static char *find(const char *s, int c) { return strchr(s, c); }
ROUTINE static long number(const char *s) { return strtol(s, NULL, 10); }
ROUTINE static void copy_struct(struct big *to, const struct big *from) { *to = *from; }

ROUTINE static int by_value(struct big b)
{
	int sum = 0;
	for (int i = 0; i < BIG; i++)
		sum += ((volatile int *)b.at)[i];
	return sum;
}
ROUTINE static int hands_over(const volatile int *from)
{
	struct big b;
	for (int i = 0; i < BIG; i++)
		b.at[i] = 3;
	b.at[1] = from[0];
	return by_value(b);
}

/* Six in registers, which are the routine's own once it has saved them; the rest in memory that its caller wrote. */
ROUTINE static int in_registers(int n, ...)
{
	va_list list;
	int sum = 0;
	va_start(list, n);
	while (n--)
		sum += va_arg(list, int);
	va_end(list);
	return sum;
}

ROUTINE static int own_memory(int n)
{
	int *a = malloc((size_t)n * sizeof *a), sum = 0;
	for (int i = 0; i < n; i++)
		((volatile int *)a)[i] = i;
	for (int i = 0; i < n; i++)
		sum += ((volatile int *)a)[i];
	free(a);
	return sum;
}

ROUTINE static int new_memory(int n) /* nobody has written it: each reads what it never knew */
{
	volatile int *a = malloc((size_t)n * sizeof *a);
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += a[i] & 0;
	free((void *)a);
	return sum;
}

static int by_size(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}
ROUTINE static void sort(int *a, size_t n) { qsort(a, n, sizeof *a, by_size); }

ROUTINE static float add_vectors(const float *a, int n)
{
	typedef float vector __attribute__((vector_size(16)));
	vector sum = {0};
	for (int i = 0; i < n; i += 4)
		sum += *(const volatile vector *)(a + i);
	return sum[0] + sum[1] + sum[2] + sum[3];
}

static atomic_int lock, counter;
ROUTINE static int locks(const volatile int *a, int n)
{
	int sum = 0;
	while (atomic_exchange(&lock, 1))
		;
	for (int i = 0; i < n; i++)
		sum += a[i], atomic_fetch_add(&counter, 1);
	atomic_store(&lock, 0);
	return sum;
}

ROUTINE static long buffered(int file, int n)
{
	static int buffer[2];
	long sum = 0;
	for (int i = 0; i < n; i++) {
		if (pread(file, buffer, sizeof buffer, 0) != sizeof buffer)
			return 0;
		sum += ((volatile int *)buffer)[0];
	}
	return sum;
}
ROUTINE static long add(const volatile int *a, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += a[i];
	return sum;
}
ROUTINE static long streamed(FILE *in, int n)
{
	int block[10];
	long sum = 0;
	for (int i = 0; i < n; i++)
		if (fread(block, sizeof *block, 10, in) == 10)
			sum += add(block, 10);
	return sum;
}
ROUTINE static void sends(int to, const int *from, int n)
{
	if (write(to, from, (size_t)n * sizeof *from) < 0)
		sink++;
}

static void merge(int *a, int *room, int n)
{
	int half = n / 2, i = 0, j = half, k = 0;
	while (i < half && j < n)
		room[k++] = a[i] <= a[j] ? a[i++] : a[j++];
	while (i < half)
		room[k++] = a[i++];
	while (j < n)
		room[k++] = a[j++];
	memcpy(a, room, (size_t)n * sizeof *a);
}
ROUTINE static void merge_sort(int *a, int *room, int n)
{
	if (n < 2)
		return;
	merge_sort(a, room, n / 2);
	merge_sort(a + n / 2, room, n - n / 2);
	merge(a, room, n);
}

static void of_text(void)
{
	for (int n = 4; n <= 64; n *= 2) {
		memset(text, 'x', sizeof text);
		text[4 * n - 1] = 0;
		memcpy(other, text, sizeof text);
		sink += (int)length(text);
		copy_text(other, text);
		sink += compare(text, other) + compare_memory(text, other, 4 * (size_t)n);
		text[4 * n - 1] = 'y';
		sink += find(text, 'y') != NULL;
		text[4 * n - 1] = 0;
		expect("length", "all", n, 1);
		expect("copy_text", "all", n, 1);
		expect("compare", "all", 2 * n, 1);
		expect("compare_memory", "all", 2 * n, 1);
		expect("find", "all", n, 1);
	}
	strcpy(text, "1234567");
	sink += (int)number(text);
	expect("number", "all", 2, 1);
}

static void of_memory(void)
{
	for (int n = 1; n <= 100; n *= 10) {
		copy(more, numbers, (size_t)n * sizeof *more);
		move_up(numbers, (size_t)n);
		sink += own_memory(n) + new_memory(n) + new_memory(n);
		expect("copy", "all", n, 1);
		expect("move_up", "all", n, 1);
		expect("new_memory", "all", n, 2);
		for (int i = 0; i < n; i++)
			more[i] = (i * 37) % n;
		sort(more, (size_t)n);
		expect("sort", "all", n, 1);
		for (int i = 0; i < n; i++)
			more[i] = n - i;
		if (n > 1) {
			merge_sort(more, numbers, n);
			expect("merge_sort", "all", n, 1);
		}
		sink += locks(more, n);
		expect("locks", "all", n, 1);
	}
	expect("own_memory", "all", 0, 3);
	clear(more, sizeof more);
	expect("clear", "all", 0, 1);
	copy_struct(&one, &two);
	expect("copy_struct", "all", BIG, 1);
	sink += hands_over((const volatile int *)two.at);
	expect("by_value", "all", BIG, 1);
	expect("hands_over", "all", 1, 1);
	sink += in_registers(5, 1, 2, 3, 4, 5);
	expect("in_registers", "all", 0, 1);
	sink += (int)add_vectors((const float *)one.at, BIG);
	expect("add_vectors", "all", BIG, 1);
}

static int of_files(void)
{
	char path[] = "input_library.XXXXXX";
	int file = mkstemp(path), nowhere = open("/dev/null", O_WRONLY);
	static int out[MAPPED];
	unlink(path);
	if (file < 0 || write(file, out, sizeof out) != sizeof out)
		return 1;
	sink += buffered(file, BLOCKS) != 0;
	expect("buffered", "rms", 1, 1);
	expect("buffered", "rms+external", BLOCKS, 1);
	expect("buffered", "trms", BLOCKS, 1);
	expect_induced("buffered", 0, BLOCKS);
	const int *at = mmap(NULL, sizeof out, PROT_READ, MAP_PRIVATE, file, 0);
	if (at == MAP_FAILED)
		return 1;
	sink += add(at, MAPPED) != 0;
	expect("add", "all", MAPPED, 1);
	lseek(file, 0, SEEK_SET);
	FILE *in = fdopen(file, "r");
	sink += streamed(in, TURNS) != 0;
	expect("streamed", "rms", 10, 1);
	expect("streamed", "trms", 10 * TURNS, 1);
	for (int n = 1; n <= 64; n *= 2) {
		sends(nowhere, out, n);
		expect("sends", "all", n, 1);
	}
	return 0;
}

int main(void)
{
	of_text();
	of_memory();
	return of_files();
}
