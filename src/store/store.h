/* SPDX-License-Identifier: MIT */
/* store.h: recordings, NAME.skein files. The only code that speaks SQLite is behind this header.
 *
 * Writing: a recording is made beside its final place and renamed over it, so there is always the whole old file or
 * the whole new one. Writers of one file take turns, so no run of theirs is lost. Runs of other lenses are kept, the run of
 * the same lens is replaced, but runs of the input lens are all kept. A recording of another build, or one that cannot be
 * read, is moved to FILE.old-1 (-2 …) first; a file that is not a recording is left alone.
 *
 *     if (store_check_target(path, &why) < 0) …          before the subject runs: is this a place for a recording?
 *     if (store_save_calls(path, &calls, aside, &why) < 0) …
 *
 * Reading: a file may come from anywhere. It is opened read-only, nothing in it is executed, its tables must be
 * declared exactly as in schema.sql with nothing beside them, and every loaded index is checked.
 *
 *     struct store *store = store_open(path, &why);
 *     if (store && store_load_calls(store, &run, &calls, &why) == 0) …
 *     store_close(store); */
#ifndef SKEIN_STORE_H
#define SKEIN_STORE_H

#include <limits.h>
#include "analyse/calls/calls.h"
#include "analyse/flow/flows.h"
#include "analyse/idle/idle.h"
#include "analyse/input/input.h"
#include "analyse/paths/paths.h"
#include "analyse/run.h"
#include "analyse/span/span.h"
#include "base/fail.h"

struct store;

int store_check_target(const char *path, struct fail *why);
/* `aside`: where an old file was moved to, or "" */
int store_save_calls(const char *path, const struct calls *calls, char aside[PATH_MAX], struct fail *why);
int store_save_span(const char *path, const struct spans *spans, char aside[PATH_MAX], struct fail *why);
int store_save_idle(const char *path, const struct idles *idles, char aside[PATH_MAX], struct fail *why);
int store_save_input(const char *path, const struct inputs *inputs, char aside[PATH_MAX], struct fail *why); /* adds a run */
int store_save_paths(const char *path, const struct paths *paths, char aside[PATH_MAX], struct fail *why);
int store_save_flow(const char *path, const struct flows *flows, char aside[PATH_MAX], struct fail *why);

void store_abandon(void); /* for a signal handler that ends the process: removes the file that is being made */

struct store *store_open(const char *path, struct fail *why);
void store_close(struct store *store);
bool store_has_lens(struct store *store, const char *lens);
const char *store_path(const struct store *store);                                                 /* as it was opened */
int store_load_calls(struct store *store, struct run *run, struct calls *calls, struct fail *why); /* on success the caller frees both */
int store_load_span(struct store *store, struct run *run, struct spans *spans, struct fail *why);  /* the caller frees both */
int store_load_idle(struct store *store, struct run *run, struct idles *idles, struct fail *why);  /* the caller frees both */
/* Loads all runs that were made like the newest one as one run; the caller frees both. */
int store_load_input(struct store *store, struct run *run, struct inputs *inputs, struct fail *why);
int store_load_paths(struct store *store, struct run *run, struct paths *paths, struct fail *why); /* the caller frees both */
int store_load_flow(struct store *store, struct run *run, struct flows *flows, struct fail *why);  /* the caller frees both */
/* The events of what store_load_flow loaded, if they are in the recording (flows.keeps); the caller frees them (flows_kept_free). */
int store_load_events(struct store *store, const struct flows *flows, struct flows_kept *kept, struct fail *why);

#endif
