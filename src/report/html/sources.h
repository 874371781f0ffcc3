/* SPDX-License-Identifier: MIT */
/* sources.h: which source files a page of `skein view` holds: those that tables name most often.
 *
 *     struct sources sources = {0};
 *     sources_note(&sources, &sheet);                  each sheet
 *     sources_choose(&sources, run_real_ns);           reads them; the most important first
 *     sources.list[i].text                             for i < sources.chosen
 *     sources_free(&sources);
 *
 * The system's headers are left out, and what is not a readable text file of moderate size. So is a file whose name does not end like
 * that of a source: a recording may come from anywhere and name any file. */
#ifndef SKEIN_SOURCES_H
#define SKEIN_SOURCES_H

#include "base/map.h"
#include "report/sheet.h"

struct sources {
	struct sources_file {
		const char *path; /* as the recording has it */
		uint64_t rows;    /* rows of sheets that name the file */
		char *text;       /* NULL: not read */
		size_t bytes;
		bool is_newer; /* than the run */
	} *list;
	size_t count, room, chosen;
	struct lookup index;
	struct pool pool;
};

void sources_note(struct sources *sources, const struct sheet *sheet);
void sources_choose(struct sources *sources, uint64_t run_real_ns); /* of the run, since 1970 */
void sources_free(struct sources *sources);

#endif
