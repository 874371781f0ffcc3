/* SPDX-License-Identifier: MIT */
/* shape.h: what the `paths` lens writes beside the table of a re-linked object: the blocks and edges of each function,
 * and which copy counts which of its paths.
 *
 * The plugin writes it, into the folder of the table and under the name SHAPE_FILE; skein reads it when it decodes a
 * raw recording: core/paths/body.h makes the same graph and the same plan of it. Text, one record a line, fields
 * divided by tabs, escaped as in table.h. What is said of a function follows its line `f`.
 *
 *     skein-shape  1
 *     o  BUILD-ID-OF-NATIVE-FILE  COPY  COPIES  HOW            COPY from 0; HOW: a text of PATHS_HOW_LIST
 *     n  INDEX  FILE                                           a source file
 *     f  ROUTINE  BLOCKS  EDGES  FLAGS  FIRST  ARRAY  ENTRY    ROUTINE: its index in the table. FLAGS: t = by turns, m = weights were
 *        measured, - = none
 *     b  INSTRUCTIONS  STOPS  LINES  SHOWN                     a block: instructions of LLVM's; 1 if it holds a call that may not come
 *        back; where it comes from; if that differs, where the program's own source has it (struct pass_place)
 *     e  FROM  TO  FLAGS  PASSED  GUESSED                      an edge: TO is "x" for the end of the frame; enum paths_edge_flags;
 *        weight, as printf's %a; if that was measured, what a guess would have been
 *     c  COPY  CHOSEN                                          a copy that counts paths of the function: "*" for all, or the arcs of the
 *        graph, four a hex digit, arc 0 first and lowest
 *     a  HOW  NAMES                                            only some of its paths were asked for: HOW is `these`, or `others` for
 *        all but these; names as in reports, divided by commas, or "-"
 *     end  FUNCTIONS  ROWS                                     ROWS: of the table of counters
 *
 * LINES, SHOWN: FILE:LINE,LINE,…;FILE:LINE… in the order of the code, FILE an index or "-" for none; "-": nothing is known.
 * Passed has one line more than there are edges: the last is the function's beginning, FROM and TO are "-" there.
 * In the object's table of counters (RAW_PATHS_COUNTS) row ENTRY counts calls ("-": they are not counted, since they
 * follow from paths), and row FIRST + i paths of index i, for i below ARRAY (0: this copy counts none there). Other
 * indices are in RAW_PATHS_OWN and RAW_PATHS_KEYS. By turns, ENTRY is what turns are taken by. */
#ifndef SKEIN_PASS_SHAPE_H
#define SKEIN_PASS_SHAPE_H

#define SHAPE_MAGIC "skein-shape"
#define SHAPE_VERSION 1
#define SHAPE_FILE "shape"

#endif
