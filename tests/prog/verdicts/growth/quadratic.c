/* flags: -O1 -g */
/* True cause: count_pairs compares each number with each other: it grows like n^2. read_all grows like n. */
#include <stdlib.h>

static int numbers[800];

__attribute__((noinline)) static void read_all(int count)
{
	unsigned state = (unsigned)count;
	for (int i = 0; i < count; i++)
		numbers[i] = (int)((state = state * 1103515245 + 12345) >> 20);
}

__attribute__((noinline)) static int count_pairs(int count)
{
	int pairs = 0;
	for (int i = 0; i < count; i++)
		for (int j = 0; j < i; j++)
			pairs += numbers[i] == numbers[j];
	return pairs;
}

int main(void)
{
	int pairs = 0;
	for (int count = 8; count <= 800; count += count / 6 + 1) {
		read_all(count);
		pairs += count_pairs(count);
	}
	return pairs < 0;
}
