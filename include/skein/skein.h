/* SPDX-License-Identifier: MIT */
/* skein.h: marks that a program may carry for its profiler.
 *
 * skein_begin and skein_end mark a part of a routine that gets its own row in `skein report calls` and in
 * `skein report span --view regions`:
 *
 *     skein_begin("sort the rows");
 *     …
 *     skein_end();
 *
 * The part is counted and timed like a routine that is called here; span has its work, span and parallelism. Parts may be nested. A part ends when its routine
 * ends, at the latest. In a program that is not being recorded, a mark costs one load and one branch that is not taken, and
 * no library needs to be linked. Two parts are the same if the texts of their names are equal.
 *
 * `skein record flow` also shows these parts in the view `marks` and in time lines, for each thread with its work and its waiting. Two
 * more marks are for this lens:
 *
 *     skein_message("cache is full");             something has happened
 *     skein_value("queue length", queue->n);      a number, which changes over time
 *
 * SKEIN_OVERHEAD marks a function that exists only because the program is parallel: a lock, a task queue, a scheduler.
 *
 *     SKEIN_OVERHEAD(sync) void queue_lock(struct queue *q)
 *     {
 *             …
 *     }
 *
 * `skein report idle` counts the time in the function, and in the C library functions that it calls, as overhead instead
 * of work. The kind is sync, scheduling, task or memory; any other identifier means other overhead. Put the mark before a
 * definition, but not in templates or inline functions. The function is then not inlined and lies in the section
 * skein_overhead_KIND; there is no other cost. */
#ifndef SKEIN_SKEIN_H
#define SKEIN_SKEIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

extern void skein_region_begin(const char *name, const char *file, unsigned line) __attribute__((weak));
extern void skein_region_end(void) __attribute__((weak));
extern void skein_mark_message(const char *text, const char *file, unsigned line) __attribute__((weak));
extern void skein_mark_value(const char *name, int64_t value, const char *file, unsigned line) __attribute__((weak));

#define skein_begin(name) ((void)(skein_region_begin ? skein_region_begin((name), __FILE__, __LINE__) : (void)0))
#define skein_end() ((void)(skein_region_end ? skein_region_end() : (void)0))
#define skein_message(text) ((void)(skein_mark_message ? skein_mark_message((text), __FILE__, __LINE__) : (void)0))
#define skein_value(name, value) ((void)(skein_mark_value ? skein_mark_value((name), (value), __FILE__, __LINE__) : (void)0))

#define SKEIN_OVERHEAD(kind) __attribute__((noinline, section("skein_overhead_" #kind)))

#ifdef __cplusplus
}
#endif

#endif
