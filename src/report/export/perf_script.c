/* SPDX-License-Identifier: MIT */
/* perf_script.c: `skein export perf-script`: call paths as `perf script` prints samples, which the Firefox Profiler and others read.
 *
 * Readers count samples, and take them for equally long. A recording has sums, not samples with their times: so a path is written as often
 * as the recorder's period fits into its figure, at least once, each time with its part of the figure as the sample's period. The parts add
 * up to the figure. Times are made up: the samples of a thread follow each other, path by path, from the thread's start.
 *
 * Bounds: as perf itself does, a sample has at most 127 frames, the innermost ones; and there are about a million samples at most. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/strv.h"
#include "report/export/stacks.h"

enum { MOST_SAMPLES = 1000000, MOST_FRAMES = 127, NS_PER_S = 1000000000 };

struct perf_script {
	struct stacks *stacks;
	FILE *file;
	const char **names;   /* by function, as they are printed */
	const char **objects; /* by object */
	const char **threads; /* by thread, and one for none: its command */
	uint64_t *clocks;     /* likewise: where its last sample ended */
	uint64_t quantum;     /* of the figure, for each sample */
};

/* A file in parentheses ends the line, and readers expect no blank in it. */
static const char *object_text(struct pool *pool, const char *path)
{
	char *text = escape_plain(pool, path);
	for (char *at = text; *at; at++)
		if (*at == ' ' || *at == '(' || *at == ')')
			*at = '_';
	return text;
}

static void prepare(struct perf_script *p)
{
	struct stacks *s = p->stacks;
	const struct run *run = s->run;
	int64_t total = 0;
	p->names = memory_zeroed(s->function_count + 1, sizeof *p->names);
	for (size_t i = 0; i < s->function_count; i++)
		p->names[i] = *s->functions[i].name ? escape_plain(&s->pool, s->functions[i].name) : "[unknown]";
	p->objects = memory_zeroed(run->object_count + 1, sizeof *p->objects);
	for (size_t i = 0; i < run->object_count; i++)
		p->objects[i] = object_text(&s->pool, run->objects[i].path);
	p->clocks = memory_zeroed(run->thread_count + 1, sizeof *p->clocks);
	p->threads = memory_zeroed(run->thread_count + 1, sizeof *p->threads);
	for (size_t i = 0; i <= run->thread_count; i++) {
		bool is_named = i < run->thread_count && *run->threads[i].name;
		p->threads[i] = escape_plain(&s->pool, is_named ? run->threads[i].name : str_base(run->program));
		p->clocks[i] = i < run->thread_count ? run->threads[i].start_ns : 0;
	}
	for (size_t i = 0; i < s->sample_count; i++)
		total = stacks_sum(total, stacks_value(s, i, s->chosen));
	bool is_time = strcmp(s->types[s->chosen].unit, "nanoseconds") == 0;
	p->quantum = is_time && s->period_ns ? s->period_ns : 1;
	if (total > 0 && (uint64_t)total / p->quantum > MOST_SAMPLES)
		p->quantum = (uint64_t)total / MOST_SAMPLES;
}

static void put_sample(struct perf_script *p, const struct stacks_sample *sample, uint64_t value)
{
	const struct stacks *s = p->stacks;
	const struct run *run = s->run;
	size_t thread = sample->thread < run->thread_count ? sample->thread : run->thread_count, frames = 0;
	uint32_t pid = 0, tid = 0;
	if (thread < run->thread_count) {
		pid = run->processes[run->threads[thread].process].pid;
		tid = run->threads[thread].tid;
	}
	p->clocks[thread] += value;
	fprintf(p->file, "%s %u/%u %" PRIu64 ".%09" PRIu64 ": %" PRIu64 " %s:\n", p->threads[thread], pid, tid,
	        p->clocks[thread] / NS_PER_S, p->clocks[thread] % NS_PER_S, value, s->types[s->chosen].name);
	for (uint32_t at = sample->node; at != STACKS_NOWHERE && frames < MOST_FRAMES; at = s->nodes[at].parent, frames++) {
		const struct stacks_function *f = &s->functions[s->nodes[at].function];
		fprintf(p->file, "\t%16d %s (%s)\n", 0, p->names[s->nodes[at].function],
		        f->object == RUN_NO_OBJECT ? "[unknown]" : p->objects[f->object]);
	}
	fputc('\n', p->file);
}

int export_perf_script(struct stacks *s, FILE *file, struct fail *why)
{
	struct perf_script p = {.stacks = s, .file = file};
	(void)why;
	prepare(&p);
	for (size_t i = 0; i < s->sample_count; i++) {
		int64_t figure = stacks_value(s, i, s->chosen);
		uint64_t value = figure > 0 ? (uint64_t)figure : 0, times = (value + p.quantum / 2) / p.quantum;
		times = times ? times : value != 0;
		for (uint64_t n = 0; n < times; n++)
			put_sample(&p, &s->samples[i], value / times + (n < value % times));
	}
	free(p.names);
	free(p.objects);
	free(p.threads);
	free(p.clocks);
	return 0;
}
