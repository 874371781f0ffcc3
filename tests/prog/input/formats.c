/* Functions with a format: what scanf leaves is from outside, what sscanf leaves is written by whoever calls it, and printf reads the texts that it is given. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include "expect.h"

enum { TURNS = 4 };
static struct {
	long number;
	double real;
	int small;
	char text[20];
} got __attribute__((aligned(64)));
static char from[128] __attribute__((aligned(64))), to[128] __attribute__((aligned(64)));
static volatile long sink;

static inline __attribute__((always_inline)) long touch(const void *at, int cells)
{
	long sum = 0;
	for (int i = 0; i < cells; i++)
		sum += ((const volatile int *)at)[i];
	return sum;
}

/* A long, a double, an int, a text of 7 bytes: 2 + 2 + 1 + 2 cells. */
ROUTINE static long scans(FILE *in)
{
	long sum = 0;
	for (int i = 0; i < TURNS; i++)
		if (fscanf(in, "%ld %lf %d %19s", &got.number, &got.real, &got.small, got.text) == 4)
			sum += touch(&got, 7);
	return sum;
}

static int scan_list(FILE *in, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int n = vfscanf(in, format, list);
	va_end(list);
	return n;
}
ROUTINE static long scans_list(FILE *in) { return scan_list(in, "%ld %lf %d %19s", &got.number, &got.real, &got.small, got.text) + touch(&got, 7); }

/* The second conversion fails: what is there stays as it was, and was read before. */
ROUTINE static long scans_some(FILE *in)
{
	long sum = touch(&got, 7);
	return sum + fscanf(in, "%ld %lf %d %19s", &got.number, &got.real, &got.small, got.text) + touch(&got, 7);
}

/* Its text is 16 bytes; what it writes is its own. */
ROUTINE static long parses(void)
{
	long number;
	double real;
	return sscanf(from, "%ld %lf", &number, &real) + touch(&number, 2) + touch(&real, 2);
}

ROUTINE static long allocates(FILE *in)
{
	char *text = NULL;
	long sum = fscanf(in, "%ms", &text) + touch(text, 3);
	free(text);
	return sum;
}

ROUTINE static long wide(FILE *in) { return fwscanf(in, L"%19s %d", got.text, &got.small) + touch(got.text, 2) + touch(&got.small, 1); }

/* Texts of 20 and, as the precision says, 8 bytes. */
ROUTINE static int prints(const char *a, const char *b, int n) { return snprintf(to, sizeof to, "%s %d %.*s %g", a, n, 8, b, 1.5 * n); }
ROUTINE static int prints_out(FILE *out, const char *a) { return fprintf(out, "%5d %-30s\n", 3, a); }

static FILE *stream_of(const char *text)
{
	int ends[2];
	FILE *in = pipe(ends) == 0 ? fdopen(ends[0], "r") : NULL;
	if (!in || write(ends[1], text, strlen(text)) != (ssize_t)strlen(text) || close(ends[1]) < 0)
		exit(1);
	return in;
}

int main(void)
{
	FILE *in = stream_of("1 2.5 3 abcdef\n4 5.5 6 ghijkl\n7 8.5 9 mnopqr\n10 11.5 12 stuvwx\n13 14.5 15 yzabcd\n16 x\n");
	sink += scans(in);
	expect("scans", "rms", 7, 1);
	expect("scans", "rms+external", 7 * TURNS, 1);
	expect("scans", "trms", 7 * TURNS, 1);
	expect_induced("scans", 0, 7 * TURNS);
	sink += scans_list(in);
	expect("scans_list", "all", 7, 1);
	expect_induced("scans_list", 0, 7);
	sink += scans_some(in);
	expect("scans_some", "rms", 7, 1);
	expect("scans_some", "trms", 7 + 2, 1);
	expect_induced("scans_some", 0, 2);
	strcpy(from, "123 4.5 and more");
	from[15] = 0;
	sink += parses();
	expect("parses", "all", 4, 1);
	expect_induced("parses", 0, 0);
	sink += allocates(stream_of("hello-world"));
	expect("allocates", "all", 3, 1);
	expect_induced("allocates", 0, 3);
	sink += wide(stream_of("abcdef 7"));
	expect("wide", "all", 3, 1);
	expect_induced("wide", 0, 3);
	memset(from, 'x', 19);
	from[19] = 0;
	memset(from + 64, 'y', 40);
	sink += prints(from, from + 64, 7);
	expect("prints", "all", 5 + 2, 1);
	FILE *out = fopen("/dev/null", "w");
	sink += prints_out(out, from);
	expect("prints_out", "all", 5, 1);
	return 0;
}
