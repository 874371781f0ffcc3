/* SPDX-License-Identifier: MIT */
/* stopped.c: finds the ways of frames that never ended, from their registers in several copies. See merge.h.
 *
 * Problem: a frame that stops leaves its block and its register behind, in each copy. A copy that counts only some
 * paths can decode some ways, and mistakes others for these. There may be many such frames, and nothing says which
 * frame of one copy is which of another.
 * Idea: a way that was taken begins some path, which some copy counts. In that copy the register, plus what any
 * chosen continuation would add, is the number of a path that begins with the way (paths_decode_prefix). So the ways
 * decoded like this, in any copy, are all candidates. Each candidate, followed through the plan of each copy, leaves
 * a certain register there; if no frame has that register, the candidate is excluded. The counts of the others are
 * unknowns: candidates with the same register in a copy add up to the number of frames there. Equations with one
 * unknown are solved first, as in merge.c. With the plans of share.h there is always one: a way is mistaken for
 * another only if it arrives from outside where the other begins (plan.c, b), so the candidate that begins earliest
 * is alone in the copy that counts it. Where a copy does not set its register on one of the ways to a block, the
 * register says nothing and gives no equation. Cost: the number of candidates, times their length, times the copies. */
#include <string.h>
#include "core/hash.h"
#include "core/paths/merge.h"

/* Frames with the same register in a copy. */
struct group {
	uint64_t reg, left;
	uint32_t copy, block;
	uint32_t open; /* number of ways with this register that are not settled */
	struct link *ways;
	bool waits; /* the group is in `ready` */
};

struct link {
	struct link *next;
	uint32_t way;
};

struct way {
	uint32_t *arcs, length, block;
	uint64_t count;
	bool settled;
};

struct stopped {
	const struct paths_graph *g;
	const struct paths_stopped_copy *copies;
	uint32_t count;
	struct paths_memory *memory;
	struct group *group;
	uint32_t groups;
	struct way *way;
	uint32_t ways;
	uint32_t *slot, *way_slot, mask; /* entries are index + 1; 0: empty */
	uint32_t *of;                    /* by way and copy: the group of the way, or PATHS_NONE */
	uint8_t *blind;                  /* by copy and block: some way to the block does not set the register */
	uint32_t **op_of;
	uint32_t *ready, waiting;
};

static uint64_t reg_in(const struct paths_plan *plan, uint32_t block, uint64_t reg)
{
	return plan->known[block] ? plan->constant[block] : reg;
}

/* The slot where the group is, or would be. */
static uint32_t *slot_of_group(const struct stopped *s, uint32_t copy, uint32_t block, uint64_t reg)
{
	for (uint64_t h = hash_add(hash_add(copy + 1, block), reg);; h++) {
		uint32_t *at = &s->slot[h & s->mask];
		const struct group *is = *at ? &s->group[*at - 1] : NULL;
		if (!is || (is->copy == copy && is->block == block && is->reg == reg))
			return at;
	}
}

static enum paths_status take_room(struct stopped *s)
{
	uint64_t all = 0;
	for (uint32_t c = 0; c < s->count; c++)
		all += s->copies[c].plan ? s->copies[c].stops : 0;
	if (all > UINT32_MAX / 8)
		return PATHS_TOO_LARGE;
	uint32_t size = hash_slots(all);
	s->mask = size - 1;
	s->slot = paths_take(s->memory, size, sizeof *s->slot);
	s->way_slot = paths_take(s->memory, size, sizeof *s->way_slot);
	s->group = paths_take(s->memory, all, sizeof *s->group);
	s->way = paths_take(s->memory, all, sizeof *s->way);
	s->of = paths_take(s->memory, all * s->count, sizeof *s->of);
	s->blind = paths_take(s->memory, (size_t)s->count * s->g->blocks, 1);
	s->ready = paths_take(s->memory, all, sizeof *s->ready);
	s->op_of = paths_take(s->memory, s->count, sizeof *s->op_of);
	for (uint32_t c = 0; c < s->count && !s->memory->failed; c++)
		if (s->copies[c].plan)
			s->op_of[c] = paths_ops_by_arc(s->copies[c].plan, s->g, s->memory);
	return s->memory->failed ? PATHS_NO_MEMORY : PATHS_OK;
}

static void make_groups(struct stopped *s)
{
	for (uint32_t c = 0; c < s->count; c++)
		for (uint32_t i = 0; s->copies[c].plan && i < s->copies[c].stops; i++) {
			const struct paths_stopped *stop = &s->copies[c].stopped[i];
			uint64_t reg = reg_in(s->copies[c].plan, stop->block, stop->reg);
			uint32_t *at = slot_of_group(s, c, stop->block, reg);
			if (!*at) {
				s->group[s->groups] = (struct group){.reg = reg, .copy = c, .block = stop->block};
				*at = ++s->groups;
			}
			s->group[*at - 1].left += stop->count;
		}
}

/* ---- which ways come into question ---- */

static enum paths_status add_way(struct stopped *s, uint32_t block, const uint32_t *arcs, uint32_t length)
{
	uint64_t h = hash_add(length, block);
	for (uint32_t i = 0; i < length; i++)
		h = hash_add(h, arcs[i]);
	for (;; h++) {
		uint32_t at = s->way_slot[h & s->mask];
		if (!at)
			break;
		const struct way *is = &s->way[at - 1];
		if (is->block == block && is->length == length && memcmp(is->arcs, arcs, length * sizeof *arcs) == 0)
			return PATHS_OK;
	}
	uint32_t *kept = paths_take(s->memory, length, sizeof *kept);
	if (!kept)
		return PATHS_NO_MEMORY;
	memcpy(kept, arcs, length * sizeof *arcs);
	s->way[s->ways] = (struct way){.arcs = kept, .length = length, .block = block};
	s->way_slot[h & s->mask] = ++s->ways;
	return PATHS_OK;
}

static enum paths_status find_ways(struct stopped *s)
{
	uint32_t *arcs = paths_take(s->memory, s->g->vertices, sizeof *arcs);
	enum paths_status status = arcs ? PATHS_OK : PATHS_NO_MEMORY;
	for (uint32_t i = 0; i < s->groups && status == PATHS_OK; i++) {
		uint64_t key;
		uint32_t length =
			paths_decode_prefix(s->copies[s->group[i].copy].plan, s->g, s->group[i].block, s->group[i].reg, &key, arcs);
		if (length)
			status = add_way(s, s->group[i].block, arcs, length);
	}
	return status;
}

/* ---- what they leave ---- */

/* The register that a way leaves in a copy. False: not known. */
static bool leaves(const struct stopped *s, const struct way *w, uint32_t copy, uint64_t *reg)
{
	const struct paths_plan *plan = s->copies[copy].plan;
	bool set = plan->known[w->block];
	*reg = set ? plan->constant[w->block] : 0;
	for (uint32_t j = 0; j < w->length && !plan->known[w->block]; j++) {
		uint32_t a = w->arcs[j], first = s->op_of[copy][a];
		for (uint32_t i = first; i < plan->count && plan->op[i].arc == a && plan->op[i].edge == plan->op[first].edge; i++) {
			const struct paths_op *op = &plan->op[i];
			set |= op->kind == PATHS_SET;
			if (op->kind == PATHS_SET)
				*reg = op->value;
			else if (op->kind == PATHS_ADD)
				*reg += op->value;
		}
	}
	return set;
}

static enum paths_status enter(struct stopped *s, uint32_t way, struct group *in)
{
	struct link *l = paths_take(s->memory, 1, sizeof *l);
	if (!l)
		return PATHS_NO_MEMORY;
	*l = (struct link){in->ways, way};
	in->ways = l;
	in->open++;
	return PATHS_OK;
}

/* Whether each copy has frames with the register that the way leaves. */
static bool is_possible(struct stopped *s, uint32_t way)
{
	const struct way *w = &s->way[way];
	bool possible = true;
	for (uint32_t c = 0; c < s->count; c++) {
		uint32_t *of = &s->of[(size_t)way * s->count + c];
		uint64_t reg;
		*of = PATHS_NONE;
		if (!s->copies[c].plan || !leaves(s, w, c, &reg))
			continue;
		*of = *slot_of_group(s, c, w->block, reg) - 1; /* PATHS_NONE if the slot is empty */
		possible &= *of != PATHS_NONE;
	}
	return possible;
}

static enum paths_status send_ways(struct stopped *s)
{
	enum paths_status status = PATHS_OK;
	for (uint32_t i = 0; i < s->ways; i++)
		s->way[i].settled = !is_possible(s, i);
	for (uint32_t i = 0; i < s->ways && status == PATHS_OK; i++)
		for (uint32_t c = 0; c < s->count && !s->way[i].settled && status == PATHS_OK; c++) {
			uint32_t of = s->of[(size_t)i * s->count + c];
			if (of != PATHS_NONE)
				status = enter(s, i, &s->group[of]);
			else if (s->copies[c].plan)
				s->blind[(size_t)c * s->g->blocks + s->way[i].block] = 1;
		}
	return status;
}

/* ---- equations ---- */

static void wake(struct stopped *s, uint32_t group)
{
	struct group *is = &s->group[group];
	if (is->waits || !is->open || (is->open > 1 && is->left) || s->blind[(size_t)is->copy * s->g->blocks + is->block])
		return;
	is->waits = true;
	s->ready[s->waiting++] = group;
}

static void settle(struct stopped *s, uint32_t way, uint64_t count)
{
	struct way *w = &s->way[way];
	w->settled = true;
	w->count = count;
	for (uint32_t c = 0; c < s->count; c++) {
		uint32_t of = s->of[(size_t)way * s->count + c];
		if (of == PATHS_NONE)
			continue;
		s->group[of].left -= count <= s->group[of].left ? count : s->group[of].left;
		s->group[of].open--;
		wake(s, of);
	}
}

static void solve(struct stopped *s)
{
	for (uint32_t i = 0; i < s->groups; i++)
		wake(s, i);
	while (s->waiting) {
		struct group *is = &s->group[s->ready[--s->waiting]];
		uint64_t left = is->left;
		is->waits = false;
		for (struct link *l = is->ways; l; l = l->next)
			if (!s->way[l->way].settled)
				settle(s, l->way, left);
	}
}

/* ---- what is told ---- */

/* All copies have the same frames: the number of those without a known way is taken from one copy. */
static enum paths_status tell(struct stopped *s, struct paths_stop_found **found, uint32_t *stops)
{
	struct paths_stop_found *list = *found = paths_take(s->memory, (size_t)s->ways + s->g->blocks, sizeof *list);
	uint64_t *left = paths_take(s->memory, s->g->blocks, sizeof *left);
	uint32_t *open = paths_take(s->memory, s->g->blocks, sizeof *open), copy = 0;
	if (s->memory->failed)
		return PATHS_NO_MEMORY;
	while (copy < s->count && !s->copies[copy].plan)
		copy++;
	for (uint32_t i = 0; copy < s->count && i < s->copies[copy].stops; i++)
		left[s->copies[copy].stopped[i].block] += s->copies[copy].stopped[i].count;
	for (uint32_t i = 0; i < s->ways; i++) {
		const struct way *w = &s->way[i];
		open[w->block] += !w->settled;
		if (!w->settled || !w->count || w->count > left[w->block])
			continue;
		left[w->block] -= w->count;
		list[(*stops)++] = (struct paths_stop_found){w->arcs, w->length, w->block, 1, w->count};
	}
	for (uint32_t b = 0; b < s->g->blocks; b++)
		if (left[b])
			list[(*stops)++] = (struct paths_stop_found){NULL, 0, b, open[b], left[b]};
	return PATHS_OK;
}

enum paths_status paths_merge_stops(const struct paths_graph *g, const struct paths_stopped_copy *copies, uint32_t count,
                                    struct paths_stop_found **found, uint32_t *stops, struct paths_memory *memory)
{
	struct stopped s = {.g = g, .copies = copies, .count = count, .memory = memory};
	enum paths_status status = take_room(&s);
	*stops = 0;
	if (status == PATHS_OK) {
		make_groups(&s);
		status = find_ways(&s);
	}
	if (status == PATHS_OK)
		status = send_ways(&s);
	if (status == PATHS_OK) {
		solve(&s);
		status = tell(&s, found, stops);
	}
	return status;
}
