/* SPDX-License-Identifier: MIT */
/* findings.h: sentences that a report begins and ends with: what was found, and what may be wrong with it.
 *
 *     struct findings verdict = {0};
 *     findings_add(&verdict, "%s has %.0f %% of the working time.", name, share);
 *     findings_free(&verdict);
 *
 * A lens's judge() adds the most important sentence first. Names go in unescaped: the code that prints a sentence
 * escapes it.
 *
 * A tag says in figures what sentences are about, so that those of several lenses can be put together (report/overview):
 *
 *     size_t from = verdict->count;
 *     findings_add(verdict, "Threads waited for %s.", name);
 *     findings_tag(verdict, from, &(struct finding_tag){.kind = FINDING_LOCK, .routine = holder, .part = saved / wall}); */
#ifndef SKEIN_FINDINGS_H
#define SKEIN_FINDINGS_H

#include <stdbool.h>
#include <stdint.h>
#include "base/memory.h"

/* clang-format off */
#define FINDING_LIST(X)                                                                                        \
	X(END, end)         /* the program crashed or was stopped */                                         \
	X(LOAD, load)       /* the program had no core for a part of its time */                             \
	X(LOCK, lock)       /* threads wait for a lock */                                                    \
	X(SERIAL, serial)   /* a routine runs while others have nothing to do, or wait for it */             \
	X(UNEVEN, uneven)   /* work is shared out unevenly */                                                \
	X(GRAIN, grain)     /* pieces of work are so small that sharing them out costs more */               \
	X(OUTSIDE, outside) /* the program waits for input, output, a clock, or another program */           \
	X(KERNEL, kernel)   /* the kernel works for the program: page faults, system calls */                \
	X(GROWTH, growth)   /* a routine's cost grows faster than its input */                               \
	X(HOT, hot)         /* a routine or a path has most of the work */                                   \
	X(FINE, fine)       /* the cores were busy, or the parallelism is ample */
/* clang-format on */
enum finding_kind {
#define X(upper, lower) FINDING_##upper,
	FINDING_LIST(X)
#undef X
		FINDING_KINDS
};
extern const char *const finding_names[FINDING_KINDS];

#define FINDING_NO_ROUTINE UINT32_MAX

struct finding_tag {
	enum finding_kind kind;
	uint32_t routine;   /* of the run, to blame or to change; FINDING_NO_ROUTINE: not known */
	uint32_t within;    /* the routine that calls it there, or that it is inlined in; 0: it is about all of its calls */
	const char *object; /* the lock; NULL: not known, or there is none */
	const char *words;  /* the figure in a few words: "79 % of the span"; the findings' pool owns the text; may be NULL */
	const char *advice; /* what to do, a sentence without its end; likewise; NULL: as for all of that kind */
	double part;        /* of the run, 0 to 1, that a repair saves at best; 0: not known */
	uint64_t whole_ns;  /* the run that it is a part of, if that is not the one that was recorded; else 0 */
	double cores;       /* factor by which a repair raises the parallelism at best; 0: not known */
	double share;       /* of the work, the cost or the executed instructions, 0 to 1, that the routine has */
	double grown;       /* share at ten times the input; 0: not known */
	bool harmless;      /* a repair would save nothing */
	bool waits;         /* the routine waits, and is not what is waited for */
	bool outside;    /* a lock is held while its holder waits for something outside, which may come sooner if it is asked for sooner */
	bool confirms;   /* an effect, which may confirm another sentence, but is no finding by itself */
	size_t from, to; /* lines; findings_tag fills them in */
};

struct findings {
	const char **lines;
	size_t count, room;
	size_t openings; /* how many of the lines come before what the lens itself found */
	struct finding_tag *tags;
	size_t tag_count, tag_room;
	struct pool pool;
};

__attribute__((format(printf, 2, 3))) void findings_add(struct findings *findings, const char *format, ...);
void findings_tag(struct findings *findings, size_t from, const struct finding_tag *tag); /* of the lines behind `from`, if there are any */
void findings_free(struct findings *findings);

#endif
