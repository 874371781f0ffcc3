/* SPDX-License-Identifier: MIT */
/* speedscope.c: `skein export speedscope flow`: what each thread did over time, as profiles of speedscope that are "evented". A profile
 * holds one thread and is written whole. */
#include <inttypes.h>

#include "report/export/speedscope.h"
#include "report/flow/slices.h"

static void put_frame(FILE *file, const char **comma, char type, uint32_t frame, uint64_t at)
{
	if (frame == STACKS_NOWHERE)
		return;
	fprintf(file, "%s{\"type\":\"%c\",\"frame\":%u,\"at\":%" PRIu64 "}", *comma, type, frame, at);
	*comma = ",";
}

static void put_strand(struct slices *g, uint32_t number, bool *is_first, FILE *file)
{
	const struct strand *strand = &g->strands[number];
	const char *name = stacks_thread(&g->frames, flows_replay_runner(&g->replay, number).thread), *comma = "";
	speedscope_profile(file, is_first, "evented", name ? name : "a thread", "nanoseconds", (int64_t)g->end_ns);
	fputs(",\"events\":[", file);
	for (size_t i = 0; i < strand->count; i++) {
		const struct slice *s = &strand->slices[i];
		uint64_t to = slices_until(g, strand, i);
		if (to <= s->from_ns)
			continue;
		put_frame(file, &comma, 'O', s->routine, s->from_ns);
		put_frame(file, &comma, 'O', s->frame, s->from_ns);
		put_frame(file, &comma, 'C', s->frame, to);
		put_frame(file, &comma, 'C', s->routine, to);
	}
	fputs("]}", file);
}

int view_flow_speedscope(const void *data, FILE *file, struct fail *why)
{
	struct slices g;
	bool is_first = true;
	if (slices_gather(&g, data, why) < 0)
		return -1;
	speedscope_begin(&g.frames, file);
	for (uint32_t i = 0; i < g.count; i++)
		if (slices_are_asked(&g, data, i))
			put_strand(&g, i, &is_first, file);
	speedscope_end(&g.frames, file);
	slices_free(&g);
	return 0;
}
