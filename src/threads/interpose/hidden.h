/* SPDX-License-Identifier: MIT */
/* hidden.h: the profiler's own thread makes way. Not for other modules: they have threads_create_hidden. */
#ifndef SKEIN_THREADS_HIDDEN_H
#define SKEIN_THREADS_HIDDEN_H

#include <stdbool.h>

bool hidden_is_there(void);
void hidden_end(void);       /* when this returns, the kernel has forgotten the thread */
void hidden_begin(void);     /* again; if that is refused, its lens is told */
void hidden_stay_away(void); /* the lens is told */

#endif
