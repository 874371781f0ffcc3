/* SPDX-License-Identifier: MIT */
/* copies.h: several copies of one program that run side by side, each re-linked to count another part.
 *
 * Each copy gets the same arguments, name, environment and standard input (feed.h), a working folder of its own
 * (folder.h) and addresses that are not randomised. The first one has our standard streams; what the others print is
 * kept and shown only if copies end in different ways. The first copy records into the session's folder, copy c into
 * its subfolder copy-c.
 *
 *     struct copies copies;
 *     if (copies_read(&copies, arguments, &why) < 0) …           --copies, --at-once, --launch, --shared-folder
 *     relink_copies(&ask, copies.count, linked, &why)             see relink/relink.h
 *     copies_folder_of(session, c, folder)                        …write its session file there…
 *     copies_run(&copies, &job, &end, &why)                       all of them; -1: one could not be run, or they did not end alike
 *     copies_free(&copies)
 *
 * `--launch PREFIX` puts words in front of each copy's command, the first one's too; see brief.h for what then is run. */
#ifndef SKEIN_COPIES_H
#define SKEIN_COPIES_H

#include <limits.h>
#include <stdbool.h>
#include "base/strv.h"
#include "options/arguments.h"
#include "relink/relink.h"
#include "run/launch.h"

enum { COPIES_MOST = RELINK_COPIES_MOST };

struct copies {
	size_t count, at_once;
	bool is_shared;     /* --shared-folder */
	struct strv launch; /* words in front, or none */
};

struct copies_job {
	const char *session;      /* folder of all */
	const char *const *paths; /* what each copy runs */
	char **argv;
	const char *const *environment; /* over ours; ended by NULL; may be NULL */
	bool outlives; /* copies are not bound to skein (launch.h); those that a launcher starts are bound to skein's part beside them */
};

int copies_read(struct copies *copies, const struct arguments *a, struct fail *why);
void copies_free(struct copies *copies);
void copies_folder_of(const char *session, size_t copy, char folder[PATH_MAX]);
bool copies_can_fix_addresses(void);
int copies_run(const struct copies *copies, const struct copies_job *job, struct launch_end *end, struct fail *why);

#endif
