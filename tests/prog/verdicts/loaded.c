/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: other programs take the core. The program is one thread that works in solve, all the time. */
#include "work.h"

ROUTINE static void solve(void) { work_ms(300); }

int main(void)
{
	solve();
	return 0;
}
