/* Loops over functions of the C library whose cost is in those functions. Both ways of recording must find the same growth:
 *
 *     model ROUTINE GROWTH */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUTINE __attribute__((noinline)) static

enum { MOST = 4096, PIECE = 8 };
static char pieces[MOST][PIECE], text[MOST * PIECE + 1];
static long numbers[MOST], sorted[MOST + 1];
static volatile long sink;

/* Each time from the start of the text. */
ROUTINE void append_all(int n)
{
	text[0] = 0;
	for (int i = 0; i < n; i++)
		strcat(text, pieces[i]);
}

/* Each time all that is larger is moved. */
ROUTINE void insert_all(int n)
{
	for (int used = 0; used < n; used++) {
		memmove(sorted + 1, sorted, (size_t)used * sizeof *sorted);
		sorted[0] = numbers[used];
	}
}

/* The length is asked for again and again. */
ROUTINE void capitals(char *s)
{
	for (size_t i = 0; i < strlen(s); i += PIECE)
		s[i] = (char)(s[i] - 'a' + 'A');
}

/* As it should be. */
ROUTINE void join_all(int n)
{
	char *end = text;
	for (int i = 0; i < n; i++) {
		memcpy(end, pieces[i], PIECE - 1);
		end += PIECE - 1;
	}
	*end = 0;
}

/* From some size on by other instructions, which is no reason to cost more. */
ROUTINE void copy_all(int n) { memcpy(sorted, numbers, (size_t)n * sizeof *sorted); }
ROUTINE long clear_all(int n)
{
	memset(sorted, 0, (size_t)n * sizeof *sorted);
	for (int i = 0; i < n; i += 64)
		sorted[i] = numbers[i];
	return sorted[n / 2];
}

int main(void)
{
	for (int i = 0; i < MOST; i++) {
		memset(pieces[i], 'a' + i % 26, PIECE - 1);
		numbers[i] = MOST - i;
	}
	for (int n = 100; n <= MOST; n += n / 3) {
		append_all(n);
		insert_all(n);
		join_all(n);
		capitals(text);
		sink += text[n] + sorted[n - 1];
		copy_all(n);
		sink += sorted[n - 1] + clear_all(n);
	}
	puts("model append_all n^2\nmodel insert_all n^2\nmodel capitals n^2\nmodel join_all n\nmodel copy_all n\nmodel clear_all n");
	return 0;
}
