/* SPDX-License-Identifier: MIT */
/* table.h: the table that goes with each re-linked object.
 *
 * The plugin writes it while it instruments (PLAN_TABLE names the file); skein reads it when it reads a raw
 * recording. The table is text, one record per line, fields divided by tabs; a tab, newline, backslash or control
 * byte inside a field is written as \xNN, an empty field as "-".
 *
 *     skein-table  2
 *     o  BUILD-ID-OF-NATIVE-FILE  MODE
 *     r  INDEX  LINKAGE-NAME  FILE  LINE  FLAGS          a routine; flags: o = body of an OpenMP construct, a = has atomic instructions,
 *        u = not profiled (--only, --skip, or cannot be), t = not profiled as its hooks would take longer than it does, e = in the table of a piece (piece.h): other objects can call it, c =
 *        in one, too: others may have the same and the linker keeps one, g = the linker dropped it; always with a - before them
 *     s  INDEX  CALLER  CALLEE  CALLEE-NAME  FILE  LINE  COLUMN  FLAGS   a call site; CALLEE is a routine's index or -1 (foreign or
 *        indirect), CALLEE-NAME "-" when indirect
 *     i  LINKAGE-NAME  FILE  LINE  INTO                   a routine that lives on only as inlined code, in routine INTO; one line for each
 *     x  LINKAGE-NAME  FILE  LINE                         a routine that was removed: nothing can reach it
 *     u  CALLER  NAME                                     input lens: routine CALLER calls NAME, whose reads and
 *                                                         writes are not known
 *     end  ROUTINES  SITES
 *
 * Flags of a site ("-": none): c = calls are counted where it is, in a row; such sites come first. For the span lens: p = spawn, l = parallel loop (CALLEE-NAME says which construct), i = the callee was
 * inlined here, f = foreign, 1 = never open twice, so its figures by top caller are
 * those by top site; = its callee calls nothing, so its figures by top site are its local ones.
 * Flags of a routine: a = has atomic instructions.
 *
 * Indices count from 0. A table without its last line is not valid. */
#ifndef SKEIN_PASS_TABLE_H
#define SKEIN_PASS_TABLE_H

#define TABLE_MAGIC "skein-table"
#define TABLE_VERSION 2

#endif
