/* SPDX-License-Identifier: MIT */
/* form_fast.h: accesses in line where there is such a number of cells, as producers do it; false: the slow half has to. */
#ifndef SKEIN_INPUT_FORM_FAST_H
#define SKEIN_INPUT_FORM_FAST_H

#include "core/input/fast.h"

#define FAST(cells, access) \
	case cells: done = access; break;
#define FAST_ACCESS(kind, is_write, ...)                                                                                      \
	static inline bool fast_##kind(struct input_thread *t, unsigned log2, uint64_t address, uint32_t bytes, uint32_t now) \
	{                                                                                                                     \
		uint64_t first = address >> log2, last = (address + bytes - 1) >> log2, firsts = 0;                           \
		bool done = input_fast_knows(t, address, bytes, log2, is_write);                                              \
		switch (last - first + 1) {                                                                                   \
			FAST(1, input_fast_##kind(t, address, log2, 1, true, now __VA_ARGS__))                                \
			FAST(2, input_fast_##kind(t, address, log2, 2, first % 2 == 0, now __VA_ARGS__))                      \
			FAST(4, input_fast_##kind(t, address, log2, 4, first % 4 == 0, now __VA_ARGS__))                      \
			FAST(8, input_fast_##kind(t, address, log2, 8, first % 8 == 0, now __VA_ARGS__))                      \
		}                                                                                                             \
		t->firsts += firsts;                                                                                          \
		return done;                                                                                                  \
	}
FAST_ACCESS(read, false, , &firsts)
FAST_ACCESS(write, true)
FAST_ACCESS(modify, true, , &firsts)

#endif
