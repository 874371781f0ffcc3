/* SPDX-License-Identifier: MIT */
/* unwind.h: from a frame to its caller, by .eh_frame, in a signal handler.
 *
 *     struct unwind u;
 *     unwind_begin(&u, cache, stack_low, stack_high, ucontext);   or unwind_here: from the function that calls it
 *     do {
 *             … u.frame.ip, u.frame.cfa, u.place …
 *     } while (unwind_step(&u) == UNWIND_FRAME);
 *
 * A rule (how to find the CFA, the return address and the saved registers at one code address) is looked up in the
 * thread's cache, and worked out from .eh_frame when it is not there. The cache is the thread's own; it is void when
 * modules_generation changes. Memory outside [stack_low, stack_high) is read only after the kernel was asked whether it
 * is there: a stack may be anything (a coroutine's, an alternate one, garbage). A frame without a rule (assembly,
 * generated code) is left by its frame pointer, if that looks like one, or by the return address on top of the stack,
 * if a call stands in front of what it points to.
 * No locks, no allocation, no libc but memcpy; no more than about 1 KiB of stack. A signal handler may walk with the
 * cache that it interrupted. */
#ifndef SKEIN_UNWIND_H
#define SKEIN_UNWIND_H

#include <stdbool.h>
#include <ucontext.h>
#include "arch/subject.h"
#include "skein/agent.h"
#include "unwind/modules.h"

enum unwind_step {
	UNWIND_FRAME, /* the walk stands at the caller */
	UNWIND_END,   /* no caller: this was _start, clone, or a context's first function */
	UNWIND_LOST   /* the caller cannot be found */
};

struct unwind_cache; /* UNWIND_CACHE_BYTES of zeroed memory, aligned to 64, one per thread */
#define UNWIND_CACHE_BYTES (65536u + 4096u + 64u)

/* How to leave a frame: the unwinder's own (rule.h). */
struct unwind_rule {
	int32_t cfa_offset;
	uint8_t kind; /* enum unwind_kind */
	uint8_t cfa_register;
	uint16_t restored;         /* bit r: register r is read from the frame */
	uint8_t saved[ARCH_SAVED]; /* of ARCH_SAVED_LIST: at base - 8 * saved; 0: it is not */
	uint8_t deepest;           /* the largest of them */
	uint8_t unused;
};

struct unwind {
	struct skein_frame frame; /* where the walk stands; cfa is known as soon as the frame is reached, 0 if it cannot be found */
	uint64_t place;           /* of frame.ip */
	bool is_return;           /* frame.ip is a return address: the call is in front of it */
	/* the other members are private to the unwinder */
	uintptr_t stack_low, stack_high;
	struct unwind_cache *cache;
	uintptr_t registers[DWARF_REGISTERS]; /* by DWARF's numbers; those that a callee saves, and the return address */
	uint32_t known;                       /* bit r: registers[r] holds the caller's value */
	uintptr_t good_page;                  /* last page outside the stack that was found readable, or UINTPTR_MAX */
	uintptr_t key;                        /* the modules' generation, in the bits that an address leaves free */
	struct unwind_rule rule;              /* of the frame; a copy, since a signal handler may use the cache too */
	bool is_sure; /* no step was a guess: the code of the frame is on the thread's stack, and its module is there */
	bool is_full; /* all registers are followed, and not only the stack and the frame pointer */
	bool began_at_return;
	uint8_t signals; /* signal frames so far */
	uint32_t steps;
	uintptr_t began[DWARF_REGISTERS]; /* the registers at the beginning */
	uint32_t began_known;             /* which registers of `began` are known */
};

void unwind_begin(struct unwind *u, struct unwind_cache *cache, uintptr_t stack_low, uintptr_t stack_high, const ucontext_t *context);
/* first frame: the function that called unwind_here */
void unwind_here(struct unwind *u, struct unwind_cache *cache, uintptr_t stack_low, uintptr_t stack_high);
/* first frame: the caller of the function whose frame address this is, still on this stack */
void unwind_above(struct unwind *u, struct unwind_cache *cache, uintptr_t stack_low, uintptr_t stack_high, uintptr_t frame);
/* A thread of another process, with those registers. The program that calls this brings what reads that process:
 * module_at, memory_copy, and an unwind_read that has the stack; modules_are_here is false there. */
void unwind_apart(struct unwind *u, struct unwind_cache *cache, const uintptr_t registers[DWARF_REGISTERS], uint32_t known);
enum unwind_step unwind_step(struct unwind *u);
bool unwind_read(struct unwind *u, uintptr_t address, void *to, size_t bytes); /* false: nothing there */

#endif
