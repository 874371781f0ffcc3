/* SPDX-License-Identifier: MIT */
/* agents.c: the table of agents.
 *
 * Problem: the table is read for each frame of each sample, in signal handlers, while libraries come and go.
 * Idea: a row has a counter of turns that is odd while the row changes: a reader that saw an odd or another turn takes
 * the row for empty. Bits of the filter are set before a row is valid and stay set when it goes: then they only cost
 * a search of the table.
 * Cost: an agentless page is one load and a test. */
#include "sample/agents.h"
#include <stdatomic.h>
#include <stdbool.h>
#include "core/idle/logical.h"

#define EXPORT __attribute__((visibility("default")))

enum { AGENTS = 64 };

struct row {
	_Atomic uint32_t turn;                     /* odd: being written */
	_Atomic(const struct skein_agent *) agent; /* NULL: free */
	_Atomic uintptr_t start, end;
};

static struct row rows[AGENTS];
_Atomic uint64_t agents_filter[AGENTS_WORDS];

/* Takes a row for writing; other threads skip a row that is taken. */
static bool row_take(struct row *row, const struct skein_agent *holds)
{
	uint32_t turn = atomic_load_explicit(&row->turn, memory_order_acquire);
	if (turn % 2 || atomic_load_explicit(&row->agent, memory_order_relaxed) != holds)
		return false;
	return atomic_compare_exchange_strong_explicit(&row->turn, &turn, turn + 1, memory_order_acq_rel, memory_order_relaxed);
}

static void row_write(struct row *row, const struct skein_agent *agent, uintptr_t start, uintptr_t end)
{
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&row->agent, agent, memory_order_relaxed);
	atomic_store_explicit(&row->start, start, memory_order_relaxed);
	atomic_store_explicit(&row->end, end, memory_order_relaxed);
	atomic_fetch_add_explicit(&row->turn, 1, memory_order_release);
}

static const struct skein_agent *row_agent(struct row *row, uintptr_t ip)
{
	uint32_t turn = atomic_load_explicit(&row->turn, memory_order_acquire);
	const struct skein_agent *agent = atomic_load_explicit(&row->agent, memory_order_relaxed);
	uintptr_t start = atomic_load_explicit(&row->start, memory_order_relaxed),
		  end = atomic_load_explicit(&row->end, memory_order_relaxed);
	if (!agent || ip < start || ip >= end)
		return NULL;
	atomic_thread_fence(memory_order_acquire);
	return turn % 2 || atomic_load_explicit(&row->turn, memory_order_relaxed) != turn ? NULL : agent;
}

const struct skein_agent *agents_search(uintptr_t ip)
{
	for (int i = 0; i < AGENTS; i++) {
		const struct skein_agent *agent = row_agent(&rows[i], ip);
		if (agent)
			return agent;
	}
	return NULL;
}

static void filter_add(uintptr_t start, uintptr_t end)
{
	uintptr_t page = start >> AGENTS_PAGE_SHIFT, last = (end - 1) >> AGENTS_PAGE_SHIFT;
	if (last - page >= 64ul * AGENTS_WORDS)
		last = page + 64ul * AGENTS_WORDS - 1; /* the range covers all pages */
	for (; page <= last; page++)
		atomic_fetch_or_explicit(&agents_filter[page / 64 % AGENTS_WORDS], UINT64_C(1) << page % 64, memory_order_relaxed);
}

EXPORT int skein_agent_register(const struct skein_agent *agent, const void *start, const void *end)
{
	if (!agent || agent->version != SKEIN_AGENT_VERSION || !agent->begin || (uintptr_t)start >= (uintptr_t)end)
		return -1;
	for (int i = 0; i < AGENTS; i++) {
		struct row *row = &rows[i];
		if (!row_take(row, NULL))
			continue;
		filter_add((uintptr_t)start, (uintptr_t)end);
		row_write(row, agent, (uintptr_t)start, (uintptr_t)end);
		return 0;
	}
	return -1;
}

EXPORT int skein_agent_unregister(const struct skein_agent *agent)
{
	int result = -1;
	for (int i = 0; agent && i < AGENTS; i++) {
		if (!row_take(&rows[i], agent))
			continue;
		row_write(&rows[i], NULL, 0, 0);
		result = 0;
	}
	return result;
}

/* ---- the walk, for agents ---- */

EXPORT const struct skein_frame *skein_unwind_frame(const struct skein_unwind *u)
{
	return u->port->frame(u->machine);
}

EXPORT int skein_unwind_read(struct skein_unwind *u, uintptr_t address, void *to, size_t bytes)
{
	return u->port->read(u->machine, address, to, bytes) ? 0 : -1;
}

EXPORT void *skein_unwind_memory(struct skein_unwind *u, size_t bytes)
{
	return logical_memory(u, bytes);
}

EXPORT void skein_unwind_rooted(struct skein_unwind *u)
{
	u->rooted = true;
}
