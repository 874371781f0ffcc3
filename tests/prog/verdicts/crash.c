/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: read_header writes to the null pointer, after a while of ordinary work, and ends the program. */
#include <signal.h>
#include "work.h"

static int *volatile header;

ROUTINE static void read_header(void)
{
	work_ms(50);
	*header = 1;
}

int main(void)
{
	work_ms(50);
	read_header();
	return 0;
}
