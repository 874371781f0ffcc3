/* SPDX-License-Identifier: MIT */
/* loop_lines.h: loops of a routine (loops.h) with their lines, and the inlined routines that they are in.
 *
 *     struct symbols_loops *l = symbols_loops_new(elf, dwarf, routine, low, high);      dwarf and routine: NULL if there is none
 *     const struct symbols_loop *chain[N];
 *     size_t count = symbols_loops_at(l, address, chain, N);                            outermost first
 *     symbols_loops_free(l);
 *
 * A loop is in an inlined routine if its head and the branches back to it are; what is inlined elsewhere in the loop is
 * inside the loop. Its line is the lowest that its conditions have, as seen from the routine that it is in: that of
 * `for` or `while`. */
#ifndef SKEIN_SYMBOLS_LOOPS_H
#define SKEIN_SYMBOLS_LOOPS_H

#include "analyse/symbols/dwarf.h"
#include "analyse/symbols/loops.h"

struct symbols_loop {
	uint64_t head;
	const char *file;
	unsigned line;
	uint32_t *pieces; /* the inlined routines around the loop, outermost first, as numbers of the routine's pieces */
	size_t depth;
};

struct symbols_loops;
struct symbols_loops *symbols_loops_new(const struct symbols_elf *elf, struct symbols_dwarf *dwarf, struct symbols_routine *routine,
                                        uint64_t low, uint64_t high);
void symbols_loops_free(struct symbols_loops *l);
size_t symbols_loops_at(const struct symbols_loops *l, uint64_t address, const struct symbols_loop **chain, size_t room);

#endif
