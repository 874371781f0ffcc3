/* SPDX-License-Identifier: MIT */
#include "analyse/caveats.h"

#include <ctype.h>

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
			findings_add(caveats, "%c%s: %llu.", toupper((unsigned char)texts[cause][0]), texts[cause] + 1,
			             (unsigned long long)events);
	}
	if (run_lost_events(run) == 0)
		findings_add(caveats, "No events were lost.");
}

void caveats_notes(const struct run *run, struct findings *caveats)
{
	for (size_t i = 0; i < run->note_count; i++)
		findings_add(caveats, "%s", run->notes[i]);
}
