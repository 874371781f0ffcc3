/* SPDX-License-Identifier: MIT */
/* export.h: what other tools can read of a recording: `skein export FORMAT`. Each format is a function that writes it. */
#ifndef SKEIN_EXPORT_H
#define SKEIN_EXPORT_H

#include <stdio.h>
#include "analyse/paths/paths.h"

int export_lcov(const struct paths *paths, FILE *file, struct fail *why);     /* coverage, as a tracefile of LCOV */
int export_profdata(const struct paths *paths, FILE *file, struct fail *why); /* for clang -fprofile-use, as text for llvm-profdata */
int export_sample(const struct paths *paths, FILE *file, struct fail *why);   /* for clang -fprofile-sample-use, likewise */

#endif
