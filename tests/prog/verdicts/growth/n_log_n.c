/* flags: -O1 -g */
/* True cause: none. sort, which has nearly all the cost, is a merge sort: it grows like n log n. */

static int numbers[8192], room[8192];

__attribute__((noinline)) static void sort(int *from, int *to, int count)
{
	int half = count / 2, a = 0, b = half;
	if (count < 2)
		return;
	sort(from, to, half);
	sort(from + half, to + half, count - half);
	for (int i = 0; i < count; i++)
		to[i] = b == count || (a < half && from[a] <= from[b]) ? from[a++] : from[b++];
	for (int i = 0; i < count; i++)
		from[i] = to[i];
}

int main(void)
{
	unsigned state = 1;
	for (int count = 16; count <= 8192; count += count / 4) {
		for (int i = 0; i < count; i++)
			numbers[i] = (int)((state = state * 1103515245 + 12345) >> 8);
		sort(numbers, room, count);
	}
	return 0;
}
