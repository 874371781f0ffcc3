/* SPDX-License-Identifier: MIT */
/* flow.h: what the files of the flow lens share with each other; for the files of this folder. */
#ifndef SKEIN_STORE_FLOW_H
#define SKEIN_STORE_FLOW_H

#include "analyse/flow/events.h"
#include "analyse/flow/flows.h"
#include "store/file.h"

uint32_t store_flow_word(struct sql *sql, const char *const *words, uint32_t count,
                         const char *word);                                                        /* index of the word, or a fault and 0 */
struct flows_where store_flow_where(const struct sql_rows *rows, int column, struct flows *flows); /* routine, file and line */

/* flow_events.c: the part of a run that may be left out */
struct flows_kept;
void store_save_events(struct sql *sql, const struct flows_kept *kept, int64_t id, const uint32_t *map);

/* flow_parts.c: tasks and marks */
void store_save_parts(struct sql *sql, const struct flows *flows, int64_t id, const uint32_t *map);
void store_load_parts(struct sql *sql, struct flows *flows, int64_t id);

#endif
