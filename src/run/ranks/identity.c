/* SPDX-License-Identifier: MIT */
#include "run/ranks/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A number of the environment, or -1. */
static int64_t number(const char *name)
{
	const char *text = getenv(name);
	char *end;
	if (!text || *text < '0' || *text > '9')
		return -1;
	long long value = strtoll(text, &end, 10);
	return *end ? -1 : value;
}

static const char *text_of(const char *name)
{
	const char *text = getenv(name);
	return text ? text : "";
}

/* What each launcher sets. A size that is missing is srun's, if srun started the rank itself. */
static const struct known {
	const char *launcher, *rank, *ranks, *local, *locals;
} known[] = {
	{"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
	{"PMIx", "PMIX_RANK", NULL, NULL, NULL},
	{"PMI", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
	{"PALS", "PALS_RANKID", NULL, "PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE"},
	{"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", NULL},
};

/* Whether srun started this very process: its number of tasks is that of the step, which a batch script does not have. */
static bool is_step_task(int64_t rank)
{
	return number("SLURM_STEP_NUM_TASKS") > 0 && (rank < 0 || number("SLURM_PROCID") == rank);
}

/* Slurm says "2(x3),1": so many tasks on each of three nodes, and one on the last. */
static int64_t tasks_of_node(void)
{
	const char *at = text_of("SLURM_STEP_TASKS_PER_NODE");
	int64_t node = number("SLURM_NODEID");
	while (node >= 0 && *at >= '0' && *at <= '9') {
		char *end;
		long long tasks = strtoll(at, &end, 10), nodes = 1;
		if (end[0] == '(' && end[1] == 'x') {
			nodes = strtoll(end + 2, &end, 10);
			end += *end == ')';
		}
		if (node < nodes)
			return tasks;
		node -= nodes;
		at = end + (*end == ',');
	}
	return 0;
}

static void find_number(struct rank *me)
{
	for (size_t i = 0; i < sizeof known / sizeof *known && me->rank < 0; i++) {
		int64_t rank = number(known[i].rank);
		bool is_slurm = strcmp(known[i].launcher, "Slurm") == 0;
		if (rank < 0 || (is_slurm && !is_step_task(-1)))
			continue;
		me->rank = rank;
		me->launcher = known[i].launcher;
		me->ranks = known[i].ranks ? number(known[i].ranks) : -1;
		me->local = known[i].local ? number(known[i].local) : -1;
		me->locals = known[i].locals ? number(known[i].locals) : 0;
	}
	bool is_step = me->rank >= 0 && is_step_task(me->rank);
	if (me->ranks < 0)
		me->ranks = is_step ? number("SLURM_STEP_NUM_TASKS") : 0;
	if (me->local < 0 && is_step)
		me->local = number("SLURM_LOCALID");
	if (me->locals <= 0)
		me->locals = is_step ? tasks_of_node() : 0;
}

static void find_job(struct rank *me)
{
	const char *slurm = text_of("SLURM_JOB_ID"), *array = text_of("SLURM_ARRAY_JOB_ID"), *space = text_of("PMIX_NAMESPACE");
	me->task = *array ? number("SLURM_ARRAY_TASK_ID") : -1;
	if (me->task >= 0)
		snprintf(me->job, sizeof me->job, "%s", array); /* all its tasks are one job */
	else if (*space && me->rank >= 0)
		snprintf(me->job, sizeof me->job, "%s", space);
	else if (*slurm && me->rank >= 0)
		snprintf(me->job, sizeof me->job, "%s%s%s", slurm, me->launcher[0] == 'S' ? "." : "",
		         me->launcher[0] == 'S' ? text_of("SLURM_STEP_ID") : "");
	if (me->task >= 0 && me->rank < 0)
		me->launcher = "job array";
}

/* Slurm knows a node by another name than the kernel, perhaps; below mpirun the variable is that of the node where mpirun is. */
static void find_node(struct rank *me)
{
	const char *slurm = text_of("SLURMD_NODENAME");
	bool is_srun = me->rank >= 0 && is_step_task(me->rank) && strcmp(me->launcher, "Open MPI") != 0;
	if (*slurm && (is_srun || (me->rank < 0 && me->task >= 0)))
		snprintf(me->node, sizeof me->node, "%s", slurm);
	else if (gethostname(me->node, sizeof me->node - 1) < 0)
		*me->node = 0;
}

void rank_find(struct rank *me)
{
	*me = (struct rank){.rank = -1, .ranks = -1, .local = -1, .task = -1, .launcher = ""};
	find_number(me);
	if (me->ranks < 0)
		me->ranks = 0;
	find_job(me);
	find_node(me);
}

bool rank_has_part(const struct rank *me)
{
	return me->task >= 0 || (me->rank >= 0 && me->ranks != 1);
}

bool rank_is_without_mpi(const struct rank *me)
{
	return me->rank >= 0 && me->ranks > 1 && strcmp(me->launcher, "Slurm") == 0;
}
