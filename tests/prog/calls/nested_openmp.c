/* flags: -O2 -g -fopenmp -fno-optimize-sibling-calls */
/* Teams inside teams: the C-C case that Cedar did not have. */
#include <omp.h>
#include "../count.h"

COUNTED(outer);
COUNTED(inner);

ROUTINE static void inner(void)
{
	COUNT(inner);
}

ROUTINE static void outer(void)
{
	COUNT(outer);
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 50; i++)
		inner();
}

int main(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 20; i++)
		outer();
	EXPECT(outer);
	EXPECT(inner);
	expect("main", 1);
	return 0;
}
