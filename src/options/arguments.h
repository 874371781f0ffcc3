/* SPDX-License-Identifier: MIT */
/* arguments.h: parses the command line by the lists of commands and options (commands.def, options.def).
 *
 *     struct arguments a;
 *     if (arguments_parse(&a, COMMAND_REPORT, argv, &why) < 0) …
 *     const char *view = arguments_value(&a, OPTION_VIEW);            NULL: not given
 *     if (arguments_number(&a, OPTION_TOP, 20, 0, 1000000, &top, &why) < 0) …
 *     arguments_free(&a);
 *
 * A command reads the values it needs into its own variables. Values and words point into argv. */
#ifndef SKEIN_ARGUMENTS_H
#define SKEIN_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/fail.h"
#include "base/nearest.h"

enum command_id {
#define COMMAND(id, name, words, then_program, synopsis, summary, text, examples) COMMAND_##id,
#include "options/commands.def"
#undef COMMAND
	COMMANDS
};
extern const char *const command_names[COMMANDS];

enum option {
	OPTION_NONE,
#define OPTION(command, lens, id, name, letter, value, help) OPTION_##id,
#define OPTION_AGAIN(command, lens, id, letter, value, help)
#include "options/options.def"
#undef OPTION
#undef OPTION_AGAIN
	OPTIONS
};
extern const char *const option_names[OPTIONS]; /* without the dashes */

struct option_row {
	enum command_id command;
	enum option is;
	const char *lens;
	char letter;
	const char *value, *help;
};
/* Iterates over the rows of a command: the first row if `last` is NULL, else the row behind `last`; NULL: no more. */
const struct option_row *option_next(enum command_id command, const struct option_row *last);

struct arguments {
	struct {
		const struct option_row *row;
		const char *value;
	} *given;
	size_t given_count, given_room;
	char **words; /* words that are not options */
	size_t word_count, word_room;
	char **program; /* the words behind --, or those beyond `words`; ends with NULL; NULL if there are none */
	bool help;
};

int arguments_parse(struct arguments *a, enum command_id command, char **argv, struct fail *why);
void arguments_free(struct arguments *a);
bool arguments_has(const struct arguments *a, enum option option);
const char *arguments_value(const struct arguments *a, enum option option);            /* the last value given */
const char *arguments_nth(const struct arguments *a, enum option option, size_t n);    /* the n-th value given; NULL: fewer were given */
bool arguments_is_for(const struct option_row *row, const char *lens);                 /* an option of this lens, or of all */
int arguments_fit_lens(const struct arguments *a, const char *lens, struct fail *why); /* an option of another lens is refused */
int arguments_number(const struct arguments *a, enum option option, long otherwise, long least, long most, long *number, struct fail *why);
/* Decimal seconds from a thousandth on, as nanoseconds; 0: not given. */
int arguments_seconds(const struct arguments *a, enum option option, uint64_t *ns, struct fail *why);
int arguments_percent(const struct arguments *a, enum option option, double otherwise, double *percent, struct fail *why);
/* A time: a number of seconds, or a number and s, m or h. */
int arguments_time(const struct arguments *a, enum option option, uint64_t *ns, struct fail *why); /* 0: not given */
/* A size in bytes: a number, or a number and K, M or G. */
int arguments_bytes(const struct arguments *a, enum option option, uint64_t otherwise, uint64_t *bytes, struct fail *why);

#endif
