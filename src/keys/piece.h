/* SPDX-License-Identifier: MIT */
/* piece.h: the start of the name of a symbol whose address is the number of a piece's first routine (pass/piece.h). */
#ifndef SKEIN_KEYS_PIECE_H
#define SKEIN_KEYS_PIECE_H

#define PIECE_FIRST "skein_first_"

#endif
