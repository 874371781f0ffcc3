/* SPDX-License-Identifier: MIT */
/* watch.h: which part of a program's time its hooks take, seen from outside.
 *
 *     struct watch watch;
 *     watch_open(&watch);                       before the program is forked; the kernel may refuse: nothing is seen then
 *     watch_file(&watch, path);                 a re-linked file that the program will run or load
 *     watch_look(&watch);                       now and then while it runs, and once more when it has ended
 *     struct watch_seen seen = watch_close(&watch);
 *     if (seen.is_allowed) … seen.own … seen.all …      how many samples were in hooks, and how many there are
 *
 * The kernel says, a thousand times in a second of each core's time, where the program's threads, and those of its children, are. Hooks are
 * told by where they lie: in Skein's runtime, in a function that has the name of a hook, or in code of a re-linked file that belongs
 * to no line, which is what the pass gives to all that it inserts. That is where time goes, not how much longer a run takes: a hook
 * that runs while the processor would have waited for memory costs nothing. What the program pays besides (registers that are
 * saved for a hook, caches, the kernel's work for pages that only the profiler has) is not seen. */
#ifndef SKEIN_RUN_WATCH_H
#define SKEIN_RUN_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include "base/map.h"
#include "base/strv.h"
#include "run/rings.h"

/* Code of one file in one process; the last one that has an address is the one that counts. */
struct watch_code {
	uint32_t process, file;
	uint64_t low, high, offset;
};

struct watch {
	struct rings rings;
	struct watch_code *codes;
	size_t code_count, code_room;
	struct map parents; /* of processes; numbers, not pointers */
	struct map spots;   /* by file and offset, how often; likewise */
	struct strv files;
	uint64_t all, own;
};

struct watch_seen {
	bool is_allowed;
	uint64_t all, own; /* samples */
};

void watch_open(struct watch *watch);
void watch_file(struct watch *watch, const char *path);
void watch_look(struct watch *watch);
struct watch_seen watch_close(struct watch *watch);

#endif
