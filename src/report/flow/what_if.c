/* SPDX-License-Identifier: MIT */
/* what_if.c: --what-if of a report: objects by name, and the run without waiting for them. */
#include <stdlib.h>

#include "analyse/flow/what_if.h"
#include "report/flow/view.h"

/* Objects of which each is also asked for by itself: the first ones have most waiting. */
enum { MOST_ALONE = 4 * FLOW_QUESTIONS };

static uint32_t *find_objects(const struct flows *f, const char *asked, size_t *count)
{
	uint32_t *found = memory_zeroed(f->object_count + 1, sizeof *found);
	*count = 0;
	for (size_t i = 0; i < f->object_count; i++)
		if (view_matches(asked, f->objects[i].name))
			found[(*count)++] = (uint32_t)i;
	return found;
}

static int unknown(const char *asked, struct fail *why)
{
	return fail_set(why, FAIL_USAGE,
	                "this recording has no lock or other object %.200s: `skein report flow --view objects --top 0` "
	                "lists them (a pattern such as '*queue*' may find it)",
	                asked);
}

static void ask(struct flows *f, const struct flows_kept *kept, const char *asked, const uint32_t *objects, size_t count)
{
	MEMORY_GROW(f->what_ifs, f->what_if_count, f->what_if_room);
	flows_ask_alone(f, kept, objects, count < MOST_ALONE ? count : MOST_ALONE);
	f->what_ifs[f->what_if_count++] = (struct flows_what_if){
		.asked = count == 1 ? f->objects[objects[0]].name : asked,
		.objects = count,
		.ns = count == 1 ? (uint64_t)f->objects[objects[0]].free_idle_ns : flows_ask_together(f, kept, objects, count),
	};
}

int view_flow_what_if(struct flow_data *mine, const struct arguments *a, struct fail *why)
{
	const char *asked;
	for (size_t n = 0; (asked = arguments_nth(a, OPTION_WHAT_IF, n)); n++) {
		size_t count;
		uint32_t *objects = find_objects(&mine->flows, asked, &count);
		const struct flows_kept *kept = NULL;
		if (count == 0)
			unknown(asked, why);
		else if ((kept = view_flow_kept(mine, why)))
			ask(&mine->flows, kept, asked, objects, count);
		free(objects);
		if (!kept)
			return -1;
	}
	return 0;
}
