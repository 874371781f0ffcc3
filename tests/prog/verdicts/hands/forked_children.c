/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: none to find. Three forked children work at the same time, each by itself; nothing is serial but main, which waits. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../work.h"

ROUTINE static void crunch(void) { work_ms(400); }

int main(void)
{
	for (int i = 0; i < 3; i++)
		if (fork() == 0) {
			crunch();
			exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
