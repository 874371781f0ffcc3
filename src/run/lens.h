/* SPDX-License-Identifier: MIT */
/* lens.h: how a lens is recorded. Adding a lens means adding one struct to the list in lens.c; report/lens.h has what reports need.
 *
 *     const struct run_lens *lens = run_lens_find("span");          NULL: there is none
 *     if (lens->plan(&arguments, &pass, &plan, &why) < 0) …         what was asked for makes no sense
 *     …re-link or preload, run…
 *     lens->save(&session, "prog.skein", aside, &why)               raw data become tables */
#ifndef SKEIN_RUN_LENS_H
#define SKEIN_RUN_LENS_H

#include <limits.h>
#include <stdbool.h>
#include "analyse/session.h"
#include "base/strv.h"
#include "build/plan.h"
#include "keys/lenses.h"
#include "options/arguments.h"
#include "relink/subject.h"
#include "report/lens.h"

struct run_lens {
	const struct lens *lens;
	/* What the pass is told (KEY=VALUE), and what the runtime is: the session's mode and settings. */
	int (*plan)(const struct arguments *a, struct strv *pass, struct session_plan *session, struct fail *why);
	/* What of the plan depends on the program; may be NULL. */
	int (*plan_for)(const struct arguments *a, struct subject *subject, struct strv *pass, struct fail *why);
	/* A library of ours that is loaded into the program; or NULL. The program is taken as it is if the pass is told nothing, else it is
	 * re-linked, too. */
	const char *preload;
	const char *tool; /* a Valgrind tool of ours, for programs that cannot be re-linked; or NULL */
	bool (*tool_options)(const struct arguments *a, struct strv *options); /* what it is told; true: any program must run there */
	bool has_copies;                                                       /* may run as several copies: see copies.h */
	bool sees_switches;             /* context switches are recorded from outside: see switches.h */
	const char *const *environment; /* NAME=VALUE that the subject runs with, ended by NULL; may be NULL */
	int (*save)(struct session *session, const char *path, char aside[PATH_MAX], struct fail *why);
};

extern const struct run_lens *const run_lenses[];
extern const size_t run_lens_count;
#define X(upper, lower, number, how, words, traits) extern const struct run_lens run_lens_##lower;
LENS_LIST(X)
#undef X

/* Defines save() for a lens whose data are built from any session. */
#define RUN_LENS_SAVE(data_type, build, store, free_data)                                                  \
	static int save(struct session *session, const char *path, char aside[PATH_MAX], struct fail *why) \
	{                                                                                                  \
		data_type data;                                                                            \
		build(session, &data);                                                                     \
		int result = store(path, &data, aside, why);                                               \
		free_data(&data);                                                                          \
		return result;                                                                             \
	}

const struct run_lens *run_lens_find(const char *name);
/* KEY=one value a line, if there is any */
void run_lens_add_patterns(const struct arguments *a, enum option option, enum plan_key key, struct strv *pass);

#endif
