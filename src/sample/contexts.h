/* SPDX-License-Identifier: MIT */
/* contexts.h: the contexts in which threads and tasks were created (section 4.2).
 *
 * A context is the logical call path of a creator at that moment: the places of its own frames, and the context in
 * which the creator itself was created. Contexts are counted references in the runtime's memory; nothing of them
 * enters the calling-context tree until a sample hits.
 *
 * The path of a task that tasks created, one in another, is as long as they are deep. A sample in a deep one does not write it out: the
 * context has a node of the tree, found once, from the node of its parent. */
#ifndef SKEIN_SAMPLE_CONTEXTS_H
#define SKEIN_SAMPLE_CONTEXTS_H

#include <stdatomic.h>
#include <stdint.h>
#include "threads/threads.h"

struct context {
	_Atomic uint32_t users;
	uint32_t count;
	struct context *parent; /* NULL: the path begins here */
	uint32_t depth;         /* places of this one and of all before it */
	_Atomic uint32_t node;  /* of the tree; 0: not known */
	uint64_t places[];      /* innermost first */
};

void *contexts_capture(struct skein_self *self);
void contexts_retain(void *context);
void contexts_release(void *context); /* NULL is ignored */

struct sampled;
enum { CONTEXTS_DEEP = 256, CONTEXTS_CHAIN = 256 };
uint32_t contexts_node(struct sampled *s, struct context *c); /* in the thread itself; 0: no room */
void contexts_forget(struct sampled *s);                      /* the thread ends: what it kept for the next capture */

#endif
