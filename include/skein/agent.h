/* SPDX-License-Identifier: MIT */
/* agent.h: how a language's runtime tells the sampler what its stack frames mean.
 *
 * `skein record idle` shows call paths as the user wrote them. For plain C and C++ a stack frame is a call; for an interpreter,
 * a scheduler or a coroutine library it is not, and only its author knows what it is. An agent is that knowledge: three
 * functions, which the sampler calls while it walks over a stack (Tallent and Mellor-Crummey, PPoPP'09, sections 3 and 4).
 *
 * A call path is a sequence of bichords: a group of physical frames (p-notes) and the group of logical frames (l-notes) that
 * they stand for. An agent is chosen by code address: it is asked about frames whose code lies in a range that it registered.
 * It says how many of each there are as it goes; it need not look ahead.
 *
 *     1-1  a frame is a call               M-1  several frames carry out one call (an interpreter)
 *     1-0  a frame of the runtime's own    M-0  several of them
 *     1-M  a frame stands for several calls (a scheduler, for those that the work it runs was created in)
 *
 * An interpreter whose loop is one function, with a frame object that is found from the stack (examples/agent/toy.c is a whole one):
 *
 *     static enum skein_association begin(struct skein_unwind *u, void *state) { …; return SKEIN_M_1; }
 *     static int pnote(struct skein_unwind *u, void *state) { return is_helper(skein_unwind_frame(u)->ip); }   one more frame of it?
 *     static int lnote(struct skein_unwind *u, void *state, uint64_t *lip) { *lip = line_of(state); return ++n == 1; }
 *     static const struct skein_agent agent = {SKEIN_AGENT_VERSION, "toy", begin, pnote, lnote};
 *     skein_agent_add(&agent, first_byte, last_byte + 1);
 *
 * The functions run in a signal handler of the thread that was interrupted anywhere: no locks, no allocation, nothing that is
 * not async-signal-safe. They keep what they need in `state`, SKEIN_AGENT_STATE bytes that are zero when a bichord begins; memory that the
 * subject may be changing is read with skein_unwind_read.
 *
 * In a program that is not being sampled every call here does nothing; nothing needs to be linked. */
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

/* Where the walk stands. */
struct skein_frame {
	uintptr_t ip;  /* where it was interrupted, or the address that it returns to when its callee is done */
	uintptr_t sp;  /* its stack pointer there */
	uintptr_t bp;  /* its frame pointer register, if it is one */
	uintptr_t cfa; /* end of the frame: the stack pointer of its caller at the call, before the return address was pushed */
};

struct skein_agent {
	unsigned version; /* SKEIN_AGENT_VERSION */
	const char *name;

	/* The walk stands at a frame of the agent's: a bichord begins with it as its first p-note. */
	enum skein_association (*begin)(struct skein_unwind *u, void *state);

	/* M-0 and M-1 only, may be NULL otherwise: the walk stands at the next frame, which may be anybody's. 1: it is
	 * one more p-note, 0: the next bichord begins with it. */
	int (*pnote)(struct skein_unwind *u, void *state);

	/* The next l-note, innermost first: 1, with a logical instruction pointer in *lip (a code address at which it
	 * goes on, as in a frame, or what skein_place_name returned); 0: there is no more. Called for 1-1, M-1 and 1-M,
	 * after the p-notes are known: the walk stands beyond them by then, so begin and pnote must have kept what they
	 * saw. 1-1 and M-1 are asked for one only; those that have none are 1-0 and M-0 after all. 1-1 may leave it
	 * NULL: then the frame itself is the call. */
	int (*lnote)(struct skein_unwind *u, void *state, uint64_t *lip);
};

/* What the sampler offers. */
/* 0, or -1: no room or wrong version */
extern int skein_agent_register(const struct skein_agent *agent, const void *start, const void *end) __attribute__((weak));
/* from all its ranges; 0, or -1: it had none. Walks that have begun may still call it: its code must stay */
extern int skein_agent_unregister(const struct skein_agent *agent) __attribute__((weak));
extern const struct skein_frame *skein_unwind_frame(const struct skein_unwind *u) __attribute__((weak));
/* 0, or -1: nothing readable there */
extern int skein_unwind_read(struct skein_unwind *u, uintptr_t address, void *to, size_t bytes) __attribute__((weak));
extern void *skein_unwind_memory(struct skein_unwind *u, size_t bytes) __attribute__((weak)); /* until the walk ends; NULL: no more */
/* the l-notes of this bichord reach the program's start: frames beyond it are only physical */
extern void skein_unwind_rooted(struct skein_unwind *u) __attribute__((weak));
/* the same for the same name; safe in an agent; 0: no room, and the l-note is left out */
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
