/* SPDX-License-Identifier: MIT */
/* folder.h: makes and removes folders, and drops files. */
#ifndef SKEIN_FOLDER_H
#define SKEIN_FOLDER_H

#include "base/fail.h"

int folder_make(const char *path, int mode, struct fail *why); /* makes parents too; an existing folder is fine */
char *folder_temporary(struct fail *why);                      /* a new folder in TMPDIR, or NULL; the caller frees the name */
int folder_check_empty(const char *path, struct fail *why);    /* what is to be written there must not meet other files */
void folder_remove(const char *path);                          /* with its contents; what cannot be removed stays */
void folder_drop_file(const char *path);                       /* for what could not be written whole; a device or a pipe stays */
char *folder_here(struct fail *why);                           /* the working folder, or NULL */
char *folder_libdir(void);                                     /* where our own libraries and headers are, or NULL; the caller frees */

#endif
