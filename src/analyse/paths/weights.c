/* SPDX-License-Identifier: MIT */
/* weights.c: writes the guide for a later recording: how often edges were passed, and which paths were taken.
 *
 *     skein-weights  1
 *     f  LINKAGE-NAME  FILE  LINE  BLOCKS  EDGES
 *     e  FROM  TO  COUNT         per edge; TO is "x" for the end of the frame. The last line has FROM and TO "-": calls
 *     p  COUNT  ARC  ARC …       a path, by arcs of the function's graph, where it is not cut
 *     n  NAME  NAME …            if asked for: paths of a function that is cut, by their numbers, or x and a hash
 *     r  LINKAGE-NAME  FILE  LINE  BLOCKS  EDGES     if asked for: a function of which no more is known than which paths were executed,
 *        in lines `n`
 *     end  FUNCTIONS             with a line `f`
 *
 * Functions of which only part was counted have no line `f`: nothing is known of the rest. */
#include <inttypes.h>

#include "analyse/paths/paths.h"
#include "analyse/table.h"

static void write_edges(const struct paths *paths, const struct paths_profile *f, FILE *file)
{
	const struct paths_edge *edge = paths->edges + f->first_edge;
	const uint64_t *passed = paths->passed + f->first_edge;
	for (uint32_t e = 0; e < f->edges; e++) {
		fprintf(file, "e\t%u\t", edge[e].from);
		if (edge[e].to == PATHS_EXIT)
			fputc('x', file);
		else
			fprintf(file, "%u", edge[e].to);
		fprintf(file, "\t%" PRIu64 "\n", passed[e]);
	}
	fprintf(file, "e\t-\t-\t%" PRIu64 "\n", passed[f->edges]);
}

static uint32_t head_arc(const struct paths_graph *g, uint32_t begin)
{
	uint32_t a = g->out[g->entry];
	while (a + 1 < g->out[g->entry + 1] && (g->arc[a].kind != PATHS_HEAD || g->arc[a].to != begin))
		a++;
	return a;
}

static void write_paths(const struct paths *paths, const struct paths_profile *f, struct paths_memory *memory, FILE *file)
{
	struct paths_mark mark = paths_mark(memory);
	struct paths_graph g;
	bool good = f->possible <= (double)PATHS_BODY_WHOLE && paths_graph_of(paths, f, &g, memory);
	for (size_t i = 0; good && i < f->paths; i++) {
		const struct paths_path *p = &paths->list[f->first_path + i];
		fprintf(file, "p\t%" PRIu64 "\t%u", p->count, p->begin == PATHS_NONE ? g.arc_of[g.edges - 1] : head_arc(&g, p->begin));
		for (uint32_t k = 0; k < p->length; k++)
			fprintf(file, "\t%u", g.arc_of[paths->steps[p->first_step + k]]);
		fputc('\n', file);
	}
	paths_release(memory, mark);
}

static void write_name(const struct paths_profile *f, uint64_t name, FILE *file)
{
	fprintf(file, f->possible < PATHS_NUMBERED ? "\t%" PRIu64 : "\tx%016" PRIx64, name);
}

static void write_names(const struct paths *paths, const struct paths_profile *f, FILE *file)
{
	if (!f->names && !f->paths)
		return;
	fputc('n', file);
	for (size_t i = 0; i < f->names; i++)
		write_name(f, paths->names[f->first_name + i], file);
	for (size_t i = 0; i < f->paths; i++)
		write_name(f, paths->list[f->first_path + i].number, file);
	fputc('\n', file);
}

static void write_head(const struct paths *paths, const struct paths_profile *f, char kind, FILE *file)
{
	const struct run_routine *r = &paths->run->routines[f->routine];
	fprintf(file, "%c\t", kind);
	table_write_field(file, r->linkage);
	fputc('\t', file);
	table_write_field(file, r->file);
	fprintf(file, "\t%u\t%u\t%u\n", r->line, f->blocks, f->edges);
}

void paths_weights_write(const struct paths *paths, bool names, FILE *file)
{
	struct paths_memory memory;
	size_t functions = 0;
	paths_memory_start(&memory);
	fputs("skein-weights\t1\n", file);
	for (size_t i = 0; i < paths->profile_count; i++) {
		const struct paths_profile *f = &paths->profiles[i];
		if (names && f->flags & PATHS_IS_REST) {
			write_head(paths, f, 'r', file);
			write_names(paths, f, file);
		}
		if (paths_is_partial(f))
			continue;
		write_head(paths, f, 'f', file);
		write_edges(paths, f, file);
		write_paths(paths, f, &memory, file);
		if (names && f->possible > (double)PATHS_BODY_WHOLE)
			write_names(paths, f, file);
		functions++;
	}
	fprintf(file, "end\t%zu\n", functions);
	paths_memory_free(&memory);
}
