/* SPDX-License-Identifier: MIT */
/* objects.c: a variable for each call, with the name of the call: the object that a wait in it is for. Reports name objects by the symbols
 * that they are. The variables are of this file alone, so that they do not meet the functions. */
#include "keys/mpi.h"

extern const char *const mpi_objects[MPI_CALLS];

#define MPI_CALL(kind, name, lower, peer, tag, count, type, comm, status) static const char MPI_##name __attribute__((used)) = 1;
#define MPI_COUNT MPI_CALL
#include "keys/mpi.def"
#undef MPI_CALL

const char *const mpi_objects[MPI_CALLS] = {
#define MPI_CALL(kind, name, lower, peer, tag, count, type, comm, status) &MPI_##name,
#include "keys/mpi.def"
};
