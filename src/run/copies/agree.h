/* SPDX-License-Identifier: MIT */
/* agree.h: whether copies of a program did the same, and if they did not, who differs and why that may be. */
#ifndef SKEIN_COPIES_AGREE_H
#define SKEIN_COPIES_AGREE_H

#include "analyse/paths/paths.h"

/* -1: one sentence, with FAIL_CANNOT_RUN: nothing of it can be trusted */
int copies_agree(const struct paths *paths, const struct session *session, struct fail *why);

#endif
