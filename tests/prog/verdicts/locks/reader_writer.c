/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: a writer holds the read-write lock `map.lock` for most of the time; readers wait for it in map_get. */
#include <pthread.h>
#include "../work.h"

enum { READERS = 3, ROUNDS = 60 };

static struct {
	int size;
	pthread_rwlock_t lock;
} map = {.lock = PTHREAD_RWLOCK_INITIALIZER};
static volatile int is_over;

ROUTINE static void map_get(void)
{
	pthread_rwlock_rdlock(&map.lock);
	work_ms(1);
	pthread_rwlock_unlock(&map.lock);
}

ROUTINE static void map_put(void)
{
	pthread_rwlock_wrlock(&map.lock);
	work_ms(15);
	map.size++;
	pthread_rwlock_unlock(&map.lock);
}

ROUTINE static void *read_map(void *none)
{
	while (!is_over)
		map_get();
	return none;
}

ROUTINE static void *write_map(void *none)
{
	for (int i = 0; i < ROUNDS; i++)
		map_put();
	is_over = 1;
	return none;
}

int main(void)
{
	pthread_t readers[READERS], writer;
	pthread_rwlockattr_t attr;
	pthread_rwlockattr_init(&attr);
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&map.lock, &attr);
	pthread_create(&writer, NULL, write_map, NULL);
	for (int i = 0; i < READERS; i++)
		pthread_create(&readers[i], NULL, read_map, NULL);
	pthread_join(writer, NULL);
	for (int i = 0; i < READERS; i++)
		pthread_join(readers[i], NULL);
	return 0;
}
