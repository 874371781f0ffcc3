/* SPDX-License-Identifier: MIT */
/* calls.h: the interface between the files of the models of system calls.
 *
 *     calls.c     the words of core/library/library.def
 *     special.c   calls that words cannot tell
 *     made.c      functions of the C library
 *     format.c    functions with a format (scanf, printf)
 *     cpp.c       functions of libstdc++
 *
 * All of it may run in signal handlers of the subject and keeps errno. */
#ifndef SKEIN_RT_INPUT_CALLS_H
#define SKEIN_RT_INPUT_CALLS_H

#include "rt/input/input.h"

/* One call: its arguments are those of the function, at least seven; and behind them, room for the state of a va_list. */
enum { INPUT_CALL_MORE = 7, INPUT_CALL_ROOM = 10 };
struct input_call {
	struct rt_input *me;
	const uint64_t *a;
	uint64_t *more;
	uint64_t result;
	uint64_t before; /* what a number was before the call that it has changed */
};

/* calls.c */
typedef void input_call_does(const struct input_call *c, uint64_t at, uint64_t bytes);
input_call_does input_call_read, input_call_write, input_call_kernel;
void input_call_parts(const struct input_call *c, uint64_t vector, uint64_t count, uint64_t bytes, input_call_does *does);
void input_call_words(const struct input_call *c, const char *words, bool behind);
bool input_call_address(uint64_t address);              /* whether it can be one */
const char *input_call_by_number(struct input_call *c); /* of syscall(): its words; the arguments become the system call's */

/* made.c, cpp.c: more words; the last one has no name */
struct input_special {
	const char *name;
	size_t bytes; /* of the name */
	void (*does)(const struct input_call *c, uint64_t at, bool behind);
};
#define INPUT_SPECIAL(name, does) {name, sizeof name - 1, does}
#define INPUT_SPECIAL_LAST {NULL, 0, NULL}
extern const struct input_special input_specials_library[], input_specials_cpp[];
bool input_call_is_of_text(uint64_t stream); /* an istream that reads a string */

/* special.c */
void input_call_special(const struct input_call *c, const char *word, bool behind);

/* format.c */
void input_call_format(const struct input_call *c, const char *word, bool behind);

#endif
