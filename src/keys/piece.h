/* SPDX-License-Identifier: MIT */
/* piece.h: how the names of symbols begin whose addresses are numbers of a piece: that of its first routine, that of its first row of
 * counters, that of the bytes before this row, and that of the copy (pass/piece.h). And the section that lists which of the routines that several pieces may have are this piece's. */
#ifndef SKEIN_KEYS_PIECE_H
#define SKEIN_KEYS_PIECE_H

#define PIECE_FIRST "skein_first_"
#define PIECE_ROWS "skein_rows_"
#define PIECE_BYTES "skein_bytes_"
#define PIECE_COPY "skein_copy_"
#define PIECE_KEPT "skein_kept" /* uint32_t, numbers of routines */

#endif
