/* Single-threaded work of many kinds, which both ways of recording have to see alike. It prints how near they must be:
 *
 *     agree ROUTINE              the same calls and the same sizes, by each metric
 *     within ROUTINE CELLS       the same calls, and under Valgrind so many cells more at most in each: see doc/input.md
 *     within ROUTINE CELLS RMS   … and another number by rms */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUTINE __attribute__((noinline)) static

enum { MOST = 400 };
static int numbers[MOST], other[MOST];
static char text[4 * MOST], second[4 * MOST];
static volatile int sink;
static unsigned state = 1;

static void agree(const char *routine) { printf("agree %s\n", routine); }
static void within(const char *routine, int cells) { printf("within %s %d\n", routine, cells); }
static void within_rms(const char *routine, int cells, int rms) { printf("within %s %d %d\n", routine, cells, rms); }

/* What is allowed, in cells: of each text, vectors of 64 bytes, four at a time and one before and behind them; a stream's own words, and by rms its buffer; what qsort asks
 * the kernel about memory, and the guard of its stack; vectors of constants that a loop begins and goes on with. */
enum { OF_TEXT = 6 * 16, OF_STREAM = 64, OF_BUFFER = 1024, OF_SORT = 28 + 2, OF_VECTORS = 2 * 16 };

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

/* ---- sorts ---- */

ROUTINE void insertion_sort(int *a, int n)
{
	for (int i = 1; i < n; i++) {
		int x = a[i], j = i;
		for (; j > 0 && a[j - 1] > x; j--)
			a[j] = a[j - 1];
		a[j] = x;
	}
}

ROUTINE void merge_sort(int *a, int *room, int n)
{
	int half = n / 2, i = 0, j = half, k = 0;
	if (n < 2)
		return;
	merge_sort(a, room, half);
	merge_sort(a + half, room, n - half);
	while (i < half && j < n) {
		int left = a[i] <= a[j];
		room[k++] = left ? a[i++] : a[j++];
	}
	while (i < half)
		room[k++] = a[i++];
	while (j < n)
		room[k++] = a[j++];
	memcpy(a, room, (size_t)n * sizeof *a);
}

ROUTINE void quick_sort(int *a, int n)
{
	int i = 0, j = n - 1;
	if (n < 2)
		return;
	for (int pivot = a[n / 2]; i <= j;) {
		while (a[i] < pivot)
			i++;
		while (a[j] > pivot)
			j--;
		if (i <= j) {
			int x = a[i];
			a[i++] = a[j];
			a[j--] = x;
		}
	}
	quick_sort(a, j + 1);
	quick_sort(a + i, n - i);
}

ROUTINE int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}
ROUTINE void library_sort(int *a, int n) { qsort(a, (size_t)n, sizeof *a, by_value); }
ROUTINE int *library_search(int key, int *a, int n) { return bsearch(&key, a, (size_t)n, sizeof *a, by_value); }

static void sorts(void)
{
	for (int n = 1; n <= MOST; n += n / 2 + 1) {
		fill(numbers, n);
		insertion_sort(numbers, n);
		fill(numbers, n);
		merge_sort(numbers, other, n);
		fill(numbers, n);
		quick_sort(numbers, n);
		fill(numbers, n);
		library_sort(numbers, n);
		sink += library_search(numbers[n / 2], numbers, n) != NULL;
	}
	agree("insertion_sort");
	agree("merge_sort");
	agree("quick_sort");
	within("library_sort", OF_SORT);
	agree("by_value");
	agree("library_search");
}

/* ---- lists and trees ---- */

struct node {
	struct node *left, *right;
	int key;
};

ROUTINE struct node *push(struct node *list, int key)
{
	struct node *n = malloc(sizeof *n);
	n->left = list;
	n->right = NULL;
	n->key = key;
	return n;
}
ROUTINE long walk(const struct node *list)
{
	long sum = 0;
	for (; list; list = list->left)
		sum += list->key;
	return sum;
}
ROUTINE struct node *reverse(struct node *list)
{
	struct node *to = NULL;
	while (list) {
		struct node *rest = list->left;
		list->left = to;
		to = list;
		list = rest;
	}
	return to;
}
ROUTINE void drop(struct node *list)
{
	while (list) {
		struct node *rest = list->left;
		free(list);
		list = rest;
	}
}
ROUTINE struct node *grow(struct node *tree, int key)
{
	if (!tree)
		return push(NULL, key);
	if (key < tree->key)
		tree->left = grow(tree->left, key);
	else
		tree->right = grow(tree->right, key);
	return tree;
}
ROUTINE int height(const struct node *tree)
{
	if (!tree)
		return 0;
	int left = height(tree->left), right = height(tree->right);
	return 1 + (left > right ? left : right);
}

static void lists(void)
{
	for (int n = 1; n <= MOST; n *= 3) {
		struct node *list = NULL, *tree = NULL;
		for (int i = 0; i < n; i++) {
			list = push(list, i);
			tree = grow(tree, (int)(next_random() % 1000));
		}
		sink += (int)walk(list) + height(tree);
		list = reverse(list);
		sink += (int)walk(list);
		drop(list);
	}
	agree("walk");
	agree("reverse");
	agree("push");
	agree("grow");
	agree("height");
	agree("drop");
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
		clear(other, 4 * n);
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

/* ---- arguments without names ---- */

ROUTINE int add_all(int n, ...)
{
	va_list list;
	int sum = 0;
	va_start(list, n);
	while (n--)
		sum += va_arg(list, int);
	va_end(list);
	return sum;
}
ROUTINE int add_list(int n, va_list list)
{
	int sum = 0;
	while (n--)
		sum += va_arg(list, int);
	return sum;
}
ROUTINE int hand_on(int n, ...)
{
	va_list list;
	va_start(list, n);
	int sum = add_list(n, list);
	va_end(list);
	return sum;
}

static void varargs(void)
{
	sink += add_all(3, 1, 2, 3) + add_all(9, 1, 2, 3, 4, 5, 6, 7, 8, 9);
	sink += hand_on(3, 1, 2, 3) + hand_on(9, 1, 2, 3, 4, 5, 6, 7, 8, 9);
	agree("add_all");
	agree("hand_on");
	agree("add_list");
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

/* ---- control ---- */

static jmp_buf back;
ROUTINE int deep(const int *a, int n)
{
	if (n == 0)
		longjmp(back, 1);
	return a[n] + deep(a, n - 1);
}
ROUTINE int jumps(const int *a, int n)
{
	volatile int sum = 0;
	if (setjmp(back) == 0)
		sum += deep(a, n);
	return sum + a[0];
}
ROUTINE long fibonacci(long n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
ROUTINE int twice(const int *a, int n) { return 2 * a[n]; }
ROUTINE int thrice(const int *a, int n) { return 3 * a[n] + a[0]; }
static int (*volatile functions[])(const int *, int) = {twice, thrice};
ROUTINE int through(const int *a, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += functions[i % 2](a, i);
	return sum;
}
ROUTINE int constants(int n)
{
	static const int table[] = {3, 1, 4, 1, 5, 9, 2, 6};
	int sum = 0;
	for (int i = 0; i < n && i < 8; i++)
		sum += ((const volatile int *)table)[i];
	return sum;
}
ROUTINE int is_odd(const int *a, int n);
ROUTINE int is_even(const int *a, int n) { return n == 0 ? a[0] : is_odd(a, n - 1) + 1; }
ROUTINE int is_odd(const int *a, int n) { return n == 0 ? a[1] : is_even(a, n - 1) + 2; }

static void control(void)
{
	for (int n = 1; n < 100; n *= 2)
		sink += jumps(numbers, n) + through(numbers, n) + is_even(numbers, n) + constants(n);
	sink += (int)fibonacci(12);
	agree("deep");
	agree("jumps");
	agree("fibonacci");
	agree("twice");
	agree("thrice");
	agree("through");
	within("constants", 8);
	agree("is_even");
	agree("is_odd");
}

int main(void)
{
	sorts();
	lists();
	memory();
	varargs();
	files();
	heap();
	control();
	return 0;
}
