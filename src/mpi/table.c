/* SPDX-License-Identifier: MIT */
/* table.c: calls by peer, tag and communicator, in a file that is mapped (raw/messages.h).
 *
 * Rows are found by hashing and are never moved. Any thread may add one: the key is claimed by a compare-and-swap. */
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/hash.h"
#include "keys/environment.h"
#include "mpi/mpi.h"
#include "raw/kernel.h"
#include "raw/messages.h"

extern char **__environ;

enum { COMMS = 254, UNKNOWN_COMM = 255 };

static _Atomic(struct raw_messages *) messages;
static _Atomic intptr_t comms[COMMS]; /* by number, but 0, which is the world */

/* System calls are made before the program's own code runs, which has no filter of them yet. */
_Atomic(const struct filter *) filter_newest;
long filter_ask(long number, const long arguments[6])
{
	(void)number;
	(void)arguments;
	return 0;
}

/* ---- the file ---- */

static const char *folder_of_session(void)
{
	static const char name[] = ENVIRONMENT_SESSION "=";
	for (char **e = __environ; e && *e; e++)
		if (strncmp(*e, name, sizeof name - 1) == 0)
			return *e + sizeof name - 1;
	return NULL;
}

/* FOLDER/PID.messages; false: too long. */
static bool name_file(char path[PATH_MAX], const char *folder, uint32_t pid)
{
	char digits[16];
	size_t length = strlen(folder), count = 0;
	do
		digits[count++] = (char)('0' + pid % 10);
	while ((pid /= 10));
	if (length + count + sizeof RAW_MESSAGES_TAIL + 1 > PATH_MAX)
		return false;
	memcpy(path, folder, length + 1);
	path[length++] = '/';
	while (count)
		path[length++] = digits[--count];
	memcpy(path + length, RAW_MESSAGES_TAIL, sizeof RAW_MESSAGES_TAIL);
	return true;
}

/* The space is there before it is mapped: on a full disk there is no table. A program that becomes another one goes on with its file. */
static struct raw_messages *map_file(const char *path)
{
	int d = (int)kernel_call(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct raw_messages *m = NULL;
	if (d < 0)
		return NULL;
	if (kernel_call(SYS_fallocate, d, 0, 0L, (long)sizeof *m) == 0)
		m = kernel_map(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_SHARED, d, 0);
	kernel_call(SYS_close, d);
	return m;
}

__attribute__((constructor)) static void begin(void)
{
	char path[PATH_MAX];
	const char *folder = folder_of_session();
	struct raw_messages *m = folder && name_file(path, folder, kernel_pid()) ? map_file(path) : NULL;
	if (!m)
		return;
	m->pid = kernel_pid();
	m->calls_known = MPI_CALLS;
	if (m->magic != RAW_MESSAGES_MAGIC)
		m->rank = m->ranks = -1;
	m->magic = RAW_MESSAGES_MAGIC;
	atomic_store(&messages, m);
}

void mpi_world(int32_t rank, int32_t ranks)
{
	struct raw_messages *m = atomic_load(&messages);
	if (!m)
		return;
	m->rank = rank;
	m->ranks = ranks;
}

/* ---- rows ---- */

/* MPICH's handle is a number; Open MPI's is the address of a variable. */
static bool is_world(intptr_t comm, bool is_fortran)
{
	static _Atomic intptr_t world;
	if (is_fortran)
		return comm == 0 || comm == 0x44000000;
	if (!atomic_load_explicit(&world, memory_order_relaxed)) {
		void *symbol = mpi_symbol("ompi_mpi_comm_world");
		atomic_store_explicit(&world, symbol ? (intptr_t)symbol : 0x44000000, memory_order_relaxed);
	}
	return comm == atomic_load_explicit(&world, memory_order_relaxed);
}

static uint32_t number_of(intptr_t comm, bool is_fortran)
{
	if (comm == -1)
		return UNKNOWN_COMM;
	if (is_world(comm, is_fortran))
		return 0;
	intptr_t key = comm << 1 | is_fortran;
	for (uint32_t i = 1; i < COMMS; i++) {
		intptr_t none = 0;
		if (atomic_load_explicit(&comms[i], memory_order_relaxed) == key || atomic_compare_exchange_strong(&comms[i], &none, key) ||
		    none == key)
			return i;
	}
	return UNKNOWN_COMM;
}

static struct raw_message *find(struct raw_messages *m, uint64_t key)
{
	for (uint64_t i = hash_spread(key), n = 0; n < RAW_MESSAGES_ROWS; i++, n++) {
		struct raw_message *row = &m->rows[i % RAW_MESSAGES_ROWS];
		uint64_t now = __atomic_load_n(&row->key, __ATOMIC_RELAXED);
		if (now == key)
			return row;
		if (now)
			continue;
		if (__atomic_load_n(&m->rows_used, __ATOMIC_RELAXED) >= RAW_MESSAGES_MOST)
			return NULL;
		if (__atomic_compare_exchange_n(&row->key, &now, key, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			__atomic_fetch_add(&m->rows_used, 1, __ATOMIC_RELAXED);
			return row;
		}
		if (now == key)
			return row;
	}
	return NULL;
}

/* A place for a row that the table has no room for: the call's own, of which there are fewer than MOST leaves free. */
static struct raw_message *find_shared(struct raw_messages *m, uint32_t call)
{
	uint64_t key = raw_message_key(call, UNKNOWN_COMM, RAW_MESSAGES_SHARED, RAW_MESSAGES_SHARED);
	for (uint64_t i = hash_spread(key), n = 0; n < RAW_MESSAGES_ROWS; i++, n++) {
		struct raw_message *row = &m->rows[i % RAW_MESSAGES_ROWS];
		uint64_t now = 0;
		if (__atomic_load_n(&row->key, __ATOMIC_RELAXED) == key ||
		    __atomic_compare_exchange_n(&row->key, &now, key, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) || now == key)
			return row;
	}
	return NULL;
}

static uint32_t bounded(int64_t value)
{
	return value < 0 ? RAW_MESSAGES_NOBODY : value >= RAW_MESSAGES_SHARED ? RAW_MESSAGES_SHARED : (uint32_t)value;
}

void mpi_count(enum mpi_call call, intptr_t comm, int64_t peer, int64_t tag, uint64_t bytes, uint64_t ticks, bool is_fortran)
{
	struct raw_messages *m = atomic_load_explicit(&messages, memory_order_relaxed);
	if (!m)
		return;
	struct raw_message *row = find(m, raw_message_key(call, number_of(comm, is_fortran), bounded(peer), bounded(tag)));
	if (!row && !(row = find_shared(m, call)))
		return;
	__atomic_fetch_add(&row->calls, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&row->bytes, bytes, __ATOMIC_RELAXED);
	__atomic_fetch_add(&row->wait_ticks, ticks, __ATOMIC_RELAXED);
	if (ticks > __atomic_load_n(&row->longest_ticks, __ATOMIC_RELAXED))
		__atomic_store_n(&row->longest_ticks, ticks, __ATOMIC_RELAXED);
}
