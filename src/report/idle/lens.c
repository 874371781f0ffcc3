/* SPDX-License-Identifier: MIT */
/* lens.c: what reports know of the idle lens. Its views are in the other files of this folder. */
#include <stdlib.h>

#include "report/idle/view.h"
#include "report/lens.h"

static void *load(struct store *store, struct fail *why)
{
	struct idle_data *data = memory_zeroed(1, sizeof *data);
	data->limits = (struct idles_limits){IDLES_HIGH_PCT, IDLES_HIGH_PCT};
	if (store_load_idle(store, &data->run, &data->idles, why) == 0)
		return data;
	free(data);
	return NULL;
}

static void unload(void *data)
{
	struct idle_data *mine = data;
	idles_free(&mine->idles);
	run_free(&mine->run);
	free(mine);
}

static void adapt(void *data, const struct view_ask *ask)
{
	struct idles_limits *limits = &((struct idle_data *)data)->limits;
	limits->idle_pct = ask->min_idle >= 0 ? ask->min_idle : limits->idle_pct;
	limits->overhead_pct = ask->min_overhead >= 0 ? ask->min_overhead : limits->overhead_pct;
}

static void judge(const void *data, struct findings *verdict, struct findings *caveats)
{
	const struct idle_data *mine = data;
	idles_judge(&mine->idles, &mine->limits, verdict, caveats);
}

static bool knows_routine(const void *data, const char *name)
{
	const struct idles *idles = &((const struct idle_data *)data)->idles;
	for (size_t i = 0; i < idles->scope_count; i++)
		if (idles->scopes[i].kind != IDLES_ROOT &&
		    view_idle_wants(idles, &(struct view_ask){.routine = name}, idles->scopes[i].routine))
			return true;
	return false;
}

#define VIEW(name, columns, called, help, top) \
	{called, help, view_idle_##columns##_columns, VIEW_IDLE_##columns##_COLUMNS, NULL, NULL, top, view_idle_check, view_idle_##name}

static const struct view views[] = {VIEW(top_down, tree, "top-down", "call tree from main; figures include callees (default)", 30),
                                    VIEW(bottom_up, tree, "bottom-up", "routines, figures exclude callees; below them their callers", 30),
                                    VIEW(flat, tree, "flat", "files, routines, loops and lines; figures exclude callees", 30),
                                    VIEW(threads, threads, "threads", "work, overhead and samples of each thread", 40),
                                    VIEW(summary, summary, "summary", "all figures of the run, one per row", 0),
                                    VIEW(folded, folded, "folded", "one line per call path, for flame graphs (--metric)", 0)};

const struct lens lens_idle = {
	.name = "idle",
	.question = "Where are cores wasted in this run: too little parallelism, or too much overhead?",
	.views = views,
	.view_count = sizeof views / sizeof *views,
	.load = load,
	.unload = unload,
	.adapt = adapt,
	.judge = judge,
	.knows_routine = knows_routine,
};
