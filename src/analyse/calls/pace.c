/* SPDX-License-Identifier: MIT */
/* pace.c: the stage of a pipeline that sets the pace. */
#include <stdlib.h>

#include "analyse/calls/judge.h"

static struct calls_stage stage_of(const struct calls *calls, const uint64_t *crews, uint64_t crew)
{
	uint64_t alive = 0, working = 0;
	for (size_t w = 0; w < calls->run->worker_count; w++)
		if (crews[w] == crew) {
			alive += calls->run->workers[w].alive_ns;
			working += calls_working_ns(&calls->run->workers[w]);
		}
	return (struct calls_stage){crew, calls_share(working, alive)};
}

/* Where threads have different jobs and wait for work, the job whose threads hardly ever wait is the one that the others wait for.
 * crew 0: there is no such job. `others`: the share of the next one. */
struct calls_stage calls_pace(const struct calls *calls, double *others)
{
	uint64_t *crews = calls_crews(calls);
	struct calls_stage first = {0}, second = {0};
	for (size_t w = 0; w < calls->run->worker_count; w++) {
		struct calls_stage stage = stage_of(calls, crews, crews[w]);
		if (calls_crew_start(crews[w]) == RUN_NOWHERE || stage.crew == first.crew || stage.crew == second.crew)
			continue;
		if (stage.busy > first.busy) {
			second = first;
			first = stage;
		} else if (stage.busy > second.busy || !second.crew) {
			second = stage;
		}
	}
	free(crews);
	*others = second.busy;
	return calls_is_for_work(calls_first_wait(calls).wait) && second.crew && first.busy >= CALLS_PACE &&
			second.busy <= CALLS_PACE * first.busy
		? first
		: (struct calls_stage){0};
}
