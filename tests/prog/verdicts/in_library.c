/* flags: -O2 -g */
/* True cause: order_names has all the work, nearly all of it in the C library's qsort. */
#include <stdlib.h>
#include <string.h>
#include "work.h"

enum { NAMES = 300000 };

static char names[NAMES][8];

ROUTINE static int order_names(void)
{
	qsort(names, NAMES, sizeof *names, (int (*)(const void *, const void *))strcmp);
	return names[0][0];
}

int main(void)
{
	for (unsigned i = 0; i < NAMES; i++)
		for (unsigned k = 0; k < 7; k++)
			names[i][k] = (char)('a' + i * 2654435761u % (k * 31 + 97) % 26);
	int sum = 0;
	for (int i = 0; i < 4; i++)
		sum += order_names();
	return sum < 0;
}
