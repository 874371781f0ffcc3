/* SPDX-License-Identifier: MIT */
#include "trace/chunks.h"

#include <stdatomic.h>
#include "core/flow/log.h"
#include "raw/writer.h"
#include "threads/arena.h"

enum { FIRST_WORDS = 512, MORE_WORDS = 8192, SMALL_ONES = 4 };

struct chunk_node {
	struct chunk_node *newer;
	struct raw_table *table;
};

static struct {
	uint64_t most; /* 0: no limit */
	_Atomic uint64_t used;
} kept;

void chunks_keep(uint64_t bytes)
{
	kept.most = bytes;
}

bool chunks_are_ring(void)
{
	return kept.most;
}

void chunks_restart(void)
{
	atomic_store(&kept.used, 0);
}

/* A thread that does little needs little. */
static struct raw_table *new_table(struct chunks *c, uint32_t lane)
{
	uint32_t words = c->count < SMALL_ONES ? FIRST_WORDS : MORE_WORDS;
	struct raw_table *table = raw_add_table(RAW_FLOW_LOG, lane, c->count, words);
	if (!table)
		return NULL;
	atomic_fetch_add(&kept.used, words * sizeof(uint64_t));
	c->count++;
	table->used = words;
	return table;
}

/* A reader must not find old records under the new number. */
static struct raw_table *oldest_table(struct chunks *c)
{
	struct chunk_node *node = c->oldest;
	struct flow_head *head = raw_rows(node->table);
	c->oldest = node->newer;
	node->newer = NULL;
	c->newest = c->newest->newer = node;
	__atomic_store_n(&head->used, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&node->table->object, c->count++, __ATOMIC_RELEASE);
	return node->table;
}

static void remember(struct chunks *c, struct raw_table *table)
{
	struct chunk_node *node = arena_take(sizeof *node);
	if (!node)
		return; /* the table is never used again, and is kept */
	*node = (struct chunk_node){.table = table};
	if (c->newest)
		c->newest->newer = node;
	else
		c->oldest = node;
	c->newest = node;
}

struct raw_table *chunks_next(struct chunks *c, uint32_t lane)
{
	if (kept.most && c->oldest != c->newest && atomic_load(&kept.used) >= kept.most)
		return oldest_table(c);
	struct raw_table *table = new_table(c, lane);
	if (table && kept.most)
		remember(c, table);
	return table;
}
