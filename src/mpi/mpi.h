/* SPDX-License-Identifier: MIT */
/* mpi.h: between the files of the MPI wrapper, libskein-mpi.so.
 *
 * The library is preloaded into programs that use MPI, beside the library of the lens, which has skein_wait_open and skein_wait_close. It
 * needs no header of MPI: calls are passed on as words, and handles are never looked into. */
#ifndef SKEIN_MPI_MPI_H
#define SKEIN_MPI_MPI_H

#include <stdbool.h>
#include <stdint.h>
#include "keys/mpi.h"

enum { MPI_WORDS = 14 }; /* arguments of the longest call, and more */
typedef intptr_t mpi_real(intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
                          intptr_t, intptr_t, intptr_t);

/* find.c: the function behind a wrapper: the next one of that name, or MPI's own below its second name (PMPI_, pmpi_). NULL: none. */
mpi_real *mpi_find(const char *name);
void *mpi_symbol(const char *name); /* a symbol of the MPI library; NULL: none */
bool mpi_is_open_mpi(void);

/* table.c: the rows of the process. */
void mpi_count(enum mpi_call call, intptr_t comm, int64_t peer, int64_t tag, uint64_t bytes, uint64_t ticks, bool is_fortran);
void mpi_world(int32_t rank, int32_t ranks);

/* objects.c: what a call waits for has the name of the call. */
extern const char *const mpi_objects[MPI_CALLS];

#endif
