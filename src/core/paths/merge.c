/* SPDX-License-Identifier: MIT */
/* merge.c: solves equations one after another, each of which has one unknown left.
 *
 * Every counter that decodes to a path adds that path to the list, and is an equation for its count. Each path is
 * then followed through the plans of all copies: where it passes the counter of another path, it is noted there.
 * Counters with no open notes are solved first; their counts are subtracted wherever their path was noted. plan.c
 * explains why there is always one without open notes. */
#include "core/paths/merge.h"
#include <string.h>
#include "core/hash.h"

struct counter {
	uint64_t index, left;
	uint32_t owner;   /* the counter's path, or PATHS_NONE */
	uint32_t waiting; /* number of paths noted here whose counts are not known */
	uint32_t copy;
};

struct note {
	struct note *next;
	struct counter *counter;
};

struct path {
	struct note *notes; /* counters of other paths that this path passes */
	bool known, wrong;
};

struct merge {
	const struct paths_graph *g;
	const struct paths_copy *copies;
	uint32_t count;
	struct paths_memory *memory;
	struct counter *counter;
	uint32_t counters;
	uint32_t *slot, mask; /* counters by copy and index, from 1 */
	uint32_t *path_slot, path_mask;
	struct paths_found *found;
	struct path *path;
	uint32_t paths;
	uint32_t **op_of; /* by copy: where the operations of each arc begin in its plan; none: the plan's count */
};

static struct counter *find_counter(const struct merge *m, uint32_t copy, uint64_t index)
{
	for (uint64_t h = hash_add(copy + 1, index);; h++) {
		uint32_t s = m->slot[h & m->mask];
		if (!s)
			return NULL;
		if (m->counter[s - 1].copy == copy && m->counter[s - 1].index == index)
			return &m->counter[s - 1];
	}
}

static void add_counter(struct merge *m, uint32_t copy, const struct paths_counted *c)
{
	uint64_t h = hash_add(copy + 1, c->index);
	while (m->slot[h & m->mask])
		h++;
	m->counter[m->counters] = (struct counter){c->index, c->count, PATHS_NONE, 0, copy};
	m->slot[h & m->mask] = ++m->counters;
}

/* The number of the path, which is added to the list if it is new. */
static uint32_t path_of(struct merge *m, const uint32_t *arcs, uint32_t length)
{
	uint64_t h = length;
	for (uint32_t i = 0; i < length; i++)
		h = hash_add(h, arcs[i]);
	for (;; h++) {
		uint32_t s = m->path_slot[h & m->path_mask];
		if (!s)
			break;
		if (m->found[s - 1].length == length && memcmp(m->found[s - 1].arcs, arcs, length * sizeof *arcs) == 0)
			return s - 1;
	}
	uint32_t *kept = paths_take(m->memory, length, sizeof *kept);
	if (!kept)
		return PATHS_NONE;
	memcpy(kept, arcs, length * sizeof *arcs);
	m->found[m->paths] = (struct paths_found){kept, length, PATHS_NONE, 0};
	m->path_slot[h & m->path_mask] = ++m->paths;
	return m->paths - 1;
}

static enum paths_status take_room(struct merge *m)
{
	uint64_t all = 0;
	for (uint32_t c = 0; c < m->count; c++)
		all += m->copies[c].plan ? m->copies[c].counters : 0;
	if (all > UINT32_MAX / 8)
		return PATHS_TOO_LARGE;
	m->mask = m->path_mask = hash_slots(all) - 1;
	m->slot = paths_take(m->memory, (size_t)m->mask + 1, sizeof *m->slot);
	m->path_slot = paths_take(m->memory, (size_t)m->mask + 1, sizeof *m->path_slot);
	m->counter = paths_take(m->memory, all, sizeof *m->counter);
	m->found = paths_take(m->memory, all, sizeof *m->found);
	m->path = paths_take(m->memory, all, sizeof *m->path);
	m->op_of = paths_take(m->memory, m->count, sizeof *m->op_of);
	return m->memory->failed ? PATHS_NO_MEMORY : PATHS_OK;
}

uint32_t *paths_ops_by_arc(const struct paths_plan *plan, const struct paths_graph *g, struct paths_memory *memory)
{
	uint32_t *first = paths_take(memory, g->arcs, sizeof *first);
	for (uint32_t a = 0; first && a < g->arcs; a++)
		first[a] = plan->count;
	for (uint32_t i = plan->count; first && i-- > 0;)
		if (i == 0 || plan->op[i - 1].arc != plan->op[i].arc || plan->op[i - 1].edge != plan->op[i].edge)
			first[plan->op[i].arc] = i;
	return first;
}

static enum paths_status read_counters(struct merge *m)
{
	uint32_t *arcs = paths_take(m->memory, m->g->vertices, sizeof *arcs);
	enum paths_status status = arcs ? PATHS_OK : PATHS_NO_MEMORY;
	for (uint32_t c = 0; c < m->count && status == PATHS_OK; c++) {
		const struct paths_copy *copy = &m->copies[c];
		if (!copy->plan)
			continue;
		if (!(m->op_of[c] = paths_ops_by_arc(copy->plan, m->g, m->memory)))
			status = PATHS_NO_MEMORY;
		for (uint32_t i = 0; i < copy->counters && status == PATHS_OK; i++) {
			add_counter(m, c, &copy->counted[i]);
			uint32_t length = paths_decode(&copy->plan->labels, m->g, copy->counted[i].index, arcs);
			if (length && (m->counter[m->counters - 1].owner = path_of(m, arcs, length)) == PATHS_NONE)
				status = PATHS_NO_MEMORY;
		}
	}
	return status;
}

static enum paths_status note(struct merge *m, uint32_t path, struct counter *counter)
{
	struct note *n;
	if (!counter || counter->owner == path || counter->owner == PATHS_NONE)
		return PATHS_OK;
	if (!(n = paths_take(m->memory, 1, sizeof *n)))
		return PATHS_NO_MEMORY;
	*n = (struct note){m->path[path].notes, counter};
	m->path[path].notes = n;
	counter->waiting++;
	return PATHS_OK;
}

/* Executes the operations of a copy along the path. */
static enum paths_status send(struct merge *m, uint32_t path, uint32_t copy)
{
	const struct paths_plan *plan = m->copies[copy].plan;
	enum paths_status status = PATHS_OK;
	uint64_t reg = 0;
	for (uint32_t j = 0; j < m->found[path].length; j++) {
		uint32_t a = m->found[path].arcs[j], first = m->op_of[copy][a];
		for (uint32_t i = first; i < plan->count && plan->op[i].arc == a && plan->op[i].edge == plan->op[first].edge; i++) {
			const struct paths_op *op = &plan->op[i];
			if (op->kind == PATHS_SET)
				reg = op->value;
			else if (op->kind == PATHS_ADD)
				reg += op->value;
			else if (status == PATHS_OK)
				status = note(m, path, find_counter(m, copy, op->kind == PATHS_COUNT ? reg + op->value : op->value));
		}
	}
	return status;
}

/* Solves a counter without open notes: what is left in it is the count of its path. */
static void tell(struct merge *m, struct counter *c, struct counter **ready, uint32_t *count)
{
	struct path *p = &m->path[c->owner];
	struct paths_found *f = &m->found[c->owner];
	if (p->known) {
		p->wrong |= f->count != c->left;
		return;
	}
	p->known = true;
	p->wrong = c->left > INT64_MAX;
	f->count = c->left;
	f->copy = c->copy;
	for (struct note *n = p->notes; n; n = n->next) {
		n->counter->left -= f->count;
		if (--n->counter->waiting == 0)
			ready[(*count)++] = n->counter;
	}
}

static enum paths_status solve(struct merge *m)
{
	struct counter **ready = paths_take(m->memory, m->counters, sizeof *ready);
	enum paths_status status = PATHS_OK;
	uint32_t count = 0, kept = 0;
	if (m->memory->failed)
		return PATHS_NO_MEMORY;
	for (uint32_t i = 0; i < m->counters; i++)
		if (m->counter[i].owner != PATHS_NONE && !m->counter[i].waiting)
			ready[count++] = &m->counter[i];
	for (uint32_t i = 0; i < count; i++)
		tell(m, ready[i], ready, &count);
	for (uint32_t i = 0; i < m->paths; i++) {
		if (!m->path[i].known || m->path[i].wrong) {
			m->found[i].copy = PATHS_NONE;
			status = PATHS_DISAGREE;
		}
		if (m->found[i].count || m->found[i].copy == PATHS_NONE)
			m->found[kept++] = m->found[i];
	}
	m->paths = kept;
	return status;
}

enum paths_status paths_merge(const struct paths_graph *g, const struct paths_copy *copies, uint32_t count, struct paths_found **found,
                              uint32_t *paths, struct paths_memory *memory)
{
	struct merge m = {.g = g, .copies = copies, .count = count, .memory = memory};
	enum paths_status status = take_room(&m);
	if (status == PATHS_OK)
		status = read_counters(&m);
	for (uint32_t p = 0; p < m.paths && status == PATHS_OK; p++)
		for (uint32_t c = 0; c < count && status == PATHS_OK; c++)
			if (copies[c].plan)
				status = send(&m, p, c);
	if (status == PATHS_OK)
		status = solve(&m);
	*found = m.found;
	*paths = m.paths;
	return status;
}

enum paths_status paths_merge_turns(const struct paths_graph *g, const struct paths_copy *copies, uint32_t count,
                                    struct paths_found **found, uint32_t *paths, struct paths_memory *memory)
{
	struct merge m = {.g = g, .copies = copies, .count = count, .memory = memory};
	enum paths_status status = take_room(&m);
	if (status == PATHS_OK)
		status = read_counters(&m);
	for (uint32_t i = 0; i < m.counters && status == PATHS_OK; i++) {
		if (m.counter[i].owner == PATHS_NONE)
			continue;
		struct paths_found *f = &m.found[m.counter[i].owner];
		f->count += m.counter[i].left;
		f->copy = f->copy == PATHS_NONE ? m.counter[i].copy : f->copy;
	}
	*found = m.found;
	*paths = m.paths;
	return status;
}
