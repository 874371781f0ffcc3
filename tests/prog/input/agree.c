/* Algorithms and ways of control, single-threaded, of which both ways of recording have to tell the same (agree.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "agree.h"

enum { MOST = 400 };
static int numbers[MOST], other[MOST];
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
		if (n > 1) /* the model says that qsort reads its array, but it does not read a single element */
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
	varargs();
	control();
	return 0;
}
