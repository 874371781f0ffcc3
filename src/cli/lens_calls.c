/* SPDX-License-Identifier: MIT */
/* lens_calls.c: the calls lens on the command line. Its views are in view_calls_*.c. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/calls_verdict.h"
#include "cli/lens.h"
#include "cli/view_calls.h"

static int plan(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why)
{
	(void)why;
	session->mode = arguments_has(a, "counts") ? "counts" : "times";
	strv_addf(pass, "MODE=%s", session->mode);
	lens_add_patterns(a, "only", "ONLY", pass);
	lens_add_patterns(a, "skip", "SKIP", pass);
	return 0;
}

static int save(struct session *session, const char *path, char aside[PATH_MAX], struct fail *why)
{
	struct calls calls;
	calls_build(session, &calls);
	int result = store_save_calls(path, &calls, aside, why);
	calls_free(&calls);
	return result;
}

static void *load(struct store *store, struct fail *why)
{
	struct calls_data *data = memory_zeroed(1, sizeof *data);
	if (store_load_calls(store, &data->run, &data->calls, why) == 0)
		return data;
	free(data);
	return NULL;
}

static void unload(void *data)
{
	struct calls_data *mine = data;
	calls_free(&mine->calls);
	run_free(&mine->run);
	free(mine);
}

static void judge(const void *data, struct findings *verdict, struct findings *caveats)
{
	calls_judge(&((const struct calls_data *)data)->calls, verdict, caveats);
}

bool view_wants(const struct view_ask *ask, const struct run_routine *routine)
{
	return !ask->routine || strcmp(ask->routine, routine->name) == 0 || strcmp(ask->routine, routine->linkage) == 0 ||
	       fnmatch(ask->routine, routine->name, 0) == 0;
}

static bool knows_routine(const void *data, const char *name)
{
	const struct run *run = &((const struct calls_data *)data)->run;
	for (size_t i = 0; i < run->routine_count; i++)
		if (view_wants(&(struct view_ask){.routine = name}, &run->routines[i]))
			return true;
	return false;
}

#define VIEW(name, help, sort, sort_else, top) {#name, help, view_##name##_columns, VIEW_##name##_COLUMNS, sort, sort_else, top, NULL, view_##name}

static const struct view views[] = {
	VIEW(routines, "calls and times by routine (default)", "direct_ns", "calls", 20),
	VIEW(family, "a routine's parents and children, with their shares", NULL, NULL, 0),
	VIEW(arcs, "caller to callee, in each case of states (S-S, S-C, C-S, C-C)", "elapsed_ns", "calls", 20),
	VIEW(workers, "what each worker did and waited for; its threads", NULL, NULL, 0),
	VIEW(together, "which routines ran at the same time, and how long", "together_ns", NULL, 20),
	VIEW(concurrency, "wall time by number of working threads, and who ran then", NULL, NULL, 0),
	VIEW(inlined, "routines that live on only inside others, or were removed", "routine", NULL, 20),
	VIEW(summary, "one figure a row", NULL, NULL, 0),
};

const struct lens lens_calls = {
	.name = "calls",
	.question = "How many calls, how long, and with whom?",
	.views = views,
	.view_count = sizeof views / sizeof *views,
	.plan = plan,
	.save = save,
	.load = load,
	.unload = unload,
	.judge = judge,
	.knows_routine = knows_routine,
};
