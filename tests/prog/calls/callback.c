/* flags: -O2 -g -fno-optimize-sibling-calls */
/* entered: compare */
/* libc calls back: compare() is entered from qsort, which is foreign; its caller is the routine that called qsort. */
#include <stdlib.h>
#include "../count.h"

enum { ITEMS = 20000 };
COUNTED(compare);

ROUTINE static int compare(const void *a, const void *b)
{
	COUNT(compare);
	return *(const int *)a - *(const int *)b;
}

ROUTINE static void sort(int *items)
{
	qsort(items, ITEMS, sizeof *items, compare);
}

int main(void)
{
	static int items[ITEMS];
	unsigned random = 1;
	for (int i = 0; i < ITEMS; i++)
		items[i] = (int)((random = random * 1103515245 + 12345) >> 8);
	sort(items);
	for (int i = 1; i < ITEMS; i++)
		if (items[i - 1] > items[i])
			return 1;
	EXPECT(compare);
	expect("sort", 1);
	return 0;
}
