/* SPDX-License-Identifier: MIT */
/* replay.h: the kept events of a run once more, in the order of time, with the thread, the worker and the place of each.
 *
 *     struct flows_replay r;
 *     flows_replay_start(&r, &kept, run);                 both must stay
 *     while (flows_replay_next(&r))
 *             …r.event.kind, r.thread, flows_replay_where(&r, r.event.mark), r.pass.flow.cause…
 *     flows_replay_free(&r); */
#ifndef SKEIN_ANALYSE_FLOW_REPLAY_H
#define SKEIN_ANALYSE_FLOW_REPLAY_H

#include "analyse/flow/kept.h"
#include "analyse/flow/pass.h"
#include "base/map.h"

/* Of a strand: numbers of the run. */
struct flows_runner {
	uint32_t thread, worker; /* FLOWS_NONE: without a record */
	uint32_t process;
};

struct flows_replay {
	const struct flows_kept *kept;
	const struct run *run;
	struct flow_spots spots;
	struct flow_input input;
	struct flow_pass pass;
	struct flows_runner *runners; /* by strand */
	size_t runner_count, runner_room;
	struct map workers; /* worker + 1 by its process and lane */
	uint64_t begin;     /* tick at which the run began */
	/* of the event that came last */
	struct flow_event event;
	struct flow_event_about about;
	struct flows_runner by;
};

/* What a pass over kept events needs. The caller frees the spots. */
void flows_kept_input(const struct flows_kept *kept, struct flow_input *input, struct flow_spots *spots);

void flows_replay_start(struct flows_replay *replay, const struct flows_kept *kept, const struct run *run);
bool flows_replay_next(struct flows_replay *replay);
struct flows_runner flows_replay_runner(const struct flows_replay *replay, uint32_t strand);
const struct flows_where *flows_replay_where(const struct flows_replay *replay, uint64_t mark);
uint32_t flows_replay_object(const struct flows_replay *replay, const struct flow_event *event); /* in flows.objects, or FLOWS_NONE */
uint64_t flows_replay_ns(const struct flows_replay *replay, uint64_t time); /* since the run began; what was before that is 0 */
void flows_replay_free(struct flows_replay *replay);

#endif
