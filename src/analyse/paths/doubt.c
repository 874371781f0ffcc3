/* SPDX-License-Identifier: MIT */
/* doubt.c: what may be wrong with a recording of the paths lens. */
#include "analyse/caveats.h"
#include "analyse/paths/verdict.h"

static void doubt_stops(const struct paths *p, struct findings *caveats)
{
	unsigned long long stopped = 0, foggy = 0;
	for (size_t i = 0; i < p->stop_count; i++) {
		stopped += p->stops[i].count;
		foggy += p->stops[i].is_known ? 0 : p->stops[i].count;
	}
	if (stopped)
		findings_add(
			caveats,
			"%llu frame%s never came to an end (exit, longjmp, exceptions, ends of threads): the way since the last back edge is no path, and is in --view stops.",
			stopped, stopped == 1 ? "" : "s");
	if (foggy)
		findings_add(caveats, "Of %llu of them only the call that did not come back is known%s.", foggy,
		             paths_are_partial(p) ? ", since they began no path that was asked for" : "");
}

static void doubt_copies(const struct paths *p, struct findings *caveats)
{
	bool threads = false;
	for (size_t i = 1; i < p->run->thread_count; i++)
		threads |= p->run->threads[i].process == p->run->threads[i - 1].process;
	if (p->copies > 1 && threads)
		findings_add(
			caveats,
			"The program has several threads: that copies called each function equally often does not prove that they took the same paths. One copy (without --copies) is exact.");
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
		             "Of %zu function%s only some paths were asked for (--only-paths): all counts and shares are of these alone.",
		             part, part == 1 ? "" : "s");
	if (others)
		findings_add(caveats,
		             "%llu other path%s, made of the same pieces, %s counted on the way, %llu time%s in all, and %s left out.",
		             (unsigned long long)others, others == 1 ? "" : "s", others == 1 ? "was" : "were", (unsigned long long)taken,
		             taken == 1 ? "" : "s", others == 1 ? "is" : "are");
	if (none)
		findings_add(caveats, "%zu function%s not counted at all (--only-paths).", none, none == 1 ? " was" : "s were");
}

void paths_doubt(const struct paths *paths, struct findings *caveats)
{
	caveats_lost(paths->run, caveats);
	caveats_notes(paths->run, caveats);
	for (size_t i = 0; i < paths->run->process_count; i++)
		if (!(paths->run->processes[i].flags & (RAW_FINISHED | RAW_EXECED)))
			findings_add(caveats, "Process %u was killed, or still ran: paths that had not ended are missing.",
			             paths->run->processes[i].pid);
	if (paths->undecoded)
		findings_add(caveats, "%llu counts belong to no path and are left out: the recording is damaged.",
		             (unsigned long long)paths->undecoded);
	doubt_stops(paths, caveats);
	doubt_copies(paths, caveats);
	doubt_parts(paths, caveats);
	findings_add(
		caveats,
		"Paths are those of the optimised program, after inlining; instructions are LLVM's, and lines are where the compiler says that they come from.");
}
