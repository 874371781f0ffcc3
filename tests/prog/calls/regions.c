/* flags: -O2 -g -fno-optimize-sibling-calls */
/* Parts of a routine that are marked by hand, one inside another, one left open by a return. */
#include <skein/skein.h>
#include "../count.h"

ROUTINE static void leaf(void) { __asm__ volatile(""); }
ROUTINE static void middle(void) { leaf(); leaf(); }

ROUTINE static void marked(int turn)
{
	skein_begin("first part");
	leaf();
	skein_begin("inner part");
	middle();
	skein_end();
	skein_end();
	skein_begin("left open");
	leaf();
	if (turn % 2)
		return;
	skein_end();
}

int main(void)
{
	for (int i = 0; i < 10; i++)
		marked(i);
	expect("leaf", 40);
	expect("middle", 10);
	expect("marked", 10);
	dprintf(1, "arc main marked 10\narc middle leaf 20\n");
	return 0;
}
