/* flags: -O2 -g -fno-optimize-sibling-calls */
/* entered: before after at_exit */
/* Routines that run before main, after it, and at exit. */
#include <stdlib.h>
#include "../count.h"

COUNTED(step);
ROUTINE static void step(void) { COUNT(step); }
__attribute__((constructor)) ROUTINE static void before(void) { step(); step(); }
__attribute__((destructor)) ROUTINE static void after(void) { step(); step(); step(); }
ROUTINE static void at_exit(void) { step(); }

int main(void)
{
	atexit(at_exit);
	step();
	expect("step", 7);
	expect("before", 1);
	expect("after", 1);
	expect("at_exit", 1);
	expect("main", 1);
	return 0;
}
