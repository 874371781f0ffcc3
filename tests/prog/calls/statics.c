/* flags: -O2 -g -fno-optimize-sibling-calls */
/* with: statics_other.c */
/* Two static functions of one name in two files are two routines. */
#include "../count.h"

void other(void);

COUNTED(helper);
ROUTINE static void helper(void) { COUNT(helper); }

int main(void)
{
	for (int i = 0; i < 100; i++)
		helper();
	for (int i = 0; i < 11; i++)
		other();
	expect("helper@statics.c", count_of_helper);
	expect("helper@statics_other.c", 33);
	expect("other", 11);
	return 0;
}
