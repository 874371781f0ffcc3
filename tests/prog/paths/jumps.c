/* SPDX-License-Identifier: MIT */
/* jumps.c: frames that are left by jumps, and what comes back twice. Prints `stops FUNCTION COUNT`: frames of it that never come to an end; and `lost COUNT`. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline))

static jmp_buf here;
static sigjmp_buf there;
static volatile int sink;

APART static void fall(int n, int way)
{
	if (n == 0)
		longjmp(here, way);
	if (n % 3)
		fall(n - 1, way);
	else
		fall(n - 1, way + 1);
	sink++;
}

/* Its own path is left each time that something falls into it, and a new one begins where setjmp returns again. */
APART static int catches(int n)
{
	volatile int caught = 0;
	for (volatile int i = 0; i < n; i++) {
		int way = setjmp(here);
		if (way > 1)
			caught += way;
		else if (way)
			caught--;
		else if (i % 2)
			fall(i, 1);
	}
	return caught;
}

/* The jump is its own. */
APART static int turns(void)
{
	volatile int round = 0;
	setjmp(here);
	if (++round < 10)
		longjmp(here, 1);
	return round;
}

static void handle(int number)
{
	siglongjmp(there, number);
}

APART static int interrupted(void)
{
	volatile int times = 0;
	signal(SIGUSR1, handle);
	while (times < 5)
		if (sigsetjmp(there, 1) == 0)
			raise(SIGUSR1);
		else
			times++;
	return times;
}

/* The comparison jumps out of the C library. */
APART static int compare(const void *a, const void *b)
{
	if (*(const int *)a == 7)
		longjmp(here, 1);
	return *(const int *)a - *(const int *)b;
}

APART static int sorts(void)
{
	int list[] = {7, 3, 9, 1, 5};
	if (setjmp(here))
		return 1;
	qsort(list, 5, sizeof *list, compare);
	return 0;
}

/* The child borrows its parent's memory. */
APART static int borrows(void)
{
	int status;
	pid_t child = vfork();
	if (child == 0) {
		execl("/bin/true", "true", (char *)0);
		_exit(1);
	}
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

int main(void)
{
	int a = catches(20), b = turns(), c = interrupted(), d = sorts(), e = borrows() + borrows();
	printf("%d %d %d %d %d\n", a, b, c, d, e);
	printf("stops fall 100\n"); /* 1 + 3 + … + 19: all but the last, which jumps */
	printf("stops catches 10\n");
	printf("stops interrupted 5\n");
	printf("stops sorts 1\n");
	printf("lost 2\n"); /* what the children of vfork did is not recorded */
	return 0;
}
