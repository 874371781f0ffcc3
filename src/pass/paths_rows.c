/* SPDX-License-Identifier: MIT */
/* paths_rows.c: which counters of a function have rows in the object's table.
 *
 * A table is made for each thread that is alive at once, and its space is allocated, not sparse. So it has a limit, which is lower in objects that make threads. Functions with few paths always have
 * rows; the others by how often they count for each row that they take, as long as there is room. What has none is counted through a hash.
 *
 * A function with too many paths for an array is cut, and what meets a cut is dear. Those that pass cuts most often, as far as that can be guessed, get wide
 * limits, for half of the room. What is never executed costs no memory then, only space in the file. */
#include "pass/paths.h"

#include <stdlib.h>

enum { FEW = 512, ROWS_MAX = 1 << 22, ROWS_MAX_OF_THREADS = 1 << 19 };

static uint64_t rows_max(const struct paths_pass *s)
{
	static const char *const makers[] = {"pthread_create", "thrd_create", "__kmpc_fork_call", "GOMP_parallel", "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE"};
	for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
		if (LLVMGetNamedFunction(s->p->module, makers[i]))
			return ROWS_MAX_OF_THREADS;
	return ROWS_MAX;
}

static int by_use(const void *a, const void *b)
{
	const struct paths_routine *x = *(struct paths_routine *const *)a, *y = *(struct paths_routine *const *)b;
	if (x->use != y->use)
		return x->use > y->use ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* ---- wide ones ---- */

static uint64_t paths_in(const struct paths_graph *g, struct paths_memory *memory)
{
	struct paths_mark mark = paths_mark(memory);
	struct paths_labels l;
	uint64_t paths = paths_label_all(&l, g, memory) == PATHS_OK ? l.paths : UINT64_MAX;
	paths_release(memory, mark);
	return paths;
}

/* How often a function is called is guessed worst: recursion and loops in those who call it multiply. What it does in a call says more. */
#define CALLS_MOST 100.0

/* The most ways that a block has which is passed more than once in a call: many of them make an interpreter, and that is where a program is most of the time. */
static double fan_out(const struct paths_routine *r)
{
	uint32_t most = 1, ways = 0;
	for (uint32_t e = 0; e < r->edges; e++) { /* those of a block follow each other */
		ways = e && r->edge[e].from == r->edge[e - 1].from ? ways + 1 : 1;
		if (ways > most && paths_passed_into(r, r->edge[e].from) > r->passed[r->edges])
			most = ways;
	}
	return most;
}

static double passed_on_cuts(const struct paths_pass *s, const struct paths_routine *r)
{
	double sum = 0, calls = r->passed[r->edges];
	for (uint32_t e = 0; e < r->graph.edges; e++)
		if (r->graph.arc_of[e] != PATHS_NONE && r->graph.arc[r->graph.arc_of[e]].kind == PATHS_CUT_TAIL)
			sum += r->passed[e];
	if (s->measured || !r->graph.cuts)
		return sum;
	return (calls <= CALLS_MOST ? sum : sum / calls * CALLS_MOST) * fan_out(r);
}

/* As wide as fits into what is left, of which one may have `most`. */
static void widen(struct paths_pass *s, struct paths_routine *r, uint64_t *left, uint64_t most)
{
	struct paths_graph graph = r->graph;
	double *weights = r->weights;
	for (r->wide = PATHS_BODY_WIDEST; r->wide; r->wide -= 2) {
		struct paths_mark mark = paths_mark(&s->memory);
		paths_graph_of_routine(s, r);
		uint64_t rows = paths_in(&r->graph, &s->memory);
		if (rows <= *left && rows <= most) {
			*left -= rows;
			return;
		}
		paths_release(&s->memory, mark);
	}
	r->graph = graph;
	r->weights = weights;
}

void paths_graphs(struct paths_pass *s)
{
	struct paths_routine **cut = pass_zeroed(s->count, sizeof *cut);
	uint64_t left = rows_max(s) / 2, most = left / 8;
	size_t n = 0;
	for (size_t i = 0; i < s->count; i++) {
		struct paths_routine *r = &s->routines[i];
		paths_graph_of_routine(s, r);
		r->use = passed_on_cuts(s, r);
		if (r->graph.cuts)
			cut[n++] = r;
	}
	qsort(cut, n, sizeof *cut, by_use);
	for (size_t i = 0, refused = 0; i < n && refused < 8; i++) {
		widen(s, cut[i], &left, most);
		refused += !cut[i]->wide;
	}
	for (size_t i = 0; i < s->count; i++)
		s->routines[i].use = 0;
	free(cut);
}

/* ---- rows ---- */

static void give_rows(struct paths_routine *r, uint64_t *rows)
{
	r->first = (uint32_t)*rows;
	r->array = (uint32_t)r->keys;
	*rows += r->keys;
}

void paths_rows(struct paths_pass *s)
{
	struct paths_routine **many = pass_zeroed(s->count, sizeof *many);
	uint64_t rows = 0, most = rows_max(s);
	size_t n = 0;
	for (size_t i = 0; i < s->count; i++) {
		struct paths_routine *r = &s->routines[i];
		if (r->entry >= 0)
			r->entry = (int64_t)rows++;
		if (r->counts && (r->keys <= FEW || s->edges || r->wide))
			give_rows(r, &rows);
		else if (r->counts && r->keys <= most)
			many[n++] = r;
		r->use /= r->keys ? (double)r->keys : 1;
	}
	qsort(many, n, sizeof *many, by_use);
	for (size_t i = 0; i < n; i++)
		if (rows + many[i]->keys <= most)
			give_rows(many[i], &rows);
	free(many);
	s->p->table_sites = rows;
	s->p->row_words = 1;
}
