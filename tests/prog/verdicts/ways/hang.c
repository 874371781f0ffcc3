/* flags: -O1 -g */
/* True cause: find_free never ends, since the table is full: its loop goes round until the kernel stops the program. */
#include <signal.h>
#include <sys/time.h>

static int table[64];

__attribute__((noinline)) static void fill(void)
{
	for (int i = 0; i < 64; i++)
		table[i] = i + 1;
}

__attribute__((noinline)) static int find_free(unsigned at)
{
	volatile int *places = table;
	while (places[at % 64])
		at++;
	return (int)(at % 64);
}

int main(void)
{
	struct itimerval when = {.it_value.tv_usec = 300000};
	fill();
	setitimer(ITIMER_VIRTUAL, &when, 0);
	return find_free(5);
}
