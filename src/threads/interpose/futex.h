/* SPDX-License-Identifier: MIT */
/* futex.h: futexes, for the door of `syscall`. */
#ifndef SKEIN_THREADS_FUTEX_H
#define SKEIN_THREADS_FUTEX_H

#include <stdbool.h>

bool futex_is_seen(long operation); /* the lens wants to know */
/* In the place of `syscall`: reached by a jump, with the sixth argument where the program put it. So it has two declarations. */
long futex_jump(long number, long word, long operation, long value, long time, long other) __asm__("futex_call");
long futex_call(long number, long word, long operation, long value, long time, long other, long bits) __asm__("futex_call");

#endif
