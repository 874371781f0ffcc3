/* SPDX-License-Identifier: MIT */
/* logical.h: a walk over a stack that yields logical call paths (Tallent and Mellor-Crummey, PPoPP'09, section 4, Algorithm 1).
 *
 * The walk is controlled by the physical stack: the current frame chooses the agent (skein/agent.h), and the agent
 * says how many physical frames its bichord has and for which logical frames they stand. Frames without an agent are
 * calls (the identity agent).
 *
 *     struct skein_unwind u;
 *     logical_begin(&u, &port, machine, scratch, sizeof scratch);
 *     while (logical_step_bichord(&u)) {
 *             while (logical_step_pnote(&u, &place)) …
 *             while (logical_step_lnote(&u, &place)) …
 *     }
 *
 * or all of it at once: logical_backtrace. Stepping past the last p-note has already reached the next bichord's first
 * frame: the frame chooses the next agent; l-notes never look ahead. All state is in struct skein_unwind, of fixed
 * size. */
#ifndef SKEIN_CORE_LOGICAL_H
#define SKEIN_CORE_LOGICAL_H

#include <stdbool.h>
#include "core/idle/lcct.h"

struct logical_port {
	bool (*step)(void *machine); /* steps to the caller; false: no caller, or not found */
	const struct skein_frame *(*frame)(const void *machine);
	uint64_t (*place)(const void *machine);            /* place of that frame's ip */
	const struct skein_agent *(*agent)(void *machine); /* agent of that frame's ip; NULL: the identity agent */
	uint64_t (*place_of)(void *machine, uint64_t lip); /* place of an address that an agent's lnote returned */
	bool (*read)(void *machine, uintptr_t address, void *to, size_t bytes);
};

struct skein_unwind {
	const struct logical_port *port;
	void *machine;
	const struct skein_agent *agent; /* agent of the bichord; NULL: identity */
	enum skein_association association;
	bool ended;              /* the machine has no further frame */
	bool rooted;             /* the rest is one bichord M-0 up to the root */
	bool fresh;              /* the machine's current frame belongs to no bichord yet */
	uint32_t pnotes, lnotes; /* notes that this bichord has yielded */
	uint64_t first;          /* place of the bichord's first p-note: the l-note of the identity agent */
	unsigned char *scratch;
	size_t scratch_bytes;
	_Alignas(16) unsigned char state[SKEIN_AGENT_STATE];
};

void logical_begin(struct skein_unwind *u, const struct logical_port *port, void *machine, void *scratch, size_t scratch_bytes);
bool logical_step_bichord(struct skein_unwind *u);                /* false: END_UNWIND */
bool logical_step_pnote(struct skein_unwind *u, uint64_t *place); /* false: END_CHORD */
bool logical_step_lnote(struct skein_unwind *u, uint64_t *place); /* false: END_CHORD; all p-notes must have been taken */
void *logical_memory(struct skein_unwind *u, size_t bytes);       /* NULL: no more */

/* Algorithm 1: the X-structures of the whole path, written backwards from path[room - 1], so that path[room - count] is
 * the outermost. Returns count. *whole is false if the path did not fit: then it has the innermost part. M-1 with
 * one p-note is 1-1, M-0 with one is 1-0, 1-M with one l-note is 1-1. */
size_t logical_backtrace(struct skein_unwind *u, struct lcct_x *path, size_t room, bool *whole);

#endif
