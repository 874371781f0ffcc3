/* SPDX-License-Identifier: MIT */
/* preload.h: running a program as it is, with one of our libraries loaded before all others.
 *
 *     struct strv environment = {0};
 *     if (subject_can_preload(&subject, "idle", &why) == 0 &&
 *         preload_environment("libskein-sample.so", false, program, folder, &environment, &notes, &why) == 0) …
 *
 * A program that gcc built for OpenMP runs on LLVM's libomp instead of libgomp, which does not tell which threads
 * wait: a folder in the session holds libomp under the other's name. Whether that can be is asked of the system's
 * own loader beforehand. */
#ifndef SKEIN_PRELOAD_H
#define SKEIN_PRELOAD_H

#include <stdbool.h>
#include "base/fail.h"
#include "base/strv.h"

/* A program that uses MPI gets the MPI wrapper, too: a program without MPI must not find functions of MPI. `loader`: the one that the
 * program asks for, or NULL. */
bool preload_uses_mpi(const char *program, const char *loader, const char *folder);
/* The MPI wrapper alone, for a program that is re-linked. */
int preload_mpi(struct strv *environment, struct fail *why);

/* notes: what a report must say of it */
int preload_environment(const char *library, bool uses_mpi, const char *program, const char *folder, struct strv *environment,
                        struct strv *notes, struct fail *why);

#endif
