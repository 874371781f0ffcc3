/* flags: -O1 -g */
/* True cause: find_all reads up to 256 numbers once each; of more numbers it compares each with each other. It grows like n up to 256, then like
 * n^2. */

static int numbers[1600];

__attribute__((noinline)) static int find_all(int count)
{
	int found = 0;
	if (count <= 256) {
		for (int i = 0; i < count; i++)
			found += numbers[i] == i;
		return found;
	}
	for (int i = 0; i < count; i++)
		for (int j = 0; j < i; j++)
			found += numbers[i] == numbers[j];
	return found;
}

int main(void)
{
	int found = 0;
	for (int i = 0; i < 1600; i++)
		numbers[i] = i * 3 % 1000;
	for (int count = 8; count <= 1600; count += count / 12 + 1)
		found += find_all(count);
	return found < 0;
}
