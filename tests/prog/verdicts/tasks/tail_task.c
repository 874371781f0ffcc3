/* flags: -O2 -g -fopenmp */
/* True cause: one task, at the construct in hand_on, is much longer than the others. hand_on leaves by a jump into the runtime, so the stack
 * shows the loop in give_out, 20 lines below, as what created the task. */
#include "../work.h"

ROUTINE static void step(int n)
{
	work_ms(n == 0 ? 300 : 1);
}

ROUTINE static void hand_on(int n)
{
#pragma omp task firstprivate(n)
	step(n);
}















ROUTINE static void give_out(void)
{
	for (int n = 0; n < 40; n++)
		hand_on(n);
#pragma omp taskwait
}

int main(void)
{
#pragma omp parallel
#pragma omp single
	give_out();
	return 0;
}
