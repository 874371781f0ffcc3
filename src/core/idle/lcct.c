/* SPDX-License-Identifier: MIT */
/* lcct.c: the children of all nodes in one hash table, which many threads and their signal handlers fill at once.
 *
 * Problem: a sample inserts a path of some forty nodes, nearly all of which are there already. Each must be found in
 * constant time, in a handler that may have interrupted another insertion, while other threads insert, and no thread
 * may ever wait.
 * Idea: a slot is one word, the number of a node and eight bits of its hash, written once by compare-and-swap after the
 * node's row is complete. A table that is half full is not rehashed: one of twice the size is put in front of it. A
 * node that is found in an older table is also entered in the newest one, so nodes in use move up and are found by
 * one probe; only new nodes are searched for in all tables. Rows come from the port in chunks. A thread that finds
 * no free row asks for a chunk and offers it to the others; any thread completes the half-done step of an
 * interrupted one. Sharing: the classes of the Appendix overlap: 1-1 may share with M-1 and with 1-M, but these two
 * not with each other. If a path took the first node that it may share, the same path could take different nodes at
 * different times. So a node has the family of the bichord that made it (1-M, or any other), and a path looks in its
 * own family first. A node that has become a base case stays one, so paths that share it find it again.
 * Cost: a hash, a slot and a row for each node of a path; no writes when all are there. Each node takes 24 bytes of
 * the recording and at most 32 of memory.
 * Differs from the paper, where each thread has its own tree with lists of children: here all threads share one
 * tree. */
#include "core/idle/lcct.h"

#include "core/hash.h"

enum { FIRST_SLOTS = 1024, NUMBER_BITS = 24, NUMBER_MASK = (1 << NUMBER_BITS) - 1 };
_Static_assert(LCCT_NODES_MAX <= 1u << NUMBER_BITS, "a number fits a slot");
_Static_assert(sizeof(struct lcct_node) == 24, "a row is written as it is");

struct lcct_chunk {
	struct lcct_node *rows;
	void *handle;
	uint32_t first, count;
};

struct lcct_table {
	struct lcct_table *older;
	uint32_t mask;         /* number of slots - 1 */
	_Atomic uint32_t used; /* slots that are taken or reserved */
	_Atomic uint32_t slots[];
};

/* The node that is being looked up. */
struct key {
	const struct lcct_x *x;
	uint32_t parent;
	uint32_t tag; /* the upper bits of the slot: part of the hash, and the family */
	uint64_t hash;
};

enum { CLASS_0 = 1, CLASS_1 = 2, CLASS_M = 4 }; /* 1-A */

static unsigned classes_of(unsigned association)
{
	static const uint8_t classes[] = {[SKEIN_1_1] = CLASS_1 | CLASS_M,
	                                  [SKEIN_1_0] = CLASS_0,
	                                  [SKEIN_M_0] = CLASS_0,
	                                  [SKEIN_M_1] = CLASS_1,
	                                  [SKEIN_1_M] = CLASS_M};
	return association < sizeof classes ? classes[association] : 0;
}

/* By arithmetic: bit-fields are written in pieces, and reading the word right after that stalls. */
static uint32_t form_of(uint32_t note, unsigned association)
{
	return (note & 0xffffff) | (association + 1) << 24;
}

bool lcct_sharable(const struct lcct_node *node, const struct lcct_x *x)
{
	struct lcct_node seen = {.form = __atomic_load_n(&node->form, __ATOMIC_RELAXED)};
	return node->ip == x->ip && node->lip == x->lip && seen.note == x->note && seen.association &&
		classes_of(seen.association - 1u) & classes_of(x->association);
}

static struct lcct_node *row_at(const struct lcct *tree, uint32_t number)
{
	struct lcct_chunk *chunk = atomic_load_explicit(&tree->pages[(number - 1) / LCCT_ROWS], memory_order_acquire);
	return &chunk->rows[number - chunk->first];
}

const struct lcct_node *lcct_at(const struct lcct *tree, uint32_t number)
{
	return row_at(tree, number);
}

static unsigned family_of(const struct lcct_x *x)
{
	return x->association == SKEIN_1_M;
}

static struct key key_of(uint32_t parent, const struct lcct_x *x, unsigned family)
{
	uint64_t h = hash_spread(x->ip) + x->lip;
	h = (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9) + ((uint64_t)parent << 32 | x->note << 1 | family);
	h = (h ^ h >> 32) * UINT64_C(0x94d049bb133111eb);
	h ^= h >> 29;
	return (struct key){x, parent, (uint32_t)(h >> 57) << 1 | family, h};
}

static bool is_in(const struct lcct *tree, uint32_t slot, const struct key *key)
{
	if (slot >> NUMBER_BITS != key->tag)
		return false;
	const struct lcct_node *node = row_at(tree, slot & NUMBER_MASK);
	return node->parent == key->parent && lcct_sharable(node, key->x);
}

/* No table is ever full, so the search ends. */
static uint32_t find_in(const struct lcct *tree, const struct lcct_table *table, const struct key *key)
{
	for (uint32_t at = (uint32_t)key->hash & table->mask;; at = (at + 1) & table->mask) {
		uint32_t slot = atomic_load_explicit(&table->slots[at], memory_order_acquire);
		if (!slot)
			return 0;
		if (is_in(tree, slot, key))
			return slot & NUMBER_MASK;
	}
}

/* If two threads find the same table too full, both take memory, and that of one is wasted. This is rare: see
 * table_with_room. */
static bool add_table(struct lcct *tree, struct lcct_table *full)
{
	if (atomic_load_explicit(&tree->table, memory_order_acquire) != full)
		return true;
	uint32_t slots = full ? 2 * (full->mask + 1) : FIRST_SLOTS;
	struct lcct_table *fresh = tree->port->memory(tree->context, sizeof *fresh + slots * sizeof *fresh->slots);
	if (!fresh)
		return false;
	fresh->older = full;
	fresh->mask = slots - 1;
	atomic_compare_exchange_strong_explicit(&tree->table, &full, fresh, memory_order_acq_rel, memory_order_acquire);
	return true;
}

/* The newest table, with a slot reserved in it; NULL: no room. The thread whose slot makes the table half full adds
 * the next table. If it failed or was stopped, every thread tries from seven eighths on. */
static struct lcct_table *table_with_room(struct lcct *tree)
{
	for (;;) {
		struct lcct_table *table = atomic_load_explicit(&tree->table, memory_order_acquire);
		if (table) {
			uint32_t slots = table->mask + 1;
			uint32_t used = atomic_fetch_add_explicit(&table->used, 1, memory_order_relaxed);
			if (used == slots / 2)
				add_table(tree, table);
			if (used < slots / 8 * 7)
				return table;
			atomic_fetch_sub_explicit(&table->used, 1, memory_order_relaxed);
		}
		if (!add_table(tree, table))
			return NULL;
	}
}

/* Fills the reserved slot. Returns the node's number in the table, which is another one if another thread was
 * faster. */
static uint32_t put(struct lcct *tree, struct lcct_table *table, const struct key *key, uint32_t number)
{
	for (uint32_t at = (uint32_t)key->hash & table->mask;; at = (at + 1) & table->mask) {
		uint32_t slot = atomic_load_explicit(&table->slots[at], memory_order_acquire);
		if (!slot &&
		    atomic_compare_exchange_strong_explicit(&table->slots[at], &slot, key->tag << NUMBER_BITS | number,
		                                            memory_order_acq_rel, memory_order_acquire))
			return number;
		if (is_in(tree, slot, key)) {
			atomic_fetch_sub_explicit(&table->used, 1, memory_order_relaxed);
			return slot & NUMBER_MASK;
		}
	}
}

static uint32_t find(struct lcct *tree, const struct key *key)
{
	struct lcct_table *newest = atomic_load_explicit(&tree->table, memory_order_acquire);
	for (struct lcct_table *table = newest; table; table = table->older) {
		uint32_t number = find_in(tree, table, key);
		if (!number)
			continue;
		struct lcct_table *to = table != newest ? table_with_room(tree) : NULL;
		if (to)
			put(tree, to, key, number);
		return number;
	}
	return 0;
}

/* A chunk for the numbers from `first` on: of several, the one that was offered first. */
static struct lcct_chunk *offer_chunk(struct lcct *tree, uint32_t first)
{
	_Atomic(struct lcct_chunk *) *page = &tree->pages[(first - 1) / LCCT_ROWS];
	struct lcct_chunk *there = atomic_load_explicit(page, memory_order_acquire);
	if (there)
		return there;
	struct lcct_chunk *chunk = tree->port->memory(tree->context, sizeof *chunk);
	if (!chunk)
		return NULL;
	chunk->rows = tree->port->nodes(tree->context, first, &chunk->count, &chunk->handle);
	chunk->first = first;
	if (chunk->count > LCCT_NODES_MAX - first)
		chunk->count = LCCT_NODES_MAX - first;
	chunk->count -= chunk->count % LCCT_ROWS;
	if (!chunk->rows || !chunk->count)
		return NULL;
	return atomic_compare_exchange_strong_explicit(page, &there, chunk, memory_order_acq_rel, memory_order_acquire) ? chunk : there;
}

/* Adds the numbers from `first`, which was the end. Any thread may repeat each step. */
static bool add_rows(struct lcct *tree, uint32_t first)
{
	if (first + LCCT_ROWS > LCCT_NODES_MAX)
		return false;
	struct lcct_chunk *chunk = offer_chunk(tree, first);
	if (!chunk)
		return false;
	for (uint32_t i = 1; i < chunk->count / LCCT_ROWS; i++)
		atomic_store_explicit(&tree->pages[(first - 1) / LCCT_ROWS + i], chunk, memory_order_release);
	atomic_compare_exchange_strong_explicit(&tree->end, &first, first + chunk->count, memory_order_acq_rel, memory_order_relaxed);
	return true;
}

static uint32_t take_number(struct lcct *tree)
{
	uint32_t number = atomic_load_explicit(&tree->next, memory_order_relaxed);
	do
		if (number == atomic_load_explicit(&tree->end, memory_order_acquire) && !add_rows(tree, number))
			return 0;
	while (!atomic_compare_exchange_weak_explicit(&tree->next, &number, number + 1, memory_order_relaxed, memory_order_relaxed));
	return number;
}

/* The row is complete before its number can be found. If another thread's row was first, this row stays unused. */
static uint32_t add(struct lcct *tree, const struct key *key)
{
	struct lcct_table *table = table_with_room(tree);
	uint32_t number = table ? take_number(tree) : 0;
	if (!number) {
		if (table)
			atomic_fetch_sub_explicit(&table->used, 1, memory_order_relaxed);
		return 0;
	}
	struct lcct_node *node = row_at(tree, number);
	node->parent = key->parent;
	node->ip = key->x->ip;
	node->lip = key->x->lip;
	__atomic_store_n(&node->form, form_of(key->x->note, key->x->association), __ATOMIC_RELEASE);
	const struct lcct_chunk *chunk = atomic_load_explicit(&tree->pages[(number - 1) / LCCT_ROWS], memory_order_relaxed);
	tree->port->used(chunk->handle, number - chunk->first + 1);
	uint32_t there = put(tree, table, key, number);
	if (there != number)
		__atomic_store_n(&node->form, 0, __ATOMIC_RELAXED);
	return there;
}

/* The base-case flag: a bichord that ends where others go on stores its association. */
static void keep_base_case(struct lcct *tree, uint32_t number, const struct lcct_x *x)
{
	if (x->association != SKEIN_1_1 && x->association != SKEIN_1_0)
		return;
	uint32_t *form = &row_at(tree, number)->form, base = form_of(x->note, x->association);
	if (__atomic_load_n(form, __ATOMIC_RELAXED) != base)
		__atomic_store_n(form, base, __ATOMIC_RELAXED);
}

/* The usual case: the node is in the newest table and needs no flag. */
static uint32_t find_at_once(const struct lcct *tree, const struct key *key)
{
	const struct lcct_table *table = atomic_load_explicit(&tree->table, memory_order_acquire);
	uint32_t form = form_of(key->x->note, key->x->association);
	for (uint32_t at = (uint32_t)key->hash; table; at++) {
		uint32_t slot = atomic_load_explicit(&table->slots[at & table->mask], memory_order_acquire);
		if (!slot)
			break;
		if (slot >> NUMBER_BITS != key->tag)
			continue;
		const struct lcct_node *node = row_at(tree, slot & NUMBER_MASK);
		if (node->ip == key->x->ip && node->lip == key->x->lip && node->parent == key->parent &&
		    __atomic_load_n(&node->form, __ATOMIC_RELAXED) == form)
			return slot & NUMBER_MASK;
	}
	return 0;
}

static __attribute__((noinline)) uint32_t find_or_add(struct lcct *tree, uint32_t parent, const struct lcct_x *x)
{
	struct key key = key_of(parent, x, family_of(x));
	uint32_t number = find(tree, &key);
	if (!number && x->note == 1 && x->ip && x->lip) {
		struct key other = key_of(parent, x, !family_of(x));
		number = find(tree, &other);
	}
	if (!number)
		return add(tree, &key);
	keep_base_case(tree, number, x);
	return number;
}

uint32_t lcct_child(struct lcct *tree, uint32_t parent, const struct lcct_x *x)
{
	struct key key = key_of(parent, x, family_of(x));
	uint32_t number = find_at_once(tree, &key);
	return number ? number : find_or_add(tree, parent, x);
}

uint32_t lcct_extend(struct lcct *tree, uint32_t node, const struct lcct_x *path, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		node = lcct_child(tree, node, &path[i]);
		if (!node)
			return 0;
	}
	return node;
}

uint32_t lcct_insert(struct lcct *tree, const struct lcct_x *path, size_t count)
{
	return lcct_extend(tree, 0, path, count);
}

void lcct_start(struct lcct *tree, const struct lcct_port *port, void *context)
{
	tree->port = port;
	tree->context = context;
	atomic_init(&tree->table, NULL);
	atomic_init(&tree->next, 1);
	atomic_init(&tree->end, 1);
}
