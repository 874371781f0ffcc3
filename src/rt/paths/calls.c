/* SPDX-License-Identifier: MIT */
/* calls.c: what hooks call, with all general registers kept.
 *
 * Hooks call the runtime seldom, but a call that may change registers costs those who never make it, too: a short
 * function that had no need for a frame saves six registers when it begins. So skein_rt_paths_X has clang's convention
 * preserve_most: it keeps all general registers but r11 and that of its result. This compiler does not know that, so it
 * is put before paths_X by hand. Vector registers may change. */
#include "rt/paths/paths.h"

#define PUSH(name) "	pushq %" #name "\n	.cfi_adjust_cfa_offset 8\n"
#define POP(name) "	popq %" #name "\n	.cfi_adjust_cfa_offset -8\n"

/* Seven or nine words: where calls are made the stack is a multiple of 16. */
#define KEEPING(name, before, after)                                                                                         \
	__asm__(".pushsection .text\n"                                                                                       \
	        ".globl skein_rt_" #name "\n"                                                                                \
	        ".hidden " #name "\n"                                                                                        \
	        ".type skein_rt_" #name ", @function\n"                                                                      \
	        ".p2align 4\n"                                                                                               \
	        "skein_rt_" #name ":\n"                                                                                      \
	        "	.cfi_startproc\n"                                                                                          \
	        "	endbr64\n" before PUSH(rcx) PUSH(rdx) PUSH(rsi) PUSH(rdi) PUSH(r8) PUSH(r9)                          \
	                PUSH(r10) "	call " #name "\n" POP(r10) POP(r9) POP(r8) POP(rdi) POP(rsi) POP(rdx) POP(rcx) after \
	        "	ret\n"                                                                                                     \
	        "	.cfi_endproc\n"                                                                                            \
	        ".size skein_rt_" #name ", . - skein_rt_" #name "\n"                                                         \
	        ".popsection\n")

#define GIVES(name) KEEPING(name, "", "")
#define DOES(name) KEEPING(name, PUSH(rax) PUSH(rax), POP(rax) POP(rax))

GIVES(paths_counts);
GIVES(paths_counts_here);
GIVES(paths_look_up);
GIVES(paths_frames);
DOES(paths_own);
DOES(paths_count);
DOES(paths_drop);
