/* SPDX-License-Identifier: MIT */
/* calls.c: the functions that hooks call, which keep all general registers.
 *
 * Hooks call the runtime seldom, but a call that may change registers also costs functions that never make it: a
 * short function that had no need for a frame saves six registers when it begins. So skein_rt_paths_X has clang's
 * convention preserve_most: it keeps all general registers but r11 and that of its result. This compiler does not
 * know that, so it is put before paths_X by hand. Vector registers may change. */
#include "rt/paths/paths.h"

#include "arch/subject.h"

ARCH_KEEPING_GIVES(paths_counts);
ARCH_KEEPING_GIVES(paths_counts_here);
ARCH_KEEPING_GIVES(paths_look_up);
ARCH_KEEPING_GIVES(paths_frames);
ARCH_KEEPING_DOES(paths_own);
ARCH_KEEPING_DOES(paths_count);
ARCH_KEEPING_DOES(paths_drop);
