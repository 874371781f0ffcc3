/* SPDX-License-Identifier: MIT */
/* cilk.c: the agent of Cilk programs that skein-cc linked as parallel ones (section 5.3).
 *
 * A spawn is a task of libomp, so where a stolen one belongs is known from walk.c. The agent handles the functions
 * that the lowering made around spawns, syncs and regions: these are 1-0, since no user wrote them. The program
 * registers their addresses when it starts. */
#include "sample/agents.h"
#include "threads/real.h"

void skein_cilk_code(const void *start, const void *end);

static enum skein_association begin(struct skein_unwind *u, void *state)
{
	(void)u, (void)state;
	return SKEIN_1_0;
}

EXPORT void skein_cilk_code(const void *start, const void *end)
{
	static const struct skein_agent agent = {SKEIN_AGENT_VERSION, "cilk", begin, NULL, NULL};
	skein_agent_register(&agent, start, end);
}
