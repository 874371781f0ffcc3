/* SPDX-License-Identifier: MIT */
/* folder.h: folders that are made, used and removed. */
#ifndef SKEIN_FOLDER_H
#define SKEIN_FOLDER_H

#include "base/fail.h"

int folder_make(const char *path, int mode, struct fail *why); /* and its parents; one that is there is fine */
char *folder_temporary(struct fail *why);                      /* a new one in TMPDIR, or NULL; the caller frees the name */
void folder_remove(const char *path);                          /* with all that is in it; what resists stays */
char *folder_here(struct fail *why);                           /* the working folder, or NULL */
char *folder_libdir(void);                                     /* where our own libraries and headers are, or NULL; the caller frees */

#endif
