/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -D_GNU_SOURCE -pthread */
/* linked: early_library.c */
/* Needs a library whose constructor starts a thread, which burns before main begins and while it runs. */
#include "truth.h"

void early_join(void);
BURNS(in_main)

int main(void)
{
	truth_start();
	in_main(100 * MS);
	early_join();
	truth_print();
	return 0;
}
