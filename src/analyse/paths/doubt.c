/* SPDX-License-Identifier: MIT */
/* doubt.c: what may be wrong with a recording of the paths lens. */
#include "analyse/caveats.h"
#include "analyse/paths/verdict.h"
#include "base/text.h"

static void doubt_stops(const struct paths *p, struct findings *caveats)
{
	uint64_t stopped = 0, foggy = 0;
	for (size_t i = 0; i < p->stop_count; i++) {
		stopped += p->stops[i].count;
		foggy += p->stops[i].is_known ? 0 : p->stops[i].count;
	}
	if (stopped)
		findings_add(
			caveats,
			"%s frame%s did not return (exit, longjmp, exceptions, end of a thread). What such a frame executed since its last back "
			"edge is not a whole path; --view stops shows it.",
			text_count(&caveats->pool, (int64_t)stopped), text_s(stopped));
	if (foggy)
		findings_add(caveats, "For %s of these frames only the call that did not return is known%s.",
		             text_count(&caveats->pool, (int64_t)foggy),
		             paths_are_partial(p) ? ", because they were not on a requested path" : "");
}

static void doubt_copies(const struct paths *p, struct findings *caveats)
{
	bool threads = false;
	for (size_t i = 1; i < p->run->thread_count; i++)
		threads |= p->run->threads[i].process == p->run->threads[i - 1].process;
	if (p->copies > 1 && threads)
		findings_add(
			caveats,
			"The program has several threads. All copies called each function equally often, but that does not prove that they "
			"took the same paths. One copy (without --copies) is exact.");
}

static void doubt_parts(const struct paths *p, struct findings *caveats)
{
	size_t part = 0, none = 0;
	uint64_t others = 0, taken = 0;
	for (size_t i = 0; i < p->profile_count; i++) {
		const struct paths_profile *f = &p->profiles[i];
		part += (f->flags & PATHS_IS_PART) != 0;
		none += (f->flags & PATHS_IS_NONE) != 0;
		others += f->others;
		taken += f->others_taken;
	}
	if (part)
		findings_add(caveats,
		             "In %zu function%s only some paths were requested (--only-paths): all counts and shares are of these paths.",
		             part, text_s(part));
	if (others)
		findings_add(caveats,
		             "%s other path%s made of the same pieces %s also counted, %s time%s in all; %s left out of this report.",
		             text_count(&caveats->pool, (int64_t)others), text_s(others), others == 1 ? "was" : "were",
		             text_count(&caveats->pool, (int64_t)taken), text_s(taken), others == 1 ? "it is" : "they are");
	if (none)
		findings_add(caveats, "%zu function%s not counted at all (--only-paths).", none, none == 1 ? " was" : "s were");
}

void paths_doubt(const struct paths *paths, struct findings *caveats)
{
	caveats_begin(paths->run, "paths that had not ended are missing", caveats);
	if (paths->undecoded)
		findings_add(caveats, "%s counts belong to no path and are left out: the recording is damaged.",
		             text_count(&caveats->pool, (int64_t)paths->undecoded));
	doubt_stops(paths, caveats);
	doubt_copies(paths, caveats);
	doubt_parts(paths, caveats);
	if (paths->copies <= 1)
		caveats_hooks(paths->run, "Counts do", caveats);
	findings_add(
		caveats,
		"Paths are those of the optimised program, after inlining. Instructions are LLVM's; lines are where the compiler says that "
		"they come from.");
}
