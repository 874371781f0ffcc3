/* SPDX-License-Identifier: MIT */
/* The shapes of functions: what is read makes a graph and a plan, or is refused. */
#include "fuzz/fuzz.h"

#include "analyse/paths/paths.h"
#include "analyse/paths/shape.h"

static void plan_part(const struct shape *s, const struct shape_part *part, const struct paths_graph *g, const double *weights,
                      struct paths_memory *memory)
{
	struct paths_plan plan;
	uint8_t *chosen = part->chosen ? paths_take(memory, g->arcs, 1) : NULL;
	if (!memory->failed && (!chosen || shape_chosen(part, g->arcs, chosen)))
		paths_body_plan(&plan, g, s->how, chosen, weights, memory);
}

static void plan_function(const struct shape *s, const struct shape_function *f)
{
	struct paths_memory memory;
	struct paths_body bodies[] = {shape_body(s, f), shape_guess(s, f)};
	for (unsigned i = 0; i < 2; i++) {
		struct paths_graph graph;
		double *weights;
		paths_memory_start(&memory);
		if (paths_body_graph(&bodies[i], &graph, &weights, &memory) == PATHS_OK)
			for (uint32_t p = 0; p < f->parts; p++)
				plan_part(s, &s->parts[f->first_part + p], &graph, weights, &memory);
		paths_memory_free(&memory);
	}
}

static void look(const struct shape *s)
{
	fuzz_read(s->build_id);
	for (size_t i = 0; i < s->file_count; i++)
		fuzz_read(s->files[i]);
	for (size_t i = 0; i < s->line_count; i++)
		fuzz_hold(s->lines[i].file < s->file_count || s->lines[i].file == SHAPE_NONE);
	fuzz_hold(shape_is_alike(s, s));
	for (size_t i = 0; i < s->function_count; i++) {
		const struct shape_function *f = &s->functions[i];
		fuzz_hold(f->first_block + f->blocks <= s->block_count && f->first_edge + f->edges <= s->edge_count &&
		          f->first_part + f->parts <= s->part_count);
		plan_function(s, f);
	}
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	struct shape shape;
	struct fail why;
	if (shape_read(&shape, fuzz_file("shape", bytes, size), &why) < 0)
		return 0;
	look(&shape);
	shape_free(&shape);
	return 0;
}
