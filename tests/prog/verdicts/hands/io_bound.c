/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: one thread, which mostly waits in fetch for input that another program sends slowly. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "../work.h"

ROUTINE static int fetch(int in)
{
	char line[8];
	return (int)read(in, line, sizeof line);
}

int main(void)
{
	FILE *from = popen("for i in 1 2 3 4 5 6; do sleep 0.2; echo x; done", "r");
	if (!from)
		return 1;
	while (fetch(fileno(from)) > 0)
		work_ms(5);
	pclose(from);
	return 0;
}
