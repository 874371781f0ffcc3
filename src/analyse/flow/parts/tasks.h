/* SPDX-License-Identifier: MIT */
/* tasks.h: the task execution graph of a run, summed up: threads, processes and OpenMP's tasks by the call that created them, and which
 * of them created and waited for which.
 *
 *     struct flow_tasks tasks;
 *     flow_tasks_start(&tasks);
 *     …                                              behind each flow_step, before the tally (its strand still waits):
 *     flow_tasks_event(&tasks, &event, &about, &flow);
 *     flow_tasks_end(&tasks, &flow);
 *     …tasks.groups, tasks.edges…
 *     flow_tasks_free(&tasks);
 *
 * A strand does its own work but for that of the tasks that run in it, each of which has its own; so all groups together have the work of
 * all strands. Memory: groups, edges, strands, and tasks that have begun and not ended. */
#ifndef SKEIN_ANALYSE_FLOW_PARTS_TASKS_H
#define SKEIN_ANALYSE_FLOW_PARTS_TASKS_H

#include "analyse/flow/events.h"
#include "analyse/flow/flows.h"
#include "base/map.h"

struct flow_sums {
	uint64_t work, load, waited, outside;
};

/* What one call created, and nothing else did. */
struct flow_group {
	enum flows_task_kind kind;
	uint64_t spot; /* of the call; 0: the program, or not known */
	uint64_t count;
	struct flow_sums sums;
	uint64_t longest; /* work of one */
	uint64_t alive, most;
};

struct flow_edge {
	uint32_t from, to; /* groups; of a wait: who waited, and for whom */
	uint32_t wait;     /* enum raw_wait or FLOW_WAIT_KERNEL; FLOW_WAITS: `from` created `to` */
	uint64_t count, ticks;
};

/* A strand without its tasks, or a task. */
struct flow_unit {
	uint32_t group;
	uint64_t work; /* until it was left last */
};

struct flow_unit_track {
	uint32_t own, now;      /* units + 1; own 0: the strand has not begun; now 0: the strand has ended */
	uint32_t group;         /* of what runs now, or ran last */
	struct flow_sums since; /* sums of the strand when `now` began or went on */
	uint64_t number;        /* of the task that runs now; 0: none */
	uint64_t created;       /* spot of the call that created the strand */
	uint32_t wait;          /* kind of the wait that goes on */
	bool is_process;
};

struct flow_tasks {
	struct flow_group *groups;
	size_t group_count, group_room;
	struct lookup by_group;
	struct flow_edge *edges;
	size_t edge_count, edge_room;
	struct lookup by_edge;
	struct flow_unit *units;
	size_t unit_count, unit_room;
	uint32_t *unused; /* units */
	size_t unused_count, unused_room;
	struct flow_unit_track *tracks; /* by strand */
	size_t track_count, track_room;
	struct map by_number; /* units + 1 of tasks that have begun */
};

void flow_tasks_start(struct flow_tasks *tasks);
void flow_tasks_event(struct flow_tasks *tasks, const struct flow_event *event, const struct flow_event_about *about,
                      const struct flow *flow);
void flow_tasks_end(struct flow_tasks *tasks, const struct flow *flow);
void flow_tasks_free(struct flow_tasks *tasks);

#endif
