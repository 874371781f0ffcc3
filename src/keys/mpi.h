/* SPDX-License-Identifier: MIT */
/* mpi.h: numbers of MPI's calls, from the list mpi.def. */
#ifndef SKEIN_KEYS_MPI_H
#define SKEIN_KEYS_MPI_H

enum mpi_call {
#define MPI_CALL(kind, name, lower, peer, tag, count, type, comm, status) MPI_CALL_##name,
#define MPI_COUNT MPI_CALL
#include "keys/mpi.def"
#undef MPI_CALL
#undef MPI_COUNT
	MPI_CALLS
};

#endif
