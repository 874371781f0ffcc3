/* SPDX-License-Identifier: MIT */
/* session_folder.h: the session folder beside a recording, and what is done when the run is over.
 *
 *     char folder[PATH_MAX];
 *     if (session_folder_make("prog.skein", folder, &why) < 0) …      .prog.skein.session-Ab12Cd, mode 0700
 *     …the subject writes its raw recordings there…
 *     session_finish(folder, "prog.skein", false, stdout, &why)        stores, reports, removes the folder
 */
#ifndef SKEIN_SESSION_FOLDER_H
#define SKEIN_SESSION_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include "base/fail.h"

int session_folder_make(const char *recording, char folder[PATH_MAX], struct fail *why); /* the path is absolute */
void session_folder_remove(const char *folder);
bool session_folder_has_recordings(const char *folder);
long session_folder_user(const char *folder); /* a process that still records there when a fifth of a second is over, or 0 */

/* Reads the session, writes the recording, prints verdict and top rows (nothing if there is no `file`), and removes the
 * folder unless `keep`. On failure the folder stays. */
int session_finish(const char *folder, const char *recording, bool keep, FILE *file, struct fail *why);
/* The two halves of that: what is stored, and what is said of it. `kept`: the folder, if it is to be named; else NULL. */
struct apart;
int session_store(const char *folder, const char *recording, bool keep, struct apart *made, struct fail *why);
int session_tell(const char *recording, const struct apart *made, const char *kept, FILE *file, struct fail *why);

/* PROGRAM.skein in this folder. */
void session_default_output(const char *program, char path[PATH_MAX]);

#endif
