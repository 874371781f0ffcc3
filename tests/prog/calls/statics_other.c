/* The other half of statics.c. */
#include "../count.h"

void other(void);

COUNTED(helper);
ROUTINE static void helper(void) { COUNT(helper); }

ROUTINE void other(void)
{
	for (int i = 0; i < 3; i++)
		helper();
}
