/* SPDX-License-Identifier: MIT */
/* part.h: the recording of one rank, a part of a folder that all ranks of a job write to.
 *
 * Ranks share a file system that may be slow and may have no locks, so nothing is shared: raw data and the new recording are made in
 * TMPDIR of the node, and one rename puts the part where it belongs. A rank has one writer, so no lock is needed.
 *
 *     part_name("prog.skein", &me, folder, file, &why)         prog.skein.d and prog.skein.d/rank-000003.skein; makes the folder
 *     part_session(file, session, &why)                        a session folder in TMPDIR
 *     struct part_guard guard = part_guard(session, file);     writes the part if this process is killed
 *     …the program runs…
 *     part_store(session, file, keep, &made, &why)
 *     part_guard_end(&guard)
 */
#ifndef SKEIN_RUN_RANKS_PART_H
#define SKEIN_RUN_RANKS_PART_H

#include <limits.h>
#include <stdbool.h>
#include "base/fail.h"
#include "run/apart.h"
#include "run/ranks/identity.h"

#define PART_LOCAL "part.skein" /* name of the part in the session folder, until it is placed */

int part_name(const char *recording, const struct rank *me, char folder[PATH_MAX], char file[PATH_MAX], struct fail *why);
int part_session(const char *file, char session[PATH_MAX], struct fail *why);
int part_store(const char *session, const char *file, bool keep, struct apart *made, struct fail *why);

struct part_guard {
	int tells; /* a descriptor; -1: there is no guard */
};
struct part_guard part_guard(const char *session, const char *file);
void part_guard_end(struct part_guard *guard); /* the part is stored, or what failed was said */

#endif
