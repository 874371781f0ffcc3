/* SPDX-License-Identifier: MIT */
/* writer.h: writes the raw recording of the subject. One per process. Space comes in records that are never moved
 * and never freed; a pointer that was handed out stays valid until the process ends. Nothing here allocates from the
 * subject's heap, prints, or changes errno.
 *
 *     struct raw_thread *t = raw_add(RAW_PENDING, sizeof *t);
 *     if (t) { t->tid = …; raw_done(&t->record, RAW_THREAD); }
 *
 * raw_add may be called by any thread and from a signal handler; it returns NULL, and counts the loss, when there is
 * no space. A forked child calls raw_fork before anything else: all its pointers into the recording stay valid. */
#ifndef SKEIN_RAW_WRITER_H
#define SKEIN_RAW_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include "raw/format.h"

int raw_open(const char *folder, uint32_t lens, uint32_t flags); /* 0; -1: nothing will be recorded */
/* a file of the child's own, all counters zero; its thread's lane becomes lane 0 */
int raw_fork(const char *folder, uint32_t flags, uint32_t lane);
bool raw_is_open(void);
struct raw_file *raw_header(void);          /* never NULL: a private stand-in when there is no recording */
void *raw_add(uint32_t type, size_t bytes); /* zeroed but for its struct raw_record; RAW_PENDING until raw_done, or complete at once */
void raw_done(struct raw_record *record, uint32_t type); /* the fixed part is filled: readers may look */
/* a table without rows; the size of a row is its kind's. NULL: no space */
struct raw_table *raw_add_table(uint32_t kind, uint32_t lane, uint32_t object, uint32_t capacity);
/* Adds a table with private bytes of the writer behind the last row, which readers skip. */
struct raw_table *raw_add_table_with(uint32_t kind, uint32_t lane, uint32_t object, uint32_t capacity, size_t own_bytes);
static inline void *raw_rows(struct raw_table *table)
{
	return table + 1;
}
void raw_scatter(void);                   /* only a few scattered pages of later tables will be used */
void raw_gather(struct raw_table *table); /* all pages of this table will be used */
void raw_lose(enum raw_lost cause, uint64_t events);
bool raw_owns_descriptor(int descriptor); /* close() must leave this descriptor alone */
uint64_t raw_own_begin(void);             /* Skein's own work begins in this thread; call this with the result when it has ended: */
void raw_own_end(uint64_t begun);         /* adds the thread's CPU time since then to own_cpu_ns */
void raw_refresh(void);                   /* last_tsc, last_ns, cpu_ns */
void raw_finish(uint32_t flag);           /* refresh, set the flag, give back unused space; recording may go on */

#endif
