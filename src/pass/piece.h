/* SPDX-License-Identifier: MIT */
/* piece.h: one object of a program, finished by itself: clang makes machine code of its bitcode, and this plugin instruments it.
 *
 * The hooks are not part of a link then: they are linked into each piece, where they are inlined and dropped again. What there is one of
 * in a program, struct skein_object and the constructor that registers it, is the hooks' own object, which is finished with
 * PLAN_TOTAL when all pieces are there.
 *
 * Numbers: a piece counts its routines from 0 and adds a symbol, skein_first_PIECE, that has an address and nothing at it: its address is
 * the number of the piece's first routine in the table of the whole object. The last link sets it, so that a number is an operand of an
 * instruction, and a piece stays as it is when others change. The same goes for rows of counters, with
 * skein_rows_PIECE, for how many bytes lie before the first of them, with skein_bytes_PIECE, and, if a program has copies that count in turns, for the number of
 * the copy, with skein_copy_PIECE. */
#ifndef SKEIN_PASS_PIECE_H
#define SKEIN_PASS_PIECE_H

#include "keys/piece.h"
#include "pass/pass.h"

LLVMValueRef piece_first(LLVMModuleRef module); /* the symbol; NULL: this is no piece */
LLVMValueRef piece_rows(LLVMModuleRef module);
LLVMValueRef piece_copy(LLVMModuleRef module);  /* likewise: the number of the copy that the piece is linked into */
bool piece_is_local(LLVMValueRef function);     /* no other piece means it by its name */
char *piece_scoped_name(LLVMValueRef function); /* to be freed: with a minus sign if it is local, else with a plus sign */
bool piece_is_in_program(void);                 /* not in a library */
bool piece_defines(LLVMValueRef function);      /* declared here, and defined by another piece */
bool piece_reaches(LLVMValueRef function);      /* defined so, and a call from here certainly reaches it */
void piece_share(LLVMValueRef function);        /* every piece makes the same: the program has it once */
void piece_mark_kept(const struct program *p); /* what goes with a function that the linker may drop, as another piece has it: PIECE_KEPT */
void piece_add_hooks(LLVMModuleRef module);
void piece_number_hooks(LLVMModuleRef module); /* rows of hooks are the piece's */
void piece_drop_hooks(LLVMModuleRef module);   /* hooks that nothing calls */
void piece_hide_hooks(LLVMModuleRef module);   /* in the hooks' own object */

#endif
