/* The library of opens.c. */
int library_work(int turns);

__attribute__((noinline)) static int library_step(volatile int *sum, int i)
{
	return *sum += i;
}

__attribute__((noinline)) int library_work(int turns)
{
	volatile int sum = 0;
	for (int i = 1; i <= turns; i++)
		library_step(&sum, i);
	return sum;
}
