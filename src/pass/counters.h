/* SPDX-License-Identifier: MIT */
/* counters.h: where clang's own instrumentation (-fprofile-generate) has its counters in a source: what the plugin tells skein.
 *
 * If the plan has COUNTERS, a file, the plugin writes it right after clang has put its counters in, and does nothing else.
 * Text, one record a line, fields divided by tabs, escaped as in table.h. What is said of a function follows its line `f`, what
 * is said of a block its line `b`; the entry is block 0.
 *
 *     skein-counters  2
 *     f  NAME  HASH  COUNTERS  POINTERS  SIZES  VTABLES   a function as the profile names it, the hash of its graph, how many counters
 *                                                       it has, and at how many places clang would note values, by kind
 *     b  COUNTER  INSTRUCTIONS  LEAVES                  a block: its counter or "-"; instructions but for PHIs and the instrumentation's;
 *                                                       1 if the function ends there
 *     c  COUNTER                                        counts for how many a select of the block chooses its first value
 *     l  FILE  LINE  INLINED                            a line of which the block has code; 1 if that is of an inlined function
 *     p  BLOCK                                          a block before it, once for each edge
 *     end  FUNCTIONS
 */
#ifndef SKEIN_PASS_COUNTERS_H
#define SKEIN_PASS_COUNTERS_H

#define COUNTERS_MAGIC "skein-counters"
#define COUNTERS_VERSION 2

enum { COUNTERS_KINDS = 3 }; /* of values: callees of pointers, sizes of copies, tables of virtual functions */

#endif
