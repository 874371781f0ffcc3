/* SPDX-License-Identifier: MIT */
/* frame.h: what a function that spawns in parallel keeps on its stack; known to the plugin, which makes room for it,
 * and to the runtime part.
 *
 * A frame stands for one scope of one activation: what the next cilk_sync of that scope waits for. It is all zero where nothing is
 * spawned, and again behind every sync. */
#ifndef SKEIN_CILK_FRAME_H
#define SKEIN_CILK_FRAME_H

#define CILK_FRAME_WORDS 2 /* of 64 bits */
#define CILK_SECTION "skein_cilk"
#define CILK_MARK "parallel-overhead:" /* and a kind: the file of a line that nobody wrote */

#endif
