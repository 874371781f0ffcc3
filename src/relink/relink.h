/* SPDX-License-Identifier: MIT */
/* relink.h: from a binary that skein-cc linked to one that a lens can record.
 *
 * Reads the link recipe from the binary's note, checks that every object is there and unchanged, and links again with
 * the pass plugin, the lens's hooks and its plan. Shared libraries of the same build are re-linked too. Results are
 * kept in the user's cache folder by content, so a second call with nothing changed costs a few milliseconds.
 *
 * A library that the program only may load (dlopen) and that cannot be re-linked is listed as foreign; one that it needs is
 * an error. The re-linked program finds re-linked libraries by its run path; dlopen by a path with a slash does not,
 * and must be sent to objects[i].relinked by the runtime.
 *
 * With PLAN_CILK in the plan the program is one that runs its spawned calls in parallel, on LLVM's OpenMP runtime:
 * it has no hooks, no runtime of ours and no table, whatever the lens.
 *
 *     struct subject subject;
 *     if (subject_open(&subject, "./prog", &why) < 0) …
 *     struct strv plan = {0};
 *     plan_add(&plan, PLAN_MODE, MODE_TIMES);
 *     struct relink_request ask = {.subject = &subject, .lens = "calls", .plan = (const char *const *)plan.at};
 *     struct relink_result got;
 *     if (relink_program(&ask, &got, &why) < 0) …
 *     execv(got.objects[0].relinked, argv);
 *     relink_result_free(&got);
 */
#ifndef SKEIN_RELINK_H
#define SKEIN_RELINK_H

#include <stdbool.h>
#include <stddef.h>
#include "base/fail.h"

enum { RELINK_COPIES_MOST = 64 };

struct subject;
struct strv;
struct relink_request {
	struct subject *subject;
	const char *lens;                                  /* hooks are LIBDIR/hooks-LENS.o */
	const char *const *plan;                           /* KEY=VALUE, ended by NULL: see build/plan.h */
	void (*progress)(void *context, const char *what); /* may be NULL: one short text a step */
	void (*waits)(void *context);                      /* may be NULL: another process re-links the same; this one waits for it */
	void *context;
	bool only_pieces;   /* fail if the objects cannot be finished one by one */
	struct strv *parts; /* may be NULL: gets a name for each object that is finished or was, the same for the same */
};

struct relink_object {
	char *native;      /* absolute path of what skein-cc linked */
	char *relinked;    /* absolute path in the cache */
	char *table;       /* absolute path: routines and sites, see src/pass/table.h */
	char build_id[65]; /* of the native file, hex */
};

struct relink_result {
	struct relink_object *objects; /* [0] is the program, the rest its shared libraries */
	size_t count;
	char **foreign; /* object files and archive members without bitcode, "name: why" */
	size_t foreign_count;
	int *locks; /* descriptors that keep the entries in the cache until relink_result_free; closed on exec */
	size_t locks_count;
};

int relink_program(const struct relink_request *ask, struct relink_result *result, struct fail *why);

/* Copies of one program, each with a plan of its own: to ask->plan, COPIES=count and COPY=0, 1 … are added. Their objects are
 * finished one by one, those that are the same in several copies once; where that cannot be, the program is optimised once for all
 * copies; else they are re-linked one by one, as many at once as there are cores. results: count of them, to be freed one by one. */
int relink_copies(const struct relink_request *ask, size_t count, struct relink_result *results, struct fail *why);
void relink_result_free(struct relink_result *result);

#endif
