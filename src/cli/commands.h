/* SPDX-License-Identifier: MIT */
/* commands.h: the table of commands, from options/commands.def. main() looks a command up in it; help and completion read it. */
#ifndef SKEIN_COMMANDS_H
#define SKEIN_COMMANDS_H

#include <stdbool.h>
#include <stdio.h>
#include "base/fail.h"
#include "options/arguments.h"

struct command {
	const char *name;
	enum command_id id;
	int (*run)(const struct arguments *a, struct fail *why); /* the exit status; -1: why is filled, nothing is printed yet */
	const char *synopsis;                                    /* without "skein NAME" */
	const char *summary;
	const char *text;     /* a paragraph, or NULL */
	const char *examples; /* lines */
};
extern const struct command commands[]; /* ended by one without a name */
const struct command *command_find(const char *name);
int command_run(const struct command *command, char **argv); /* parses what follows its name; the exit status */
int command_unknown(const char *typed, struct fail *why);    /* a sentence with the nearest one */

#define COMMAND(id, name, words, then_program, synopsis, summary, text, examples) \
	int cmd_##name(const struct arguments *a, struct fail *why);
#include "options/commands.def"
#undef COMMAND
int cmd_run_copy(char **argv); /* for what a launcher starts, not for people */

void help_overview(FILE *file);
void help_command(FILE *file, const struct command *command, const char *lens); /* at most 40 lines; lens: what is meant for it, or NULL */
void help_man(FILE *file, const struct command *command);                       /* NULL: of skein itself */
void help_man_compiler(FILE *file);                                             /* of skein-cc and skein-c++ */
int help_completion(FILE *file, const char *shell, struct fail *why);

#endif
