/* SPDX-License-Identifier: MIT */
/* what_if.c: --what-if of a report: objects by name, and the run without waiting for them; routines, and the run if they were faster. */
#include <stdlib.h>
#include <string.h>

#include "analyse/flow/what_if.h"
#include "base/number.h"
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

static int ask_objects(struct flow_data *mine, const char *asked, struct fail *why)
{
	size_t count;
	uint32_t *objects = find_objects(&mine->flows, asked, &count);
	const struct flows_kept *kept = NULL;
	if (count == 0)
		unknown(asked, why);
	else if ((kept = view_flow_kept(mine, why)))
		ask(&mine->flows, kept, asked, objects, count);
	free(objects);
	return kept ? 0 : -1;
}

/* ---- routines ---- */

/* Bits by routine, as flows_ask_faster wants them; returns how many routines that were called match. */
static size_t find_routines(const struct flows *f, const char *asked, uint32_t *groups, const char **name)
{
	size_t count = 0;
	for (size_t i = 0; i < f->routine_count; i++) {
		const struct run_routine *routine = &f->run->routines[f->routines[i].routine];
		if (!view_wants(asked, routine))
			continue;
		groups[f->routines[i].routine] = 1;
		*name = routine->shown;
		count++;
	}
	return count;
}

static int ask_routines(struct flow_data *mine, const char *asked, const char *factor, struct fail *why)
{
	struct flows *f = &mine->flows;
	const struct flows_kept *kept;
	if (!f->routine_count)
		return fail_set(why, FAIL_USAGE,
		                "--what-if %.200s=%s asks about a routine, and this recording has none: record with --routines", asked,
		                factor);
	if (strtod(factor, NULL) > 1)
		return fail_set(why, FAIL_USAGE,
		                "--what-if %.200s=%s: a routine can only be made faster, by a factor from 0 to 1, such as 0.5", asked,
		                factor);
	if (!(kept = view_flow_kept(mine, why)))
		return -1;
	uint32_t *groups = memory_zeroed(f->run->routine_count + 1, sizeof *groups);
	const char *name = asked;
	size_t count = find_routines(f, asked, groups, &name);
	if (count) {
		uint64_t ns = flows_ask_faster(f, kept, groups, strtod(factor, NULL));
		MEMORY_GROW(f->what_ifs, f->what_if_count, f->what_if_room);
		f->what_ifs[f->what_if_count++] =
			(struct flows_what_if){.asked = count == 1 ? name : asked, .routines = count, .factor = factor, .ns = ns};
	}
	free(groups);
	return count ? 0
		     : fail_set(why, FAIL_USAGE,
	                        "this recording has no calls of a routine %.200s: `skein report flow --view calls --top 0` lists routines",
	                        asked);
}

/* The name of an object may end like a factor: then there is such an object. */
static int ask_one(struct flow_data *mine, const char *asked, struct fail *why)
{
	const char *cut = strrchr(asked, '=');
	if (!cut || cut == asked || !number_is_factor(cut + 1))
		return ask_objects(mine, asked, why);
	for (size_t i = 0; i < mine->flows.object_count; i++)
		if (strcmp(mine->flows.objects[i].name, asked) == 0)
			return ask_objects(mine, asked, why);
	return ask_routines(mine, pool_print(&mine->flows.pool, "%.*s", (int)(cut - asked), asked), cut + 1, why);
}

int view_flow_what_if(struct flow_data *mine, const struct arguments *a, struct fail *why)
{
	const char *asked;
	if (arguments_has(a, OPTION_WHAT_IF) && view_flow_check_times(mine, NULL, why) < 0)
		return -1;
	for (size_t n = 0; (asked = arguments_nth(a, OPTION_WHAT_IF, n)); n++)
		if (ask_one(mine, asked, why) < 0)
			return -1;
	return 0;
}
