/* What the C library reads, writes and hands out for a routine: memory, text, files, blocks (agree.h). */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include "agree.h"

enum { MOST = 400 };
static int numbers[2 * MOST], other[MOST];
static char text[4 * MOST], second[4 * MOST];
static unsigned state = 1;

static unsigned next_random(void)
{
	return (state = state * 1664525u + 1013904223u) >> 8;
}

static void fill(int *a, int n)
{
	for (int i = 0; i < n; i++)
		a[i] = (int)(next_random() % 1000);
}

static void fill_text(char *to, int bytes)
{
	for (int i = 0; i < bytes; i++)
		to[i] = (char)('a' + i % 7);
	to[bytes] = 0;
}

/* ---- memory and text ---- */

struct big {
	int at[50];
};
static struct big one, two;

ROUTINE void copy(void *to, const void *from, int bytes) { memcpy(to, from, (size_t)bytes); }
ROUTINE void move_up(int *a, int n) { memmove(a + 1, a, (size_t)n * sizeof *a); }
ROUTINE void clear(void *at, int bytes) { memset(at, 0, (size_t)bytes); }
ROUTINE void copy_struct(struct big *to, const struct big *from) { *to = *from; }
ROUTINE int by_copy(struct big b, int at) { return b.at[at] + b.at[at / 2]; }
ROUTINE int hand_over(const struct big *b, int at) { return by_copy(*b, at); }
ROUTINE struct big returned(const int *from)
{
	struct big b;
	for (int i = 0; i < 50; i++)
		b.at[i] = from[i] + 1;
	return b;
}
ROUTINE int uses_returned(const int *from)
{
	struct big b = returned(from);
	return b.at[3] + b.at[47];
}
ROUTINE int length(const char *s) { return (int)strlen(s); }
ROUTINE void copy_text(char *to, const char *s) { strcpy(to, s); }
ROUTINE int compare(const char *a, const char *b) { return strcmp(a, b); }
ROUTINE int compare_memory(const void *a, const void *b, int bytes) { return memcmp(a, b, (size_t)bytes); }
ROUTINE const char *find(const char *s, int c) { return strchr(s, c); }
ROUTINE const char *find_memory(const void *s, int c, int bytes) { return memchr(s, c, (size_t)bytes); }
ROUTINE char *duplicate(const char *s) { return strdup(s); }
ROUTINE void append(char *to, const char *s) { strcat(to, s); }

static void memory(void)
{
	for (int n = 4; n < MOST; n *= 2) {
		fill(numbers, n);
		copy(other, numbers, 4 * n);
		move_up(numbers, n);
		sink += other[n / 2];
		clear(other, 4 * n);
		sink += other[n / 2];
		fill((int *)&two, 50);
		copy_struct(&one, &two);
		sink += by_copy(one, n % 50) + hand_over(&two, n % 50) + uses_returned(two.at);
		fill_text(text, 4 * n - 1);
		fill_text(second, 4 * n - 1);
		sink += length(text) + compare(text, second) + compare_memory(text, second, 4 * n);
		copy_text(second, text);
		text[4 * n - 2] = 'z';
		sink += (int)(find(text, 'z') - text) + (int)((const char *)find_memory(text, 'z', 4 * n) - text);
		second[0] = 0;
		append(second, text);
		free(duplicate(text));
	}
	agree("copy");
	agree("move_up");
	agree("clear");
	agree("copy_struct");
	agree("by_copy");
	agree("hand_over");
	agree("returned");
	agree("uses_returned");
	within("length", OF_TEXT);
	within("copy_text", OF_TEXT);
	within("compare", 2 * OF_TEXT);
	within("compare_memory", 2 * OF_TEXT);
	within("find", OF_TEXT);
	within("find_memory", OF_TEXT);
	within("append", 2 * OF_TEXT);
	within("duplicate", OF_TEXT);
}

/* ---- files ---- */

static int block[64];

ROUTINE long add(const int *a, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += a[i];
	return sum;
}
ROUTINE long read_blocks(int file, int blocks)
{
	long sum = 0;
	for (int i = 0; i < blocks; i++)
		if (pread(file, block, sizeof block, 0) == sizeof block)
			sum += add(block, 64);
	return sum;
}
ROUTINE long read_stream(FILE *in, int blocks)
{
	long sum = 0;
	for (int i = 0; i < blocks; i++)
		if (fread(block, sizeof *block, 16, in) == 16)
			sum += add(block, 16);
	return sum;
}
ROUTINE void send_block(int to, int n)
{
	if (write(to, numbers, (size_t)n * sizeof *numbers) < 0)
		sink++;
}

static void files(void)
{
	char path[] = "input_agree.XXXXXX";
	int file = mkstemp(path), nowhere = open("/dev/null", O_WRONLY);
	unlink(path);
	if (file < 0 || write(file, text, 1024) != 1024 || write(file, text, 1024) != 1024)
		exit(1);
	FILE *in = fdopen(file, "r");
	for (int n = 1; n <= 32; n *= 2) {
		sink += (int)read_blocks(file, n);
		send_block(nowhere, n);
		rewind(in);
		sink += (int)read_stream(in, n);
	}
	agree("add");
	agree("read_blocks");
	within_rms("read_stream", OF_STREAM, OF_STREAM + OF_BUFFER);
	agree("send_block");
}

/* ---- memory that is used again ---- */

ROUTINE long own_memory(int n)
{
	int *a = malloc((size_t)n * sizeof *a);
	for (int i = 0; i < n; i++)
		a[i] = i;
	long sum = add(a, n);
	free(a);
	return sum;
}
ROUTINE int *made(int n)
{
	int *a = malloc((size_t)n * sizeof *a);
	fill(a, n);
	return a;
}
ROUTINE int *cleared(int n) { return calloc((size_t)n, sizeof(int)); }
ROUTINE long uses_cleared(int n)
{
	int *a = cleared(n);
	long sum = add(a, n);
	free(a);
	return sum;
}
ROUTINE long uses_made(int n)
{
	int *a = made(n);
	long sum = add(a, n);
	free(a);
	return sum;
}
ROUTINE int *enlarge(int *a, int n) { return realloc(a, (size_t)n * sizeof *a); }
ROUTINE long uses_enlarged(int n)
{
	int *a = made(n), *hole = malloc(64);
	a = enlarge(a, 2 * n);
	long sum = add(a, n);
	free(a);
	free(hole);
	return sum;
}

static void heap(void)
{
	for (int n = 2; n <= 2048; n *= 2)
		sink += (int)(own_memory(n) + uses_made(n) + uses_cleared(n) + uses_enlarged(n));
	within("own_memory", OF_VECTORS);
	agree("uses_made");
	agree("uses_cleared");
	agree("uses_enlarged");
	agree("enlarge");
	agree("made");
	agree("cleared");
}

/* ---- more of it ---- */

enum { SOME = 256 };
static char line[4 * SOME + 1];

ROUTINE long number(const char *s) { return strtol(s, NULL, 10); }
ROUTINE int compare_some(const char *a, const char *b, int n) { return strncmp(a, b, (size_t)n); }
ROUTINE void copy_some(char *to, const char *from, int n) { strncpy(to, from, (size_t)n); }
ROUTINE int format(char *to, int n) { return sprintf(to, "%d items", n); }
ROUTINE long parts(int from, int n)
{
	static int left[SOME], right[SOME];
	struct iovec v[2] = {{left, (size_t)n * sizeof *left}, {right, (size_t)n * sizeof *right}};
	return readv(from, v, 2) < 0 ? 0 : add(left, n) + add(right, n);
}
ROUTINE void spread(int to, const int *a, int n)
{
	struct iovec v[2] = {{(void *)(uintptr_t)a, (size_t)n * sizeof *a}, {(void *)(uintptr_t)(a + n), (size_t)n * sizeof *a}};
	sink += writev(to, v, 2);
}

static void library(void)
{
	static char other[sizeof line];
	int ends[2];
	if (pipe(ends) < 0)
		exit(1);
	for (int n = 2; n <= SOME; n *= 2) {
		memset(line, '1', 4 * (size_t)n - 1);
		line[n < 16 ? n : 16] = 0;
		sink += number(line);
		memset(line, 'x', 4 * (size_t)n - 1);
		line[4 * n - 1] = 0;
		copy_some(other, line, 4 * n);
		sink += compare_some(line, other, 4 * n) + format(other, n);
		spread(ends[1], numbers, n);
		sink += parts(ends[0], n);
	}
	within("number", OF_LOCALE);
	within("compare_some", 2 * OF_TEXT);
	within("copy_some", OF_TEXT);
	within("format", 1000); /* nothing is known of what it reads */
	agree("parts");
	agree("spread");
}

int main(void)
{
	memory();
	files();
	heap();
	library();
	return 0;
}
