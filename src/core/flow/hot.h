/* SPDX-License-Identifier: MIT */
/* hot.h: entries and returns of routines, straight into the log of the thread that runs them.
 *
 * Problem: a routine event may take 14 ns, and reading the clock takes 10 of them.
 * Idea: a record fits into one word of eight bytes, put together without branches: kind, ticks as a varint of one or two bytes, and
 * the routine's number likewise. The word is stored behind the records of the chunk, and then the chunk says that it is there. What
 * does not fit, a long time or a large number or the end of a chunk, is left to the caller, as is everything else that is rare.
 *
 *     uint64_t mine = flow_hot_enter(hot, number, here);                     0: the caller records it otherwise
 *     …
 *     if (hot->depth != mine || !flow_hot_leave(hot, here)) …                frames above mine were left by a jump; or as above
 *
 * Nesting: the writer counts how deep it is, and an activation knows the depth at which it was entered. A jump, an exception or a
 * thread's end skips returns; the first activation that notices puts a FLOW_UNWIND with its own depth in the log.
 *
 * Signals: `busy` is the stack address of the code that changes the log. A handler that interrupts it finds it set and must not
 * record. It stays set if that handler leaves by a jump. Then the address lies below the stack of the code that finds it, which may take the
 * log over and begins a new chunk, since the last record may be half written. */
#ifndef SKEIN_CORE_FLOW_HOT_H
#define SKEIN_CORE_FLOW_HOT_H

#include "arch/arch.h"
#include "core/flow/log.h"

struct flow_hot {
	struct flow_chunk chunk; /* the head is never NULL; a chunk without room: the first record needs another one */
	uint64_t depth;          /* number of frames that are open; the first one of a thread stands for its creator */
	volatile uintptr_t busy; /* 0: no code is changing the log */
	bool orders;             /* records have no times: those of a thread stay in their order */
};

#define FLOW_HOT_STEP() __atomic_signal_fence(__ATOMIC_SEQ_CST)
enum { FLOW_HOT_SHORT = 1 << 7, FLOW_HOT_LONG = 1 << 14 }; /* numbers below need one byte, two bytes */

/* A number below FLOW_HOT_LONG as a varint; returns how many bytes. */
static inline unsigned flow_hot_number(uint64_t n, uint64_t *bytes)
{
	uint64_t is_long = n >= FLOW_HOT_SHORT;
	*bytes = (n & (FLOW_HOT_SHORT - 1)) | is_long << 7 | n >> 7 << 8;
	return 1 + (unsigned)is_long;
}

/* The record's bytes behind those of the chunk. False: they do not fit, or the record is not a short one. */
static inline __attribute__((always_inline)) bool flow_hot_put(struct flow_hot *hot, enum flow_kind kind, uint64_t number)
{
	struct flow_chunk *chunk = &hot->chunk;
	struct flow_head *head = chunk->head;
	uint64_t used = head->used, now = __builtin_expect(hot->orders, 0) ? chunk->time : arch_tick(), ticks = now - chunk->time, bytes,
		 word;
	if (__builtin_expect(chunk->room - used < FLOW_RECORD_BYTES || (ticks | number) >= FLOW_HOT_LONG, 0))
		return false;
	unsigned length = 1 + flow_hot_number(ticks, &bytes);
	word = (uint64_t)kind | bytes << 8;
	if (kind == FLOW_ENTRY) {
		unsigned more = flow_hot_number(number, &bytes);
		word |= bytes << 8 * length;
		length += more;
	}
	__builtin_memcpy((char *)(head + 1) + used, &word, sizeof word);
	chunk->time = now;
	__atomic_store_n(&head->used, used + length, __ATOMIC_RELEASE);
	return true;
}

/* `here`: address of anything on the stack. */
static inline __attribute__((always_inline)) uint64_t flow_hot_enter(struct flow_hot *hot, uint64_t number, uintptr_t here)
{
	uint64_t mine = 0;
	if (__builtin_expect(hot->busy != 0, 0))
		return 0;
	hot->busy = here;
	FLOW_HOT_STEP();
	if (flow_hot_put(hot, FLOW_ENTRY, number))
		mine = ++hot->depth;
	FLOW_HOT_STEP();
	hot->busy = 0;
	return mine;
}

static inline __attribute__((always_inline)) bool flow_hot_leave(struct flow_hot *hot, uintptr_t here)
{
	if (__builtin_expect(hot->busy != 0, 0))
		return false;
	hot->busy = here;
	FLOW_HOT_STEP();
	bool fits = flow_hot_put(hot, FLOW_RETURN, 0);
	hot->depth -= fits;
	FLOW_HOT_STEP();
	hot->busy = 0;
	return fits;
}

#endif
