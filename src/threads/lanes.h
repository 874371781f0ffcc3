/* SPDX-License-Identifier: MIT */
/* lanes.h: takes and gives back lanes, for threads.c. Readers need only lane_count and lane_at of threads.h.
 *
 *     struct lane *lane = lane_take();     at thread start; NULL: no memory
 *     …
 *     lane_give(lane);                     at thread end
 *
 * Any thread and any signal handler may call; there are no locks. The last lane given back is taken first. */
#ifndef SKEIN_THREADS_LANES_H
#define SKEIN_THREADS_LANES_H

#include "threads/threads.h"

struct lane *lane_take(void);
void lane_give(struct lane *lane);
struct lane *lanes_restart(void); /* in a forked child: forgets all threads and takes lane 0 */

#endif
