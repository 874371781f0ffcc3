/* SPDX-License-Identifier: MIT */
/* probes.c: a path of a copy passes an arc if the copy's arcs lead from the entry to the arc and on to the exit. So two
 * passes over the vertices find the arcs of all paths of a copy, and a sum over the copies says which arcs several use. */
#include "core/paths/probes.h"

static bool has(const uint8_t *chosen, uint32_t arc)
{
	return !chosen || chosen[arc];
}

/* Sets on[a] for each arc that a path of the copy passes. ahead, behind: by vertex. */
static void find_arcs(const struct paths_graph *g, const uint8_t *chosen, uint8_t *on, uint8_t *ahead, uint8_t *behind)
{
	for (uint32_t v = 0; v < g->vertices; v++)
		ahead[v] = behind[v] = 0;
	behind[g->entry] = 1;
	ahead[g->exit] = 1;
	for (uint32_t i = 0; i < g->reached; i++)
		for (uint32_t v = g->order[i], a = g->out[v]; a < g->out[v + 1]; a++)
			behind[g->arc[a].to] |= behind[v] && has(chosen, a);
	for (uint32_t i = g->reached; i-- > 0;)
		for (uint32_t v = g->order[i], a = g->out[v]; a < g->out[v + 1]; a++)
			ahead[v] |= ahead[g->arc[a].to] && has(chosen, a);
	for (uint32_t a = 0; a < g->arcs; a++)
		on[a] = has(chosen, a) && behind[g->arc[a].from] && ahead[g->arc[a].to];
}

/* An arc counts once, though it may stand for several edges: all that lead back to one head. */
static struct paths_probes count(const struct paths_plan *plan, const uint8_t *on, const uint32_t *users, uint8_t *seen)
{
	struct paths_probes sum = {0};
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct paths_op *op = &plan->op[i];
		if (op->kind == PATHS_COUNT || op->kind == PATHS_COUNT_AT || op->kind == PATHS_LOOK_UP) {
			sum.updates++;
		} else if ((op->kind == PATHS_ADD || op->value) && !seen[op->arc]) {
			seen[op->arc] = 1;
			sum.increments++;
			sum.overlapping += users[op->arc] > on[op->arc];
		}
	}
	return sum;
}

enum paths_status paths_count_probes(struct paths_probes *probes, const struct paths_graph *g, const struct paths_plan *plan,
                                     uint8_t *const *chosen, uint32_t copies, struct paths_memory *memory)
{
	struct paths_mark mark = paths_mark(memory);
	uint32_t *users = paths_take(memory, g->arcs, sizeof *users);
	uint8_t *seen = paths_take(memory, (size_t)copies * g->arcs, 1), *on = paths_take(memory, g->arcs, 1),
		*ahead = paths_take(memory, g->vertices, 1), *behind = paths_take(memory, g->vertices, 1);
	enum paths_status status = memory->failed ? PATHS_NO_MEMORY : PATHS_OK;
	for (uint32_t c = 0; status == PATHS_OK && c < copies; c++) {
		find_arcs(g, chosen[c], on, ahead, behind);
		for (uint32_t a = 0; a < g->arcs; a++)
			users[a] += on[a];
	}
	for (uint32_t c = 0; status == PATHS_OK && c < copies; c++) {
		find_arcs(g, chosen[c], on, ahead, behind);
		probes[c] = count(&plan[c], on, users, seen + (size_t)c * g->arcs);
	}
	paths_release(memory, mark);
	return status;
}
