/* SPDX-License-Identifier: MIT */
/* collect.h: from a folder of recordings to one merged recording.
 *
 *     size_t count;
 *     if (collect_merge("prog.skein.d", "all.skein", &count, progress, context, &why) < 0) …      no recording there
 *
 *     struct store *store = collect_open("prog.skein.d", &why);      a recording as it is; a folder is merged into a temporary file
 */
#ifndef SKEIN_REPORT_RANKS_COLLECT_H
#define SKEIN_REPORT_RANKS_COLLECT_H

#include <stdbool.h>
#include <stddef.h>
#include "base/fail.h"

struct store;
bool collect_is_folder(const char *path);
/* `progress` is called after each recording; may be NULL. */
int collect_merge(const char *folder, const char *path, size_t *count, void (*progress)(void *context, size_t done, size_t all),
                  void *context, struct fail *why);
struct store *collect_open(const char *path, struct fail *why);

#endif
