/* SPDX-License-Identifier: MIT */
/* blocks.c: a column of a table is read from a file, block by block, into one buffer, as a data base does it: Figure 4 of the paper, and its Example 4.
 *
 *     blocks [ROWS]
 *
 * By rms the input of select_rows is the buffer, however long the table is: a query seems to cost ever more for the same input. `skein record input` counts what the kernel
 * has written since (trms), and finds that select_rows grows like n. `skein report input --metric rms` shows what would be seen without. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROWS = 256 };

static unsigned block[ROWS];

/* How many rows of the table have a value above the limit? */
static unsigned select_rows(int table, unsigned limit)
{
	unsigned found = 0;
	ssize_t bytes;
	while ((bytes = read(table, block, sizeof block)) > 0)
		for (size_t i = 0; i < (size_t)bytes / sizeof *block; i++)
			found += block[i] > limit;
	return found;
}

/* Adds rows until there are so many; every third one has a value above 1,000. */
static void extend(int table, unsigned from, unsigned to)
{
	if (lseek(table, (off_t)(from * sizeof *block), SEEK_SET) < 0)
		exit(1);
	for (unsigned i = from; i < to; i++) {
		unsigned row = i % 3 ? i % 1000 : 2000 + i;
		if (write(table, &row, sizeof row) != sizeof row)
			exit(1);
	}
	lseek(table, 0, SEEK_SET);
}

int main(int argc, char **argv)
{
	char path[] = "/tmp/blocks.XXXXXX";
	unsigned largest = argc > 1 ? (unsigned)atoi(argv[1]) : 10000, rows = 0, tables = 0;
	int table = mkstemp(path), right = 1;
	if (largest < 400 || table < 0) {
		fputs("usage: blocks [ROWS], 400 or more; it needs a file in /tmp\n", stderr);
		return 2;
	}
	unlink(path);
	for (unsigned n = 400; n <= largest; n += n / 4) {
		extend(table, rows, n);
		rows = n;
		right = right && select_rows(table, 1000) == (n + 2) / 3;
		tables++;
	}
	printf("%u tables of up to %u rows: %s\n", tables, rows, right ? "right" : "wrong");
	return !right;
}
