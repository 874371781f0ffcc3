/* SPDX-License-Identifier: MIT */
/* skein.h: marks that a program may carry for its profiler.
 *
 * A part of a routine that is worth a line of its own in `skein report calls`:
 *
 *     skein_begin("sort the rows");
 *     …
 *     skein_end();
 *
 * It is counted and timed like a routine that is called here, and may hold further parts. A part ends, at the latest,
 * when its routine does. In a program that is not being recorded a mark costs one load and a branch that is not taken;
 * nothing needs to be linked. Names are compared by their text.
 *
 * A function that exists only because the program is parallel (a lock, a queue of tasks, a scheduler of the user's own):
 *
 *     SKEIN_OVERHEAD(sync) void queue_lock(struct queue *q)
 *     {
 *             …
 *     }
 *
 * `skein report idle` counts the time in it, and in the C library on its behalf, as overhead of that kind instead of
 * work: sync, scheduling, task, memory, or any other identifier, which is then overhead of another kind. The mark
 * stands before a definition outside of templates and inline functions; it keeps the function from being inlined, puts
 * it in the section skein_overhead_KIND, and costs nothing else. */
#ifndef SKEIN_SKEIN_H
#define SKEIN_SKEIN_H

#ifdef __cplusplus
extern "C" {
#endif

extern void skein_region_begin(const char *name, const char *file, unsigned line) __attribute__((weak));
extern void skein_region_end(void) __attribute__((weak));

#define skein_begin(name) ((void)(skein_region_begin ? skein_region_begin((name), __FILE__, __LINE__) : (void)0))
#define skein_end() ((void)(skein_region_end ? skein_region_end() : (void)0))

#define SKEIN_OVERHEAD(kind) __attribute__((noinline, section("skein_overhead_" #kind)))

#ifdef __cplusplus
}
#endif

#endif
