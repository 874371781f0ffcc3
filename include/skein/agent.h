/* SPDX-License-Identifier: MIT */
/* agent.h: how a language's runtime tells the sampler what its stack frames mean.
 *
 * `skein record idle` shows call paths as the user wrote them. In plain C and C++ a stack frame is a call. In an interpreter,
 * a scheduler or a coroutine library it is not; only the author of that runtime knows what a frame means. An agent passes this
 * knowledge on: three functions that the sampler calls while it walks over a stack (Tallent and Mellor-Crummey, PPoPP'09,
 * sections 3 and 4).
 *
 * A call path is a sequence of bichords: a group of physical frames (p-notes) and the group of logical frames (l-notes) that
 * they stand for. An agent is selected by code address: the sampler asks it about frames whose code lies in a range that the
 * agent registered. The agent reports p-notes and l-notes one by one; it need not look ahead.
 *
 *     1-1  one frame is one call             M-1  several frames are one call (an interpreter)
 *     1-0  one frame of the runtime itself   M-0  several frames of the runtime itself
 *     1-M  one frame stands for several calls (a scheduler: the calls in which the task that it runs was created)
 *
 * Example: an interpreter whose loop is one function, and whose frame object is found from the stack (examples/agent/toy.c is
 * a complete one):
 *
 *     static enum skein_association begin(struct skein_unwind *u, void *state) { …; return SKEIN_M_1; }
 *     static int pnote(struct skein_unwind *u, void *state) { return is_helper(skein_unwind_frame(u)->ip); }   one more frame of it?
 *     static int lnote(struct skein_unwind *u, void *state, uint64_t *lip) { *lip = line_of(state); return ++n == 1; }
 *     static const struct skein_agent agent = {SKEIN_AGENT_VERSION, "toy", begin, pnote, lnote};
 *     skein_agent_add(&agent, first_byte, last_byte + 1);
 *
 * The three functions run in a signal handler, and the thread may have been interrupted anywhere: no locks, no allocation, only
 * async-signal-safe functions. They keep what they need in `state`, SKEIN_AGENT_STATE bytes that are zero when a bichord
 * begins. They read memory that the subject may be changing with skein_unwind_read.
 *
 * In a program that is not being sampled, skein_agent_add, skein_agent_remove and skein_place_name do nothing, and no library
 * needs to be linked. */
#ifndef SKEIN_AGENT_H
#define SKEIN_AGENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKEIN_AGENT_VERSION 1u
#define SKEIN_AGENT_STATE 64

enum skein_association { SKEIN_1_1, SKEIN_1_0, SKEIN_M_0, SKEIN_M_1, SKEIN_1_M, SKEIN_NOT_MINE /* an ordinary frame after all */ };

struct skein_unwind; /* one walk over one stack */

/* The frame that the walk has reached. */
struct skein_frame {
	uintptr_t ip;  /* the address where the frame was interrupted, or where it continues when its callee returns */
	uintptr_t sp;  /* the stack pointer at ip */
	uintptr_t bp;  /* the frame pointer register at ip, if the code uses it as one */
	uintptr_t cfa; /* end of the frame: the caller's stack pointer at the call, before the return address was pushed */
};

struct skein_agent {
	unsigned version; /* SKEIN_AGENT_VERSION */
	const char *name;

	/* The walk has reached a frame of the agent: a bichord begins, with this frame as its first p-note. */
	enum skein_association (*begin)(struct skein_unwind *u, void *state);

	/* For M-0 and M-1; may be NULL otherwise. The walk has reached the next frame, which may be of any code. Return 1 if
	 * the frame is one more p-note, 0 if the next bichord begins with it. */
	int (*pnote)(struct skein_unwind *u, void *state);

	/* Gives the next l-note, innermost first. Return 1 with a logical instruction pointer in *lip: the code address at
	 * which the call continues, as in a frame, or a value of skein_place_name. Return 0 if there are no more. Called for
	 * 1-1, M-1 and 1-M, after the p-notes are known. The walk has passed them by then, so begin and pnote must store what
	 * lnote needs. For 1-1 and M-1 the sampler asks for one l-note only; without an l-note they count as 1-0 and M-0. For
	 * 1-1 lnote may be NULL: then the frame itself is the call. */
	int (*lnote)(struct skein_unwind *u, void *state, uint64_t *lip);
};

/* What the sampler offers. */
/* Returns 0, or -1 if there is no room or the version is wrong. */
extern int skein_agent_register(const struct skein_agent *agent, const void *start, const void *end) __attribute__((weak));
/* Removes all ranges of the agent. Returns 0, or -1 if it had none. Walks that have begun may still call it: keep its code. */
extern int skein_agent_unregister(const struct skein_agent *agent) __attribute__((weak));
extern const struct skein_frame *skein_unwind_frame(const struct skein_unwind *u) __attribute__((weak));
/* Returns 0, or -1 if the memory cannot be read. */
extern int skein_unwind_read(struct skein_unwind *u, uintptr_t address, void *to, size_t bytes) __attribute__((weak));
/* Returns memory that is valid until the walk ends, or NULL if there is no more. */
extern void *skein_unwind_memory(struct skein_unwind *u, size_t bytes) __attribute__((weak));
/* Says that the l-notes of this bichord reach the start of the program: frames beyond it are only physical. */
extern void skein_unwind_rooted(struct skein_unwind *u) __attribute__((weak));
/* Returns the same value for the same name; an agent may call it. Returns 0 if there is no room: leave the l-note out. */
extern uint64_t skein_place_register(const char *routine, const char *file, unsigned line) __attribute__((weak));

static inline int skein_agent_add(const struct skein_agent *agent, const void *start, const void *end)
{
	return skein_agent_register ? skein_agent_register(agent, start, end) : 0;
}

static inline int skein_agent_remove(const struct skein_agent *agent)
{
	return skein_agent_unregister ? skein_agent_unregister(agent) : 0;
}

static inline uint64_t skein_place_name(const char *routine, const char *file, unsigned line)
{
	return skein_place_register ? skein_place_register(routine, file, line) : 0;
}

#ifdef __cplusplus
}
#endif

#endif
