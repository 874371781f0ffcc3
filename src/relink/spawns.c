/* SPDX-License-Identifier: MIT */
#include "relink/spawns.h"

#include "relink/subject.h"

enum parallel_state parallel_state(struct subject *program)
{
	enum parallel_state state = PARALLEL_NO;
	struct fail why;
	const struct family *family = subject_family(program, &why);

	for (size_t i = 0; family && i < family->count; i++) {
		const struct note *note = &family->members[i].note;
		if (note->cilk && (state == PARALLEL_NO || !note->parallel))
			state = note->parallel ? PARALLEL_ALREADY : PARALLEL_SERIAL;
	}
	return state;
}
