/* SPDX-License-Identifier: MIT */
/* spawns.h: whether a program spawns, and how its spawned calls run (build/cilk/parallel.h). */
#ifndef SKEIN_SPAWNS_H
#define SKEIN_SPAWNS_H

/* Whether a program that skein-cc linked, or a library of the same build, spawns, and how: serially if one of them does
 * so. PARALLEL_NO also for a program that skein-cc did not link. */
struct subject;
enum parallel_state { PARALLEL_NO, PARALLEL_SERIAL, PARALLEL_ALREADY };
enum parallel_state parallel_state(struct subject *program);

#endif
