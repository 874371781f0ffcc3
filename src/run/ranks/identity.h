/* SPDX-License-Identifier: MIT */
/* identity.h: which rank of a parallel job this process is, by what launchers leave in the environment.
 *
 *     struct rank me;
 *     rank_find(&me);
 *     if (rank_has_part(&me)) …               one of several: it records into a part of its own
 *
 * The launcher that is nearest to the process is right: mpirun of Open MPI, PMIx, mpirun of MPICH (PMI), PALS, and last srun. Inside
 * salloc or sbatch, Slurm's own numbers are those of mpirun's daemons, and a batch script has a SLURM_PROCID without being a task. */
#ifndef SKEIN_RUN_RANKS_IDENTITY_H
#define SKEIN_RUN_RANKS_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

struct rank {
	int64_t rank;         /* -1: no launcher numbered this process */
	int64_t ranks;        /* how many there are; 0: not known */
	int64_t local;        /* number among the ranks of this node; -1: not known */
	int64_t locals;       /* how many ranks this node has; 0: not known */
	int64_t task;         /* of a job array; -1: none */
	const char *launcher; /* "Open MPI", "PMIx", "PMI", "PALS", "Slurm", "job array" or "" */
	char job[128];        /* "": not known */
	char node[128];
};

void rank_find(struct rank *me);
bool rank_has_part(const struct rank *me);       /* one of several ranks, or a task of a job array */
bool rank_is_without_mpi(const struct rank *me); /* only srun numbered it: MPI itself was told nothing */

#endif
