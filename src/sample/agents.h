/* SPDX-License-Identifier: MIT */
/* agents.h: which agent knows the code at an address, and the places that agents have given names to.
 *
 * The functions that skein/agent.h promises to a subject are here. Ranges of code are kept in a small table that
 * readers take no lock for; a bit for each page, modulo some megabytes, tells at once that there is no agent, which is
 * the answer for nearly every frame of nearly every sample.
 *
 *     const struct skein_agent *agent = agents_find(ip);      NULL: a frame there is a call
 *     uint64_t place = agents_place_of(lip);                  of the agent's lnote; 0: none
 *
 * Everything here may be called by any thread and from signal handlers. The names are records of the recording (struct
 * raw_place) and found again there, so a forked child has them too. Where two agents have registered the same address,
 * either may be asked. */
#ifndef SKEIN_SAMPLE_AGENTS_H
#define SKEIN_SAMPLE_AGENTS_H

#include <stdatomic.h>
#include <stdint.h>
#include "skein/agent.h"

#define AGENTS_PAGE_SHIFT 12
#define AGENTS_WORDS 64 /* of the filter: 64 x 64 pages, 16 MiB */

extern _Atomic uint64_t agents_filter[AGENTS_WORDS];
const struct skein_agent *agents_search(uintptr_t ip);

static inline const struct skein_agent *agents_find(uintptr_t ip)
{
	uintptr_t page = ip >> AGENTS_PAGE_SHIFT;
	uint64_t word = atomic_load_explicit(&agents_filter[page / 64 % AGENTS_WORDS], memory_order_relaxed);
	return word >> page % 64 & 1 ? agents_search(ip) : NULL;
}

/* A code address becomes its place; what has a module in it is a place already (one of a name must have been registered). */
uint64_t agents_place_of(uint64_t lip);

#endif
