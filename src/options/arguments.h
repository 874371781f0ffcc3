/* SPDX-License-Identifier: MIT */
/* arguments.h: the command line, parsed by the one table of options (options.def).
 *
 *     struct arguments a;
 *     if (arguments_parse(&a, "report", 2, argc, argv, &why) < 0) …
 *     const char *view = arguments_value(&a, "view");            NULL: not given
 *     if (arguments_number(&a, "top", 20, 0, 1000000, &top, &why) < 0) …
 *     arguments_free(&a);
 *
 * A command reads the few values it needs into variables of its own. Values and words point into argv. */
#ifndef SKEIN_ARGUMENTS_H
#define SKEIN_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include "base/fail.h"
#include "base/nearest.h"

struct option_row {
	const char *command, *lens, *name;
	char letter;
	const char *value, *help;
};
extern const struct option_row option_rows[]; /* ended by a row without a name */

struct arguments {
	struct {
		const struct option_row *row;
		const char *value;
	} *given;
	size_t given_count, given_room;
	char **words; /* what is no option */
	size_t word_count, word_room;
	char **program; /* what followed --, or the words beyond `words`; ended by NULL; NULL if there is none */
	bool help;
};

/* Takes `most` words; if `then_program`, the next word begins the program with its own arguments. */
int arguments_parse(struct arguments *a, const char *command, size_t most, bool then_program, char **argv, struct fail *why);
void arguments_free(struct arguments *a);
bool arguments_has(const struct arguments *a, const char *name);
const char *arguments_value(const struct arguments *a, const char *name);              /* the last one */
const char *arguments_nth(const struct arguments *a, const char *name, size_t n);      /* NULL: there are fewer */
bool arguments_is_for(const struct option_row *row, const char *lens);                 /* an option of this lens, or of all */
int arguments_fit_lens(const struct arguments *a, const char *lens, struct fail *why); /* an option of another lens is refused */
int arguments_number(const struct arguments *a, const char *name, long otherwise, long least, long most, long *number, struct fail *why);
int arguments_percent(const struct arguments *a, const char *name, double otherwise, double *percent, struct fail *why);

#endif
