/* SPDX-License-Identifier: MIT */
/* frame.h: the frame that a function that spawns in parallel keeps on its stack; shared by the plugin, which makes
 * room for it, and the runtime.
 *
 * A frame stands for one scope of one activation: the spawned calls that the next cilk_sync of that scope waits for.
 * A frame is all zero before the first spawn, and after every sync. */
#ifndef SKEIN_CILK_FRAME_H
#define SKEIN_CILK_FRAME_H

#define CILK_FRAME_WORDS 2 /* of 64 bits */
#define CILK_SECTION "skein_cilk"
#define CILK_MARK "parallel-overhead:" /* with a kind: the file name of lines that the compiler made */

#endif
