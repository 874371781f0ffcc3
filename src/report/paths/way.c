/* SPDX-License-Identifier: MIT */
/* way.c: shows the path that --path names, even if it was never taken: its number gives its edges. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "report/paths/view.h"

static void take(const struct paths *p, const struct paths_path *path, struct view_paths_way *way)
{
	way->begin = path->begin;
	way->length = path->length;
	way->steps = memory_zeroed(path->length, sizeof *way->steps);
	memcpy(way->steps, p->steps + path->first_step, path->length * sizeof *way->steps);
	way->taken = path;
}

static bool decode(const struct paths *p, const struct paths_profile *f, uint64_t number, struct view_paths_way *way)
{
	struct paths_memory memory;
	struct paths_graph g;
	struct paths_labels labels;
	uint32_t count = 0;
	paths_memory_start(&memory);
	if (paths_graph_of(p, f, &g, &memory) && paths_label_all(&labels, &g, &memory) == PATHS_OK) {
		uint32_t *arcs = memory_zeroed(g.reached + 2, sizeof *arcs);
		count = paths_decode(&labels, &g, number, arcs);
		way->begin = count && g.arc[arcs[0]].kind == PATHS_HEAD ? g.arc[arcs[0]].to : PATHS_NONE;
		way->length = count ? count - 1 : 0;
		way->steps = memory_zeroed(way->length, sizeof *way->steps);
		for (uint32_t i = 1; i < count; i++)
			way->steps[i - 1] = g.arc[arcs[i]].edge;
		free(arcs);
	}
	paths_memory_free(&memory);
	return count > 1;
}

bool view_paths_way(const struct paths *p, const struct paths_profile *f, const char *name, struct view_paths_way *way)
{
	uint64_t number;
	*way = (struct view_paths_way){0};
	for (size_t i = 0; i < f->paths; i++)
		if (view_paths_is(p, name, &p->list[f->first_path + i])) {
			take(p, &p->list[f->first_path + i], way);
			return true;
		}
	if (f->possible < PATHS_NUMBERED && fields_number(name, &number) && decode(p, f, number, way))
		return true;
	free(way->steps);
	way->steps = NULL;
	return false;
}

struct paths_walk view_paths_walk(const struct paths *p, const struct paths_profile *f, const struct view_paths_way *way)
{
	return (struct paths_walk){p, f, way->steps, way->length - 1, way->begin == PATHS_NONE ? 0 : way->begin};
}

int view_paths_check_way(const void *data, const struct view_ask *ask, struct fail *why)
{
	const struct paths_data *d = data;
	if (!d->asked.path)
		return 0;
	if (!ask->routine)
		return fail_set(why, FAIL_USAGE, "--path is the number of a path in one function: name the function with --routine");
	for (size_t i = 0; i < d->paths.profile_count; i++) {
		struct view_paths_way way;
		bool found = view_paths_wants(d, ask->routine, &d->paths.profiles[i]) &&
			view_paths_way(&d->paths, &d->paths.profiles[i], d->asked.path, &way);
		if (found) {
			free(way.steps);
			return 0;
		}
	}
	return fail_set(
		why, FAIL_USAGE,
		"%.200s has no path %.60s, or the path was never executed and cannot be derived from its number: `skein report paths --routine` with its name lists the executed paths",
		ask->routine, d->asked.path);
}
