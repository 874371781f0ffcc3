/* SPDX-License-Identifier: MIT */
/* naive.h: the naive sets of the paper's Figure 10, as an oracle: every open activation has the set of cells that
 * it has accessed, and a second one from which writes of others take cells away.
 *
 * Extended by: three sizes at once; the last writer of a cell, which says whose an induced read is; memory that starts afresh; cost. */
#ifndef SKEIN_INPUT_NAIVE_H
#define SKEIN_INPUT_NAIVE_H

#include "unit/input/form.h"

enum { CELLS = 64, DEPTH = 12, ROUTINES = 4, IDS = 4096, KERNEL_ID = 0, NOBODY = -1 };

struct naive_activation {
	int routine;
	bool accessed[CELLS]; /* by it or what it called */
	bool known[CELLS];    /* L of Figure 10 */
	uint64_t cost_before, callees;
	struct input_activation a;
};

struct naive_lane {
	int id; /* of the thread; 0: none */
	int depth;
	uint64_t cost;
	struct naive_activation stack[DEPTH];
};

struct naive {
	struct naive_lane lanes[LANES];
	int last_writer[CELLS];
	uint64_t from[LANES][IDS]; /* how often the lane's thread read what each thread wrote */
};

static void naive_start(struct naive *n)
{
	memset(n, 0, sizeof *n);
	for (int c = 0; c < CELLS; c++)
		n->last_writer[c] = NOBODY;
}

static void naive_call(struct naive *n, int lane, int routine)
{
	struct naive_lane *l = &n->lanes[lane];
	struct naive_activation *r = &l->stack[l->depth++];
	memset(r, 0, sizeof *r);
	r->routine = routine;
	r->cost_before = l->cost;
}

static struct input_activation naive_return(struct naive *n, int lane)
{
	struct naive_lane *l = &n->lanes[lane];
	struct naive_activation *r = &l->stack[--l->depth];
	r->a.cost = l->cost - r->cost_before;
	r->a.self = r->a.cost - r->callees;
	r->a.outermost = true;
	for (int i = 0; i < l->depth; i++)
		r->a.outermost &= l->stack[i].routine != r->routine;
	if (l->depth)
		l->stack[l->depth - 1].callees += r->a.cost;
	return r->a;
}

static void naive_thread_start(struct naive *n, int lane, int id, int routine)
{
	n->lanes[lane].id = id;
	memset(n->from[lane], 0, sizeof n->from[lane]);
	naive_call(n, lane, routine);
}

static void naive_read(struct naive *n, int lane, int cell)
{
	struct naive_lane *l = &n->lanes[lane];
	int writer = n->last_writer[cell];
	bool external = writer == KERNEL_ID;
	bool induced = writer != NOBODY && writer != l->id && !l->stack[0].known[cell];
	for (int i = 0; i < l->depth; i++) {
		struct naive_activation *r = &l->stack[i];
		r->a.size[INPUT_RMS] += !r->accessed[cell];
		r->a.size[INPUT_RMS_EXTERNAL] += !r->accessed[cell] || (!r->known[cell] && external);
		r->a.size[INPUT_TRMS] += !r->known[cell];
		r->a.thread += induced && !external;
		r->a.external += induced && external;
		r->accessed[cell] = r->known[cell] = true;
	}
	if (induced)
		n->from[lane][writer]++;
}

/* lane < 0: the kernel. */
static void naive_write(struct naive *n, int lane, int cell)
{
	for (int i = 0; i < LANES; i++)
		for (int j = 0; j < n->lanes[i].depth; j++)
			if (i == lane)
				n->lanes[i].stack[j].known[cell] = n->lanes[i].stack[j].accessed[cell] = true;
			else
				n->lanes[i].stack[j].known[cell] = false;
	n->last_writer[cell] = lane < 0 ? KERNEL_ID : n->lanes[lane].id;
}

static void naive_forget(struct naive *n, int cell)
{
	for (int i = 0; i < LANES; i++)
		for (int j = 0; j < n->lanes[i].depth; j++)
			n->lanes[i].stack[j].known[cell] = n->lanes[i].stack[j].accessed[cell] = false;
	n->last_writer[cell] = NOBODY;
}

#endif
