/* SPDX-License-Identifier: MIT */
/* subject.h: can this file be profiled at all? One sentence for each way in which it cannot. */
#ifndef SKEIN_SUBJECT_H
#define SKEIN_SUBJECT_H

#include <stdbool.h>
#include "base/fail.h"

int subject_find(const char *name, char **path, struct fail *why); /* a name without a slash is sought as the shell does */
int subject_check(const char *path, const char *lens, bool counts, struct fail *why); /* a program that a re-link can be made of */

#endif
