/* SPDX-License-Identifier: MIT */
/* fast.h: inline code for accesses of one, two, four or eight cells (see input.h).
 *
 *     uint64_t firsts = 0;
 *     if (!input_fast_read(t, address, 2, 1, true, t->limit, &firsts))     an int: cells of 2^2 bytes, one of them, aligned
 *             input_concurrent_read_slow(me, address, 4);                  nothing was done; or input_serial_read_slow
 *     t->firsts += firsts;                                                 at the latest when the stack changes
 *     input_fast_write, input_fast_modify                                  the same; the last one is a read, then a write
 *
 * cell_log2, cells and aligned are constants where they are inlined. `aligned` says that the first cell's number is a
 * multiple of `cells`, so that all of them are in one chunk. An access has exactly `cells` cells.
 *
 *     read     stamp >= limit                    nothing
 *              stamp >= deep                     a first access; the cell is stamped
 *     write    stamp >= base, by a write         no other thread is affected; the cell is stamped
 *     all else                                   out of line
 *
 * `now` is the new stamp. It may be any value between the limit and the counter: all of them mean the same for
 * present and future frames. (In the serial form it is the counter, since stamps are also compared with the counter
 * at a write, which may be the thread's own.) Only stamps are changed here, and only this thread reads them, so
 * `busy` is not needed. A signal handler that runs in between and accesses the same cell may make a routine's size
 * wrong by that cell. */
#ifndef SKEIN_CORE_INPUT_FAST_H
#define SKEIN_CORE_INPUT_FAST_H

#include "arch/arch.h"
#include "core/input/input.h"

INPUT_INLINE uint32_t *input_stamps_at(const struct input_thread *t, uint64_t address, unsigned cell_log2, uint32_t cells, bool aligned)
{
	uint64_t cell = address >> cell_log2, number = cell >> INPUT_CELLS_LOG2;
	uint32_t at = input_front_at(number), first = (uint32_t)cell & (INPUT_CELLS - 1);
	if (INPUT_RARELY(t->lane.front[at].number != number || (!aligned && first > INPUT_CELLS - cells)))
		return NULL;
	return &t->lane.front[at].chunk->stamps[first];
}

/* ---- four cells: a bit for each ---- */

INPUT_INLINE arch_four input_four_of(uint32_t n)
{
	return (arch_four){(int32_t)n, (int32_t)n, (int32_t)n, (int32_t)n};
}

INPUT_INLINE uint32_t input_four_below(const uint32_t *stamps, uint32_t limit)
{
	return arch_signs(*(const arch_four *)stamps < input_four_of(limit));
}

INPUT_INLINE uint32_t input_four_written(const uint32_t *stamps)
{
	return arch_signs(*(const arch_four *)stamps << 31);
}

INPUT_INLINE uint32_t input_four_count(uint32_t bits)
{
	return (uint32_t)(UINT64_C(0x4332322132212110) >> (4 * bits)) & 7;
}

/* ---- any number ---- */

INPUT_INLINE bool input_any_below(const uint32_t *stamps, uint32_t cells, uint32_t limit)
{
	uint32_t bits = 0;
	for (uint32_t i = 0; cells > 2 && i < cells; i += 4)
		bits |= input_four_below(stamps + i, limit);
	return bits || (cells < 4 && (stamps[0] < limit || (cells == 2 && stamps[1] < limit)));
}

INPUT_INLINE bool input_all_written(const uint32_t *stamps, uint32_t cells)
{
	uint32_t bits = 15;
	for (uint32_t i = 0; cells > 2 && i < cells; i += 4)
		bits &= input_four_written(stamps + i);
	return bits == 15 && (cells > 2 || (stamps[0] & (cells == 2 ? stamps[1] : 1) & INPUT_WRITTEN));
}

INPUT_INLINE uint32_t input_count_below(const uint32_t *stamps, uint32_t cells, uint32_t limit)
{
	uint32_t count = 0;
	for (uint32_t i = 0; cells > 2 && i < cells; i += 4)
		count += input_four_count(input_four_below(stamps + i, limit));
	for (uint32_t i = 0; cells < 4 && i < cells; i++)
		count += stamps[i] < limit;
	return count;
}

/* `keep`: keep the mark of a write; otherwise set it. */
INPUT_INLINE void input_stamp(uint32_t *stamps, uint32_t cells, uint32_t now, bool keep)
{
	for (uint32_t i = 0; cells > 2 && i < cells; i += 4) {
		arch_four mark = input_four_of(INPUT_WRITTEN), *four = (arch_four *)(stamps + i);
		if (keep)
			mark &= *four;
		*four = mark | input_four_of(now);
	}
	for (uint32_t i = 0; cells < 4 && i < cells; i++)
		stamps[i] = now | (keep ? stamps[i] & INPUT_WRITTEN : INPUT_WRITTEN);
}

/* ---- accesses ---- */

/* Whether an access is certainly not a first access. It has at least one byte and ends below the end of the address
 * space. */
INPUT_INLINE bool input_fast_knows(const struct input_thread *t, uint64_t address, uint32_t bytes, unsigned cell_log2, bool write)
{
	uint32_t cells = (uint32_t)(((address + bytes - 1) >> cell_log2) - (address >> cell_log2)) + 1;
	const uint32_t *stamps = cells > INPUT_CELLS ? NULL : input_stamps_at(t, address, cell_log2, cells, false);
	while (stamps && cells && stamps[cells - 1] >= t->limit && (!write || stamps[cells - 1] & INPUT_WRITTEN))
		cells--;
	return stamps && !cells;
}

INPUT_INLINE bool input_fast_first(const struct input_thread *t, uint32_t *stamps, uint32_t cells, uint32_t now, uint64_t *firsts)
{
	if (!input_any_below(stamps, cells, t->limit))
		return true;
	if (INPUT_RARELY(input_any_below(stamps, cells, t->deep)))
		return false;
	*firsts += input_count_below(stamps, cells, t->limit);
	input_stamp(stamps, cells, now, true);
	return true;
}

INPUT_INLINE bool input_fast_read(const struct input_thread *t, uint64_t address, unsigned cell_log2, uint32_t cells, bool aligned,
                                  uint32_t now, uint64_t *firsts)
{
	uint32_t *stamps = input_stamps_at(t, address, cell_log2, cells, aligned);
	return !INPUT_RARELY(!stamps) && input_fast_first(t, stamps, cells, now, firsts);
}

INPUT_INLINE bool input_fast_write(const struct input_thread *t, uint64_t address, unsigned cell_log2, uint32_t cells, bool aligned,
                                   uint32_t now)
{
	uint32_t *stamps = input_stamps_at(t, address, cell_log2, cells, aligned);
	if (INPUT_RARELY(!stamps || input_any_below(stamps, cells, t->base << 1) || !input_all_written(stamps, cells)))
		return false;
	input_stamp(stamps, cells, now, false);
	return true;
}

INPUT_INLINE bool input_fast_modify(const struct input_thread *t, uint64_t address, unsigned cell_log2, uint32_t cells, bool aligned,
                                    uint32_t now, uint64_t *firsts)
{
	uint32_t *stamps = input_stamps_at(t, address, cell_log2, cells, aligned);
	return !INPUT_RARELY(!stamps || !input_all_written(stamps, cells)) && input_fast_first(t, stamps, cells, now, firsts);
}

#endif
