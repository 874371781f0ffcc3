/* flags: -O1 -g */
/* True cause: none. scan, which has nearly all the cost, reads each number once: it grows like n. */
#include <stdlib.h>

__attribute__((noinline)) static long scan(const int *numbers, int count)
{
	long sum = 0;
	for (int i = 0; i < count; i++)
		sum += numbers[i] ^ i;
	return sum;
}

int main(void)
{
	enum { MOST = 4000 };
	int *numbers = malloc(MOST * sizeof *numbers);
	long sum = 0;
	for (int i = 0; i < MOST; i++)
		numbers[i] = i * 7;
	for (int count = 10; count <= MOST; count += count / 8 + 1)
		sum += scan(numbers, count);
	free(numbers);
	return sum == 0;
}
