/* SPDX-License-Identifier: MIT */
/* hooks.c: the code that the `paths` lens puts into a subject, beside the plain additions of src/pass/paths/edit.c: see
 * rt/paths/paths.h for what it means. */
#include "rt/paths/paths.h"

#include "rt/hooks.h"

#define RARELY(x) __builtin_expect(!!(x), 0)

/* See rt/paths/calls.c. */
#define RARE RT_API __attribute__((preserve_most))
RARE uint64_t *skein_rt_paths_counts(struct skein_object *object);
RARE uint64_t *skein_rt_paths_counts_here(struct skein_object *object, uint64_t **here);
RARE void skein_rt_paths_own(struct skein_object *object, uint64_t *counts, uint64_t row, uint32_t routine, uint64_t keys, uint64_t paths);
RARE void skein_rt_paths_count(struct skein_object *object, uint64_t *counts, uint64_t row, uint64_t index, uint64_t paths);
RARE uint64_t skein_rt_paths_look_up(struct skein_object *object, uint64_t *counts, uint64_t row, uint64_t key, uint64_t paths);
RARE struct raw_paths_open *skein_rt_paths_frames(struct skein_object *object);
RARE void skein_rt_paths_drop(struct raw_paths_open *from);

HOOK uint64_t *skein_hook_counts(void);
HOOK uint64_t *skein_hook_counts(void)
{
	uint64_t *counts = skein_self.tables[skein_hook_object.slot];
	return RARELY(!counts) ? skein_rt_paths_counts(&skein_hook_object) : counts;
}

/* The counters in an executable, whose thread-local variables are addressed directly. */
__attribute__((visibility("hidden"))) _Thread_local uint64_t *skein_hook_here;
HOOK uint64_t *skein_hook_counts_here(void);
HOOK uint64_t *skein_hook_counts_here(void)
{
	uint64_t *counts = skein_hook_here;
	return RARELY(!counts) ? skein_rt_paths_counts_here(&skein_hook_object, &skein_hook_here) : counts;
}

/* Counters of one piece of the program (pass/piece.h). The compiler is not to know how it was found, or it would keep two registers. */
HOOK uint64_t *skein_hook_rows(uint64_t *counts, uint64_t first);
HOOK uint64_t *skein_hook_rows(uint64_t *counts, uint64_t first)
{
	uint64_t *rows = counts + first;
	__asm__("" : "+r"(rows));
	return rows;
}

HOOK uint64_t *skein_hook_no_counts(void);
HOOK uint64_t *skein_hook_no_counts(void)
{
	return skein_hook_object.nowhere;
}

/* A frame holds on to the table that it found, until it has to ask for more: the old ones are counted too. */
HOOK struct paths_own *skein_hook_own(uint64_t *counts, uint64_t row, uint32_t routine, uint64_t keys, uint64_t paths);
HOOK struct paths_own *skein_hook_own(uint64_t *counts, uint64_t row, uint32_t routine, uint64_t keys, uint64_t paths)
{
	if (RARELY(!counts[row]))
		skein_rt_paths_own(&skein_hook_object, counts, row, routine, keys, paths);
	return paths_own_at(counts, row);
}

HOOK void skein_hook_count_own(struct paths_own **own, uint64_t *counts, uint64_t row, uint64_t index, uint64_t paths);
HOOK void skein_hook_count_own(struct paths_own **own, uint64_t *counts, uint64_t row, uint64_t index, uint64_t paths)
{
	if (RARELY(index >= (*own)->size)) {
		skein_rt_paths_count(&skein_hook_object, counts, row, index, paths);
		*own = paths_own_at(counts, row);
	} else {
		(*own)->words[index]++;
	}
}

HOOK uint64_t skein_hook_look_up(struct paths_own **own, uint64_t *counts, uint64_t row, uint64_t key, uint64_t paths);
HOOK uint64_t skein_hook_look_up(struct paths_own **own, uint64_t *counts, uint64_t row, uint64_t key, uint64_t paths)
{
	uint64_t place = RARELY(key >= (*own)->size) ? 0 : (*own)->words[(*own)->size + key];
	if (!RARELY(!place))
		return place * paths;
	place = skein_rt_paths_look_up(&skein_hook_object, counts, row, key, paths);
	*own = paths_own_at(counts, row);
	return place;
}

/* A row that is in use is one that was left by a jump, or leads to more rows. */
HOOK struct raw_paths_open *skein_hook_frames(void);
HOOK struct raw_paths_open *skein_hook_frames(void)
{
	struct raw_paths_open *next = skein_self.open;
	return RARELY(next->routine) ? skein_rt_paths_frames(&skein_hook_object) : next;
}

/* A signal handler may come at any time: it begins behind this row as soon as that is written to, and as long as it is. */
HOOK void skein_hook_push(struct raw_paths_open *mine, uint32_t index, uint32_t block, uint64_t reg);
HOOK void skein_hook_push(struct raw_paths_open *mine, uint32_t index, uint32_t block, uint64_t reg)
{
	skein_self.open = mine + 1;
	__atomic_signal_fence(__ATOMIC_RELEASE);
	mine->reg = reg;
	mine->block = block;
	mine->routine = skein_hook_object.first_routine + index;
}

HOOK void skein_hook_pop(struct raw_paths_open *mine);
HOOK void skein_hook_pop(struct raw_paths_open *mine)
{
	mine->routine = 0;
	__atomic_signal_fence(__ATOMIC_RELEASE);
	skein_self.open = mine;
}

/* In a landing pad: those above were left for good. */
HOOK void skein_hook_landed(struct raw_paths_open *mine);
HOOK void skein_hook_landed(struct raw_paths_open *mine)
{
	if (skein_self.open != mine + 1)
		skein_rt_paths_drop(mine + 1);
	skein_hook_pop(mine);
}

/* Where a call returns again: so was the way that this frame itself took. */
HOOK void skein_hook_again(struct raw_paths_open *mine, uint32_t index);
HOOK void skein_hook_again(struct raw_paths_open *mine, uint32_t index)
{
	(void)index;
	skein_rt_paths_drop(mine);
	skein_self.open = mine;
}

/* ---- the same for a frame that is in the list from its beginning to its end ---- */

HOOK void skein_hook_begin(struct raw_paths_open *mine, uint32_t index);
HOOK void skein_hook_begin(struct raw_paths_open *mine, uint32_t index)
{
	skein_self.open = mine + 1;
	__atomic_signal_fence(__ATOMIC_RELEASE);
	mine->block = RAW_PATHS_NO_CALL;
	mine->routine = skein_hook_object.first_routine + index;
}

HOOK void skein_hook_in(struct raw_paths_open *mine, uint32_t index, uint32_t block, uint64_t reg);
HOOK void skein_hook_in(struct raw_paths_open *mine, uint32_t index, uint32_t block, uint64_t reg)
{
	(void)index;
	mine->reg = reg;
	mine->block = block;
}

HOOK void skein_hook_out(struct raw_paths_open *mine);
HOOK void skein_hook_out(struct raw_paths_open *mine)
{
	mine->block = RAW_PATHS_NO_CALL;
}

HOOK void skein_hook_landed_in(struct raw_paths_open *mine);
HOOK void skein_hook_landed_in(struct raw_paths_open *mine)
{
	if (skein_self.open != mine + 1)
		skein_rt_paths_drop(mine + 1);
	skein_self.open = mine + 1;
	mine->block = RAW_PATHS_NO_CALL;
}

HOOK void skein_hook_again_in(struct raw_paths_open *mine, uint32_t index);
HOOK void skein_hook_again_in(struct raw_paths_open *mine, uint32_t index)
{
	skein_rt_paths_drop(mine);
	skein_hook_begin(mine, index);
}
