/* SPDX-License-Identifier: MIT */
#include "analyse/caveats.h"

#include <ctype.h>

#include "base/text.h"

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
