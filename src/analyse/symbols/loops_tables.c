/* SPDX-License-Identifier: MIT */
/* loops_tables.c: finds where jumps through tables lead, as far as possible without the tables.
 *
 * Problem: a jump through a table, as for a switch, does not tell where it goes. Compilers copy it (one at the entry of
 * a loop, one at its end; one at the end of each operation of an interpreter), and then no single block is entered in
 * each iteration.
 * Idea: blocks that nothing leads to, and that are more than padding, are the targets of tables. Such an orphan
 * belongs to the last table before it if control can reach that table again; else to the first table that control
 * reaches; else to the last table before it. A table inside an orphan is in the group of the table before it; a table
 * without orphans is in the group of the next table that has some. A group stands for all its tables: a node that all
 * of them go to and that goes to all their orphans, and so can be the head of a loop.
 * Cost: linear in blocks but for the search from each orphan, which has a budget. */
#include "analyse/symbols/loops_code.h"

#include <stdlib.h>

#include "base/memory.h"

enum {
	SWEEPS = 32,      /* sweeps over the blocks to find distances: more than ten never occurred */
	BUDGET = 20000000 /* blocks that searches in one routine may visit */
};

static bool *find_orphans(const struct loops_code *c)
{
	bool *orphan = memory_zeroed(c->count, sizeof *orphan);
	for (uint32_t i = 1; i < c->count; i++)
		orphan[i] = c->blocks[i].works && !loops_code_falls_through(c, i - 1);
	for (uint32_t i = 0; i < c->count; i++)
		if (c->blocks[i].target != LOOPS_NONE)
			orphan[c->blocks[i].target] = false;
	return orphan;
}

/* ---- what control reaches ---- */

struct nearest {
	uint32_t table, steps;
};

static bool take_nearer(struct nearest *mine, const struct nearest *next)
{
	if (next->table == LOOPS_NONE || next->steps + 1 >= mine->steps)
		return false;
	*mine = (struct nearest){next->table, next->steps + 1};
	return true;
}

/* By block: the first table that control reaches from it. */
static struct nearest *find_nearest(const struct loops_code *c)
{
	struct nearest *n = memory_resize(NULL, c->count, sizeof *n);
	bool changed = true;
	for (uint32_t i = 0; i < c->count; i++)
		n[i] = c->blocks[i].flow == LOOPS_TABLE ? (struct nearest){i, 0} : (struct nearest){LOOPS_NONE, UINT32_MAX};
	for (int sweep = 0; changed && sweep < SWEEPS; sweep++) {
		changed = false;
		for (uint32_t i = c->count; i-- > 0;) {
			if (c->blocks[i].target != LOOPS_NONE)
				changed |= take_nearer(&n[i], &n[c->blocks[i].target]);
			if (loops_code_falls_through(c, i))
				changed |= take_nearer(&n[i], &n[i + 1]);
		}
	}
	return n;
}

struct search {
	uint32_t *seen, *stack; /* seen: by block, the block that was searched from last */
	uint32_t budget;
};

static bool comes_to(const struct loops_code *c, struct search *s, uint32_t from, uint32_t to)
{
	size_t depth = 0;
	s->stack[depth++] = from;
	s->seen[from] = from;
	while (depth > 0 && s->budget > 0) {
		uint32_t i = s->stack[--depth];
		uint32_t next[] = {c->blocks[i].target, loops_code_falls_through(c, i) ? i + 1 : LOOPS_NONE};
		s->budget--;
		for (int k = 0; k < 2; k++) {
			if (next[k] == to)
				return true;
			if (next[k] != LOOPS_NONE && s->seen[next[k]] != from) {
				s->seen[next[k]] = from;
				s->stack[depth++] = next[k];
			}
		}
	}
	return false;
}

/* By block: the table that leads to an orphan, else LOOPS_NONE. */
static uint32_t *choose_tables(const struct loops_code *c, const bool *orphan)
{
	uint32_t *chosen = memory_resize(NULL, c->count, sizeof *chosen), before = LOOPS_NONE;
	struct nearest *nearest = find_nearest(c);
	struct search s = {memory_resize(NULL, c->count, sizeof *s.seen), memory_resize(NULL, c->count, sizeof *s.stack), BUDGET};
	for (uint32_t i = 0; i < c->count; i++)
		s.seen[i] = LOOPS_NONE;
	for (uint32_t i = 0; i < c->count; i++) {
		chosen[i] = LOOPS_NONE;
		if (orphan[i] &&
		    (nearest[i].table == LOOPS_NONE || nearest[i].steps == 0 || (before != LOOPS_NONE && comes_to(c, &s, i, before))))
			chosen[i] = before;
		else if (orphan[i])
			chosen[i] = nearest[i].table;
		if (c->blocks[i].flow == LOOPS_TABLE)
			before = i;
	}
	free(nearest);
	free(s.seen);
	free(s.stack);
	return chosen;
}

/* ---- groups ---- */

/* Gives each table its group, in the order of the code; without orphans a group has no number. */
static uint32_t number_groups(const struct loops_code *c, const bool *orphan, const uint32_t *chosen, uint32_t *leads)
{
	uint32_t groups = 0, current = LOOPS_NONE;
	bool *was_chosen = memory_zeroed(c->count, sizeof *was_chosen), open = false;
	for (uint32_t i = 0; i < c->count; i++)
		if (chosen[i] != LOOPS_NONE)
			was_chosen[chosen[i]] = true;
	for (uint32_t i = 0; i < c->count; i++) {
		leads[i] = LOOPS_NONE;
		if (c->blocks[i].flow != LOOPS_TABLE)
			continue;
		if (!open && !(orphan[i] && current != LOOPS_NONE))
			current = groups++;
		leads[i] = current;
		open = !was_chosen[i] && (open || !orphan[i]); /* the table joins the next one that has orphans */
	}
	free(was_chosen);
	return groups;
}

uint32_t loops_tables_group(const struct loops_code *c, uint32_t **led, uint32_t **leads)
{
	bool *orphan = find_orphans(c);
	uint32_t *chosen = choose_tables(c, orphan);
	*leads = memory_resize(NULL, c->count, sizeof **leads);
	uint32_t groups = number_groups(c, orphan, chosen, *leads);
	for (uint32_t i = 0; i < c->count; i++)
		if (chosen[i] != LOOPS_NONE)
			chosen[i] = (*leads)[chosen[i]];
	*led = chosen;
	free(orphan);
	return groups;
}
