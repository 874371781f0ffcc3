/* SPDX-License-Identifier: MIT */
/* nearest.c: finds the name that a mistyped word probably means.
 *
 * The distance is the number of letters to insert, remove, change or swap with their neighbour (Damerau and
 * Levenshtein, restricted), found row by row in O(length^2). A name counts as near if a third of it is wrong at most. */
#include <string.h>

#include "base/nearest.h"

enum { LONGEST = 31 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t distance(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), rows[LONGEST + 2][LONGEST + 2];
	if (n > LONGEST || m > LONGEST)
		return LONGEST;
	for (size_t i = 0; i <= n; i++) {
		for (size_t j = 0; j <= m; j++) {
			if (i == 0 || j == 0) {
				rows[i][j] = i + j;
				continue;
			}
			size_t change = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			rows[i][j] = least(change, least(rows[i - 1][j], rows[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				rows[i][j] = least(rows[i][j], rows[i - 2][j - 2] + 1);
		}
	}
	return rows[n][m];
}

const char *nearest(const char *typed, const char *const *names)
{
	const char *best = NULL;
	size_t best_distance = 0;
	for (; *names; names++) {
		size_t d = distance(typed, *names);
		size_t allowed = (least(strlen(*names), strlen(typed)) + 2) / 3;
		if (d <= allowed && (!best || d < best_distance)) {
			best = *names;
			best_distance = d;
		}
	}
	return best;
}
