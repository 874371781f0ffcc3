/* SPDX-License-Identifier: MIT */
/* input_fast.h: accesses of one, two, four or eight cells in line, for compiled subjects (see input.h and input_concurrent.h).
 *
 *     me->t.firsts += input_fast_read(me, address, bytes, 2, 1, 1);     an int: cells of 2^2 bytes, one of them, aligned
 *     input_fast_write(me, address, bytes, 2, 1, 1);
 *     me->t.firsts += input_fast_modify(…);                             a read, then a write
 *
 * bytes, cell_log2, cells and aligned are constants where they are inlined. `aligned` says that the first cell's number is a multiple of `cells`, so that all of them are in
 * one chunk. What reads return, first accesses to what the caller had accessed, may be added up elsewhere until the stack changes.
 *
 *     read     stamp >= limit                    nothing
 *              stamp >= deep                     a first access; the cell is stamped
 *     write    stamp >= base, by a write         nobody is told; the cell is stamped
 *     all else                                   out of line
 *
 * A stamp may be any between the limit and the counter, which says the same of the frames that there are and of all that will be: so it is the limit.
 * Only stamps are changed here, and nobody else looks at them, so that no `busy` is needed: a signal handler that comes in between, and accesses the same cell, may make a
 * routine's size wrong by that cell. */
#ifndef SKEIN_CORE_INPUT_FAST_H
#define SKEIN_CORE_INPUT_FAST_H

#include "core/input_concurrent.h"

typedef int32_t input_four __attribute__((vector_size(16), aligned(4), may_alias));
typedef float input_signs __attribute__((vector_size(16)));

INPUT_INLINE uint32_t *input_stamps_at(const struct input_thread *t, uint64_t address, unsigned cell_log2, uint32_t cells, bool aligned)
{
	uint64_t cell = address >> cell_log2, number = cell >> INPUT_CELLS_LOG2;
	uint32_t at = (uint32_t)number & (INPUT_FRONT - 1), first = (uint32_t)cell & (INPUT_CELLS - 1);
	if (INPUT_RARELY(t->lane.front[at].number != number || (!aligned && first > INPUT_CELLS - cells)))
		return NULL;
	return &t->lane.front[at].chunk->stamps[first];
}

/* ---- four cells: a bit for each ---- */

INPUT_INLINE uint32_t input_four_signs(input_four v)
{
	return (uint32_t)__builtin_ia32_movmskps((input_signs)v);
}

INPUT_INLINE input_four input_four_of(uint32_t n)
{
	return (input_four){(int32_t)n, (int32_t)n, (int32_t)n, (int32_t)n};
}

INPUT_INLINE uint32_t input_four_below(const uint32_t *stamps, uint32_t limit)
{
	return input_four_signs(*(const input_four *)stamps < input_four_of(limit));
}

INPUT_INLINE uint32_t input_four_written(const uint32_t *stamps)
{
	return input_four_signs(*(const input_four *)stamps << 31);
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

/* `keep`: the mark of a write stays, else it is set. */
INPUT_INLINE void input_stamp(uint32_t *stamps, uint32_t cells, uint32_t limit, bool keep)
{
	for (uint32_t i = 0; cells > 2 && i < cells; i += 4) {
		input_four mark = input_four_of(INPUT_WRITTEN), *four = (input_four *)(stamps + i);
		if (keep)
			mark &= *four;
		*four = mark | input_four_of(limit);
	}
	for (uint32_t i = 0; cells < 4 && i < cells; i++)
		stamps[i] = limit | (keep ? stamps[i] & INPUT_WRITTEN : INPUT_WRITTEN);
}

/* ---- accesses ---- */

INPUT_INLINE uint32_t input_fast_read(struct input_concurrent_thread *me, uint64_t address, uint32_t bytes, unsigned cell_log2, uint32_t cells, bool aligned)
{
	struct input_thread *t = &me->t;
	uint32_t *stamps = input_stamps_at(t, address, cell_log2, cells, aligned), count;
	if (INPUT_RARELY(!stamps))
		goto news;
	if (!input_any_below(stamps, cells, t->limit))
		return 0;
	if (INPUT_RARELY(input_any_below(stamps, cells, t->deep)))
		goto news;
	count = input_count_below(stamps, cells, t->limit);
	input_stamp(stamps, cells, t->limit, true);
	return count;
news:
	input_concurrent_read_slow(me, address, bytes);
	return 0;
}

INPUT_INLINE void input_fast_write(struct input_concurrent_thread *me, uint64_t address, uint32_t bytes, unsigned cell_log2, uint32_t cells, bool aligned)
{
	struct input_thread *t = &me->t;
	uint32_t *stamps = input_stamps_at(t, address, cell_log2, cells, aligned);
	if (INPUT_RARELY(!stamps || input_any_below(stamps, cells, t->base << 1) || !input_all_written(stamps, cells)))
		input_concurrent_write_slow(me, address, bytes);
	else
		input_stamp(stamps, cells, t->limit, false);
}

INPUT_INLINE uint32_t input_fast_modify(struct input_concurrent_thread *me, uint64_t address, uint32_t bytes, unsigned cell_log2, uint32_t cells, bool aligned)
{
	struct input_thread *t = &me->t;
	uint32_t *stamps = input_stamps_at(t, address, cell_log2, cells, aligned), count;
	if (INPUT_RARELY(!stamps || !input_all_written(stamps, cells)))
		goto news;
	if (!input_any_below(stamps, cells, t->limit))
		return 0;
	if (INPUT_RARELY(input_any_below(stamps, cells, t->deep)))
		goto news;
	count = input_count_below(stamps, cells, t->limit);
	input_stamp(stamps, cells, t->limit, true);
	return count;
news:
	input_concurrent_read_slow(me, address, bytes);
	input_concurrent_write_slow(me, address, bytes);
	return 0;
}

#endif
