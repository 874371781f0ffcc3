/* SPDX-License-Identifier: MIT */
/* record.h: one recording, from what was asked for to the end of the program's run.
 *
 *     struct record r = {.lens = lens, .argv = argv, …};          the subject is open, the session folder is there
 *     struct launch_end end;
 *     if (record_run(&r, &end, &why) < 0) …                       nothing was run
 *     session_finish(r.folder, r.recording, false, stdout, &why);      what it left is stored
 */
#ifndef SKEIN_RUN_RECORD_H
#define SKEIN_RUN_RECORD_H

#include <limits.h>
#include <stdbool.h>

#include "base/strv.h"
#include "relink/subject.h"
#include "run/copies/copies.h"
#include "run/launch.h"
#include "run/lens.h"
#include "run/ranks/part.h"

struct spare;
struct record {
	const struct run_lens *lens;
	struct strv pass; /* what the pass is told */
	struct strv tool; /* what the Valgrind tool is told */
	bool under_tool;  /* the program runs under Valgrind even if it can be re-linked */
	struct session_plan session;
	struct copies copies;
	struct subject subject;
	struct rank rank;
	bool is_part;         /* the recording is the part of one of several ranks */
	bool is_silent;       /* another rank prints the summary */
	char parts[PATH_MAX]; /* the folder of all parts */
	struct part_guard guard;
	char recording[PATH_MAX];
	char folder[PATH_MAX];
	bool verbose;
	bool quiet;                /* only errors are printed */
	bool outlives;             /* the program goes on if skein is killed */
	bool said_linking;         /* a pipe gets one line of progress */
	bool parallel;             /* a Cilk program is to run in parallel, however it was linked */
	uint64_t limit_ns;         /* the program is ended then; 0: it ends by itself */
	bool mute;                 /* the program's output goes nowhere */
	const struct spare *spare; /* where changes of the working folder go, to be dropped; or NULL */
	char **argv;               /* the subject's */
};

/* Re-links the program, or takes it as it is, and runs it to its end. */
int record_run(struct record *r, struct launch_end *end, struct fail *why);
/* Only re-links it, if that is how the lens looks at it. */
int record_prepare(struct record *r, struct fail *why);

#endif
