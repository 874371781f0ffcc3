/* SPDX-License-Identifier: MIT */
#include "analyse/caveats.h"

#include <ctype.h>

#include "base/text.h"

enum { SAMPLES_MIN = 100 }; /* for a share that is right to a tenth of the whole */

void caveats_lost(const struct run *run, struct findings *caveats)
{
	static const char *const texts[] = {
#define X(name, text) text,
		RAW_LOST_LIST(X)
#undef X
	};
	for (int cause = 0; cause < RAW_LOST_KINDS; cause++) {
		uint64_t events = run_lost(run, (enum raw_lost)cause);
		if (events)
			findings_add(caveats, "%c%s: %s.", toupper((unsigned char)texts[cause][0]), texts[cause] + 1,
			             text_count(&caveats->pool, (int64_t)events));
	}
	if (run_lost_events(run) == 0)
		findings_add(caveats, "No events were lost.");
}

void caveats_notes(const struct run *run, struct findings *caveats)
{
	for (size_t i = 0; i < run->note_count; i++)
		findings_add(caveats, "%s", run->notes[i]);
}

void caveats_hooks(const struct run *run, const char *figures, struct findings *caveats)
{
	if (run->samples >= SAMPLES_MIN && run->hook_samples >= 0)
		findings_add(caveats,
		             "Skein's own code ran in about %s of the CPU time outside the kernel (%s of %s samples). %s not contain it.",
		             text_share(&caveats->pool, (double)run->hook_samples, (double)run->samples),
		             text_count(&caveats->pool, run->hook_samples), text_count(&caveats->pool, run->samples), figures);
	else
		findings_add(caveats, "What Skein itself took is not measured: %s. %s not contain it.",
		             run->samples != RUN_UNKNOWN           ? "the run was too short"
		                     : run->died_of == RUN_UNKNOWN ? "the recording was recovered"
		                                                   : "the kernel does not let Skein look where the program is",
		             figures);
}

bool caveats_is_cut_off(const struct run_process *process)
{
	return !(process->flags & (RAW_FINISHED | RAW_EXECED));
}

bool caveats_are_cut_off(const struct run *run)
{
	for (size_t i = 0; i < run->process_count; i++)
		if (caveats_is_cut_off(&run->processes[i]))
			return true;
	return false;
}

void caveats_begin(const struct run *run, const char *missing, struct findings *caveats)
{
	caveats_lost(run, caveats);
	caveats_notes(run, caveats);
	for (size_t i = 0; i < run->process_count; i++)
		if (caveats_is_cut_off(&run->processes[i]))
			findings_add(caveats, "Process %u was killed or was still running: %s.", run->processes[i].pid, missing);
}
