/* SPDX-License-Identifier: MIT */
/* routines.h: what the hooks of the flow lens fall back to. A program that is re-linked for that lens has libskein-trace.so for its
 * runtime, which defines these functions (src/trace/routines.c).
 *
 *     uint64_t mine = skein_trace_enter(&skein_hook_object, 3);      0: the activation of routine 3 is not recorded
 *     …
 *     skein_trace_leave(mine);                                       also if frames above it were left by a jump
 *     skein_trace_catch(mine);                                       a jump has come back to that activation */
#ifndef SKEIN_RT_FLOW_ROUTINES_H
#define SKEIN_RT_FLOW_ROUTINES_H

#include "rt/object.h"

RT_API uint64_t skein_trace_enter(struct skein_object *object, uint32_t index);
RT_API void skein_trace_leave(uint64_t mine);
RT_API void skein_trace_catch(uint64_t mine);

#endif
