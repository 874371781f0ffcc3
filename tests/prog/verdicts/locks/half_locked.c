/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: a third of each worker's work is under the one lock `totals_lock`, in add_totals. Several workers are busy nearly always, with the other two thirds; but six of them
 * never are. */
#include <pthread.h>
#include "../work.h"

enum { THREADS = 6, ROUNDS = 20 };

static pthread_mutex_t totals_lock = PTHREAD_MUTEX_INITIALIZER;

ROUTINE static void add_totals(void)
{
	pthread_mutex_lock(&totals_lock);
	work_ms(5);
	pthread_mutex_unlock(&totals_lock);
}

ROUTINE static void read_orders(void)
{
	work_ms(10);
}

ROUTINE static void *count_orders(void *none)
{
	for (int i = 0; i < ROUNDS; i++) {
		read_orders();
		add_totals();
	}
	return none;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, count_orders, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
