/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: one lock in allocated memory, which account_move holds for nearly all of its work. */
#include <pthread.h>
#include <stdlib.h>
#include "../work.h"

enum { THREADS = 4, ROUNDS = 40 };

struct account {
	long sum;
	pthread_mutex_t lock;
};

ROUTINE static void account_move(struct account *account)
{
	pthread_mutex_lock(&account->lock);
	work_ms(5);
	account->sum++;
	pthread_mutex_unlock(&account->lock);
}

ROUTINE static void *trade(void *account)
{
	for (int i = 0; i < ROUNDS; i++)
		account_move(account);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	struct account *account = calloc(1, sizeof *account);
	pthread_mutex_init(&account->lock, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, trade, account);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	free(account);
	return 0;
}
