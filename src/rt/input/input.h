/* SPDX-License-Identifier: MIT */
/* input.h: the `input` lens inside a subject: the functions that its hooks (hooks.c) call, and the interface between
 * its files.
 *
 * core/input/concurrent.h has the algorithm, and asks for a sync wherever threads may have met. Here that is wherever a
 * thread comes back from code that has no hooks: locks, system calls, queues and thread pools are all there. A thread's
 * `where` says which code it is in:
 *
 *     instrumented code calls a foreign function     where = OUTSIDE         back: sync
 *     … one that does not synchronise (qsort)        where = ASIDE           back: nothing
 *     … calls through a pointer                      where = THROUGH it      back: nothing, if that was instrumented, else as above
 *     a routine that others can call begins          arrive: sync if it was called from OUTSIDE
 *     … and ends                                     depart: where it came from
 *
 * Such a routine is also one of the functions that its caller called through a pointer, itself or by foreign code: the
 * caller's cost depends on which (core/input/choice.h).
 *
 * What foreign functions read and write is told by models (models.c), which the plugin calls before or after such a function.
 *
 * A frame's number `mine` is the depth of the shadow stack with it, 0 if it has none. Everything here may run in the
 * subject's signal handlers; errno is kept. */
#ifndef SKEIN_RT_INPUT_H
#define SKEIN_RT_INPUT_H

#include "core/input/concurrent.h"
#include "rt/object.h"
#include "threads/threads.h"

/* What a copy and a function of the C library cost: one for so many bytes that they read or write, that loops over
 * strcat or memmove do not seem to be free. */
enum { INPUT_COST_BYTES = 64 };

enum input_where { INPUT_HERE, INPUT_OUTSIDE, INPUT_THROUGH, INPUT_ASIDE };

/* Tables that are written again and again: one is complete while the other one is filled. */
struct input_pair {
	struct raw_table *table[2];
	uint32_t now;
};

/* What a word of a model means (rt/input/calls.h), so that it need not be looked up each time: by the place of the word. */
enum { INPUT_WORDS = 64 };
struct input_word {
	const char *word;
	const struct input_special *special;
};

/* A lane's. */
struct rt_input {
	struct input_concurrent_thread core; /* first */
	uint32_t where;                      /* enum input_where */
	uint32_t number;                     /* of the thread */
	const void *target;                  /* INPUT_THROUGH: where it went */
	struct input_routine ***tables;      /* [slot of the object][index of the routine] */
	uint32_t tables_room;                /* slots */
	uint64_t loops;                      /* number of loops that were told at once */
	struct input_pair matrix;
	struct raw_table *sets; /* of functions that were called through pointers: the table with room for more; NULL: none yet */
	struct input_word words[INPUT_WORDS];
};

/* for hooks */
RT_API struct rt_input *skein_rt_input_meet(struct skein_object *object); /* never NULL */
RT_API uint32_t skein_rt_input_enter(struct rt_input *me, struct skein_object *object, uint32_t index);
RT_API void skein_rt_input_leave(struct rt_input *me, uint32_t mine);
RT_API void skein_rt_input_collect(struct rt_input *me); /* the activation of the top frame has ended; the frame stays */
RT_API void skein_rt_input_catch(struct rt_input *me, uint32_t mine);
RT_API uint32_t skein_rt_input_arrive(struct rt_input *me, const void *function, const struct skein_object *object, uint32_t index);
RT_API void skein_rt_input_back(struct rt_input *me);

/* accesses that are not inlined */
RT_API void skein_rt_input_read(struct rt_input *me, const void *at, uint64_t bytes);
RT_API void skein_rt_input_write(struct rt_input *me, const void *at, uint64_t bytes);
/* Ranges that a loop is going to access. kinds has two bits for each of them: 1 it is read, 2 it
 * is written, 3 each byte is read and then written. Returns 0 if they have to be told one access at a time. */
struct input_told {
	uint64_t from, bytes;
};
RT_API uint32_t skein_rt_input_ranges(struct rt_input *me, const struct input_told *ranges, uint32_t count, uint32_t kinds);
RT_API void skein_rt_input_masked(struct rt_input *me, const void *at, uint32_t item_bytes, uint64_t mask, uint32_t writes);

/* calls.c: system calls, and functions with a format: `words` say what they do (core/library/library.def). Arguments have
 * room for INPUT_CALL_ROOM. */
/* Call this before the call; returns what the model must be told after it. */
RT_API uint64_t skein_rt_input_calls(struct rt_input *me, const char *words, uint64_t *arguments);
RT_API void skein_rt_input_called(struct rt_input *me, const char *words, uint64_t *arguments, uint64_t result, uint64_t before);

/* models.c: ranges, and functions of the C library, by what becomes of their memory. Each is called behind the
 * function, with its first three arguments and its result. */
/* clang-format off */
#define INPUT_MODEL_LIST(X)                                                                                    \
	X(fresh)        /* result: memory that no thread has accessed */                                       \
	X(cleared)      /* result: cleared memory that no thread has accessed */                               \
	X(moved)        /* realloc */                                                                          \
	X(copied)       /* strdup */                                                                           \
	X(append)       /* strcat, strncat */                                                                  \
	X(padded)       /* strncpy */                                                                          \
	X(find)         /* strchr, strpbrk: up to the result, or to the end of the text */                     \
	X(find_some)    /* memchr */                                                                           \
	X(compare)      /* memcmp: up to the first difference */                                               \
	X(compare_text) /* strcmp */                                                                           \
	X(compare_some) /* strncmp */                                                                          \
	X(number)       /* atoi, strtol */                                                                     \
	X(tree_next)    /* next item of a map, set */                                                          \
	X(tree_before)  /* previous item of a map, set */                                                      \
	X(list_hooked)  /* of a list: a new item before another */                                             \
	X(list_unhooked) /* of a list: removed */                                                              \
	X(line)         /* fgets */
/* clang-format on */
RT_API void skein_rt_input_kernel(struct rt_input *me, const void *at, uint64_t bytes);
RT_API uint64_t skein_rt_input_text(uint64_t text); /* bytes of the text, with its zero */
#define X(name) RT_API void skein_rt_input_##name(struct rt_input *me, uint64_t a, uint64_t b, uint64_t c, uint64_t result);
INPUT_MODEL_LIST(X)
#undef X

/* input.c */
extern struct input_concurrent input_all;
extern const struct input_port input_memory;
struct rt_input *input_worker(struct lane *lane);
bool input_is_nobody(const struct rt_input *me); /* the stand-in where nothing can be recorded: the same for all threads */

/* record.c */
void input_record_start(void);
void input_record_begin(void); /* a helper that records every few seconds */
void input_record_wait(void);  /* waits until no thread records; none does until input_record_go_on */
void input_record_go_on(void);
void input_record_thread(struct rt_input *w); /* in between: the calling thread's, which has ended */
void input_record_all(bool ends);             /* everybody's; ends: the calling thread's open activations end here */
void input_record_restart(void);              /* in a forked child */
void input_record_unseen(void);               /* a request to the kernel whose reads and writes cannot be seen */

#endif
