/* SPDX-License-Identifier: MIT */
/* bfs_fixed.c, with OpenMP: bfs.c with its bottleneck repaired: breadth-first search in a cubic grid.
 *
 *     bfs_fixed [SIDE]
 *
 * process_block splits its block into halves and searches them in parallel, down to parts of GRAIN vertices, which is the size for
 * searching, as BLOCK is the size for adding. The parallelism of bfs is more than five times that of bfs.c; what is left of its span is
 * in process_part and in merging what the parts have found. A smaller GRAIN brings more, at the cost of more tasks.
 * The program's span is still that of read_graph and build_graph. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 2048, GRAIN = 128, UNSEEN = -1 };

struct edge {
	int from, to;
};

struct edges {
	int vertices;
	long count;
	struct edge *edge;
};

struct graph {
	int vertices;
	long *first; /* the neighbours of v are neighbour[first[v]] to neighbour[first[v + 1] - 1] */
	int *neighbour;
};

struct block {
	struct block *next;
	int count, vertex[BLOCK];
};

/* A set of vertices: full blocks, and one that is being filled. */
struct bag {
	struct block *full, *last_full, *filling;
};

static void *allocate(size_t bytes)
{
	void *memory = malloc(bytes);
	if (!memory) {
		fprintf(stderr, "bfs_fixed: no memory for %zu bytes\n", bytes);
		exit(2);
	}
	return memory;
}

static struct block *block_new(void)
{
	struct block *block = allocate(sizeof *block);
	block->next = NULL;
	block->count = 0;
	return block;
}

static void bag_add_full(struct bag *bag, struct block *block)
{
	block->next = bag->full;
	bag->full = block;
	if (!bag->last_full)
		bag->last_full = block;
}

/* All of `from` goes to `bag`. Of two blocks that are being filled the fuller one is filled up from the other. */
static void bag_merge(struct bag *bag, struct bag *from)
{
	if (from->full) {
		from->last_full->next = bag->full;
		bag->full = from->full;
		if (!bag->last_full)
			bag->last_full = from->last_full;
	}
	struct block *more = bag->filling, *less = from->filling;
	if (more->count < less->count) {
		more = from->filling;
		less = bag->filling;
	}
	int moved = BLOCK - more->count < less->count ? BLOCK - more->count : less->count;
	less->count -= moved;
	memcpy(more->vertex + more->count, less->vertex + less->count, (size_t)moved * sizeof *less->vertex);
	more->count += moved;
	bag->filling = more;
	if (less->count == 0) {
		free(less);
	} else {
		bag_add_full(bag, more);
		bag->filling = less;
	}
}

/* Stands for a file of edges: those of a grid of side x side x side. */
static struct edges read_graph(int side)
{
	struct edges edges = {side * side * side, 0, NULL};
	edges.edge = allocate((size_t)edges.vertices * 3 * sizeof *edges.edge);
	struct edge *edge = edges.edge;
	int v = 0;
	for (int z = 0; z < side; z++)
		for (int y = 0; y < side; y++)
			for (int x = 0; x < side; x++, v++) {
				if (x + 1 < side)
					*edge++ = (struct edge){v, v + 1};
				if (y + 1 < side)
					*edge++ = (struct edge){v, v + side};
				if (z + 1 < side)
					*edge++ = (struct edge){v, v + side * side};
			}
	edges.count = edge - edges.edge;
	return edges;
}

/* Every edge both ways, ordered by where it begins. */
static struct graph build_graph(const struct edges *edges)
{
	struct graph graph = {edges->vertices, NULL, NULL};
	graph.first = allocate(((size_t)graph.vertices + 2) * sizeof *graph.first);
	graph.neighbour = allocate((size_t)edges->count * 2 * sizeof *graph.neighbour + 1);
	memset(graph.first, 0, ((size_t)graph.vertices + 2) * sizeof *graph.first);
	long *end = graph.first + 1; /* of each vertex, while they are filled; in the end the beginning of the next */
	for (long i = 0; i < edges->count; i++) {
		end[edges->edge[i].from + 1]++;
		end[edges->edge[i].to + 1]++;
	}
	for (int v = 0; v < graph.vertices; v++)
		end[v + 1] += end[v];
	for (long i = 0; i < edges->count; i++) {
		struct edge edge = edges->edge[i];
		graph.neighbour[end[edge.from]++] = edge.to;
		graph.neighbour[end[edge.to]++] = edge.from;
	}
	return graph;
}

/* What these vertices lead to and nothing led to before gets its distance and goes into an empty bag. */
static void process_part(const struct graph *graph, atomic_int *distance, int level, const int *vertex, int count, struct bag *found)
{
	struct block *filling = block_new();
	for (int i = 0; i < count; i++)
		for (long e = graph->first[vertex[i]]; e < graph->first[vertex[i] + 1]; e++) {
			int to = graph->neighbour[e], unseen = UNSEEN;
			if (atomic_load_explicit(&distance[to], memory_order_relaxed) != UNSEEN ||
			    !atomic_compare_exchange_strong_explicit(&distance[to], &unseen, level, memory_order_relaxed,
								     memory_order_relaxed))
				continue;
			if (filling->count == BLOCK) {
				bag_add_full(found, filling);
				filling = block_new();
			}
			filling->vertex[filling->count++] = to;
		}
	found->filling = filling;
}

static void process_block(const struct graph *graph, atomic_int *distance, int level, const int *vertex, int count, struct bag *found)
{
	if (count <= GRAIN) {
		process_part(graph, distance, level, vertex, count, found);
		return;
	}
	int half = count / 2;
	struct bag others = {NULL, NULL, NULL};
#pragma omp task
	process_block(graph, distance, level, vertex, half, found);
	process_block(graph, distance, level, vertex + half, count - half, &others);
#pragma omp taskwait
	bag_merge(found, &others);
}

static void search_blocks(const struct graph *graph, atomic_int *distance, int level, struct block **block, int count,
			  struct bag *found)
{
	if (count == 1) {
		process_block(graph, distance, level, block[0]->vertex, block[0]->count, found);
		free(block[0]);
		return;
	}
	int half = count / 2;
	struct bag others = {NULL, NULL, NULL};
#pragma omp task
	search_blocks(graph, distance, level, block, half, found);
	search_blocks(graph, distance, level, block + half, count - half, &others);
#pragma omp taskwait
	bag_merge(found, &others);
}

/* Distances of all vertices from the first; returns the largest. */
static int bfs(const struct graph *graph, atomic_int *distance)
{
	struct block **frontier = allocate(((size_t)graph->vertices / BLOCK + 1) * sizeof *frontier);
	int level = 0, blocks = 1;
	frontier[0] = block_new();
	frontier[0]->vertex[frontier[0]->count++] = 0;
	atomic_store_explicit(&distance[0], 0, memory_order_relaxed);
	while (blocks > 0) {
		struct bag found = {NULL, NULL, NULL};
		search_blocks(graph, distance, ++level, frontier, blocks, &found);
		blocks = 0;
		for (struct block *block = found.full; block; block = block->next)
			frontier[blocks++] = block;
		if (found.filling->count > 0)
			frontier[blocks++] = found.filling;
		else
			free(found.filling);
	}
	free(frontier);
	return level - 1;
}

static void forget_plane(atomic_int *distance, int side, int z)
{
	for (int i = 0; i < side * side; i++)
		atomic_init(&distance[z * side * side + i], UNSEEN);
}

/* How many points of a plane have a distance other than x + y + z. */
static long errors_in_plane(atomic_int *distance, int side, int z)
{
	long errors = 0;
	for (int y = 0; y < side; y++)
		for (int x = 0; x < side; x++)
			errors += atomic_load_explicit(&distance[(z * side + y) * side + x], memory_order_relaxed) != x + y + z;
	return errors;
}

int main(int argc, char **argv)
{
	int side = argc > 1 ? atoi(argv[1]) : 200;
	if (side < 1 || side > 800) {
		fprintf(stderr, "usage: bfs_fixed [SIDE]: SIDE from 1 to 800\n");
		return 2;
	}
	struct edges edges = read_graph(side);
	struct graph graph = build_graph(&edges);
	free(edges.edge);
	atomic_int *distance = allocate((size_t)graph.vertices * sizeof *distance);
	long *plane_errors = allocate((size_t)side * sizeof *plane_errors), errors = 0;
#pragma omp parallel for
	for (int z = 0; z < side; z++)
		forget_plane(distance, side, z);

	int depth;
#pragma omp parallel
#pragma omp single
	depth = bfs(&graph, distance);

#pragma omp parallel for
	for (int z = 0; z < side; z++)
		plane_errors[z] = errors_in_plane(distance, side, z);
	for (int z = 0; z < side; z++)
		errors += plane_errors[z];
	int right = errors == 0 && depth == 3 * (side - 1);
	printf("bfs_fixed of %d vertices, %ld edges, depth %d: %s\n", graph.vertices, edges.count, depth, right ? "right" : "wrong");
	free(plane_errors);
	free(distance);
	free(graph.neighbour);
	free(graph.first);
	return !right;
}
