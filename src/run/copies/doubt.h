/* SPDX-License-Identifier: MIT */
/* doubt.h: why copies of a program may not do the same, by what the program asks of its libraries.
 *
 *     const char *text = copies_doubt_causes(&pool, plan);     "it reads the time (clock_gettime) and has several threads
 *                                                              (pthread_create)"; "" if nothing is known
 */
#ifndef SKEIN_COPIES_DOUBT_H
#define SKEIN_COPIES_DOUBT_H

#include <stdbool.h>
#include "analyse/session.h"

struct subject;
bool copies_doubt_threads(struct subject *program); /* the program, or a library of the same build, can start threads */
const char *copies_doubt_causes(struct pool *pool, const struct session_plan *plan);

#endif
