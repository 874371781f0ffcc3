/* SPDX-License-Identifier: MIT */
#include "relink/spawns.h"

#include "relink/family.h"

enum parallel_state parallel_state(const char *program)
{
	enum parallel_state state = PARALLEL_NO;
	struct family family;
	struct fail why;

	if (family_find(&family, program, &why) < 0)
		return PARALLEL_NO;
	for (size_t i = 0; i < family.count; i++) {
		const struct note *note = &family.members[i].note;
		if (note->cilk && (state == PARALLEL_NO || !note->parallel))
			state = note->parallel ? PARALLEL_ALREADY : PARALLEL_SERIAL;
	}
	family_free(&family);
	return state;
}
