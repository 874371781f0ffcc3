/* SPDX-License-Identifier: MIT */
/* blame_place.h: which code belongs to the program, and so which place to blame for code that does not.
 *
 * The reader of a verdict cannot change `__memcmp_avx2_movbe`, `_dl_relocate_object` or `ostream:527`, but can change
 * the routine that called it. So a sentence goes outwards on a call path, inlined calls included, to the first frame
 * that belongs to the program. The pass does the same with the lines of call sites (pass/names.c).
 *
 *     struct blame_frame path[] = {                                        innermost first
 *             {copy, "/usr/include/c++/14/bits/char_traits.h", 445},       inlined in
 *             {insert, "/usr/include/c++/14/ostream", 527},                inlined in
 *             {print_row, "table.cpp", 81}};
 *     size_t at = blame_frame(run, path, 3);                               2: print_row, at table.cpp:81
 *
 * Not the program's: files of the system (core/owner.h), routines that are not known or that start a program, and
 * routines without a source file whose names are reserved for the C library (__libc_start_call_main, in a program that
 * contains its own C library). The recorded program itself belongs to the program wherever it lies. */
#ifndef SKEIN_BLAME_PLACE_H
#define SKEIN_BLAME_PLACE_H

#include "analyse/run.h"

struct blame_frame {
	uint32_t routine; /* in run.routines */
	const char *file; /* where control was in it; "" if not known */
	uint32_t line;
};

bool blame_is_programs(const struct run *run, uint32_t routine);
bool blame_is_programs_file(const char *file); /* of source; false for "" */

/* The innermost frame whose routine is the program's; 0 if there is none. */
size_t blame_frame(const struct run *run, const struct blame_frame *frames, size_t count);

/* The place to show for a frame: where control was, or, if that is a line of the system's (the compiler gave a header's line
 * to code of the routine itself), where the routine is declared, and false. *line is 0 if neither is known. */
bool blame_line(const struct run *run, const struct blame_frame *frame, const char **file, uint32_t *line);

#endif
