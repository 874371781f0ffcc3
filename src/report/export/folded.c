/* SPDX-License-Identifier: MIT */
/* folded.c: `skein export folded`: a line per call path, "main;parse;copy 120", as flamegraph.pl and others read it.
 *
 * flamegraph.pl takes what stands behind the last space of a line as the figure, and divides what is before it at each semicolon. So a
 * name has no semicolon; spaces may stay. Paths of the same routines are one line, whatever lines they were at. What a wait waited for is
 * the last frame of its path. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "report/export/stacks.h"

struct folder {
	struct stacks plain; /* paths by their routines only, and by what they waited for */
	const char **names;  /* by function of `plain` */
	uint32_t *path;      /* being written */
	size_t room;
};

static const char *frame_text(struct pool *pool, const char *name)
{
	char *text = escape_plain(pool, name);
	for (char *at = text; (at = strchr(at, ';'));)
		*at = ':';
	return *text ? text : "?";
}

static const char *wait_text(struct pool *pool, const struct stacks_sample *sample)
{
	bool has_object = sample->object && *sample->object;
	return has_object ? pool_print(pool, "wait: %s (%s)", sample->object, sample->wait) : pool_print(pool, "wait: %s", sample->wait);
}

static uint32_t enter(struct stacks *plain, uint32_t parent, const char *name)
{
	return stacks_call(plain, parent, stacks_function(plain, &(struct stacks_function){name, "", "", 0, 0}), 0);
}

static void add_samples(struct stacks *plain, const struct stacks *s)
{
	uint32_t *same = memory_zeroed(s->node_count + 1, sizeof *same); /* of each node, its path in `plain` */
	for (size_t i = 0; i < s->node_count; i++) {
		const struct stacks_node *node = &s->nodes[i];
		same[i] = enter(plain, node->parent == STACKS_NOWHERE ? STACKS_NOWHERE : same[node->parent],
		                s->functions[node->function].name);
	}
	for (size_t i = 0; i < s->sample_count; i++) {
		const struct stacks_sample *sample = &s->samples[i];
		int64_t value = stacks_value(s, i, s->chosen);
		uint32_t node = same[sample->node];
		if (value && sample->wait)
			node = enter(plain, node, wait_text(&plain->pool, sample));
		stacks_add(plain, &(struct stacks_sample){.node = node}, &value);
	}
	free(same);
}

/* Not by a recursion: a path may be a hundred thousand calls long. */
static void put_path(struct folder *f, uint32_t node, FILE *file)
{
	size_t count = 0;
	for (uint32_t at = node; at != STACKS_NOWHERE; at = f->plain.nodes[at].parent) {
		MEMORY_GROW(f->path, count, f->room);
		f->path[count++] = f->plain.nodes[at].function;
	}
	while (count--)
		fprintf(file, "%s%s", f->names[f->path[count]], count ? ";" : "");
}

int export_folded(struct stacks *s, FILE *file, struct fail *why)
{
	struct folder f = {.path = NULL};
	(void)why;
	stacks_start(&f.plain, s->run);
	stacks_type(&f.plain, s->types[s->chosen].name, s->types[s->chosen].unit);
	add_samples(&f.plain, s);
	f.names = memory_zeroed(f.plain.function_count + 1, sizeof *f.names);
	for (size_t i = 0; i < f.plain.function_count; i++)
		f.names[i] = frame_text(&f.plain.pool, f.plain.functions[i].name);
	for (size_t i = 0; i < f.plain.sample_count; i++) {
		put_path(&f, f.plain.samples[i].node, file);
		fprintf(file, " %" PRId64 "\n", stacks_value(&f.plain, i, 0));
	}
	free(f.names);
	free(f.path);
	stacks_free(&f.plain);
	return 0;
}
