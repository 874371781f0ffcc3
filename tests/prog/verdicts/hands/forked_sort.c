/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: the program itself is serial and waits in run_child for another program to end. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../work.h"

ROUTINE static void run_child(void)
{
	pid_t child = fork();
	if (child == 0) {
		execlp("sleep", "sleep", "1", (char *)NULL);
		_exit(127);
	}
	waitpid(child, NULL, 0);
}

int main(void)
{
	work_ms(20);
	run_child();
	return 0;
}
