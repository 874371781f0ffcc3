/* SPDX-License-Identifier: MIT */
/* commands.h: the table of commands. main() looks a command up in it; help and completion read it. */
#ifndef SKEIN_COMMANDS_H
#define SKEIN_COMMANDS_H

#include <stdbool.h>
#include <stdio.h>
#include "base/fail.h"

struct command {
	const char *name;
	int (*run)(char **argv); /* what follows the command's name; returns the exit status */
	const char *synopsis;    /* without "skein NAME" */
	const char *summary;
	const char *text;     /* a paragraph, or NULL */
	const char *examples; /* lines */
};
extern const struct command commands[]; /* ended by one without a name */
const struct command *command_find(const char *name);
int command_unknown(const char *typed, struct fail *why); /* a sentence with the nearest one */

int cmd_record(char **argv);
int cmd_report(char **argv);
int cmd_check(char **argv);
int cmd_export(char **argv);
int cmd_recover(char **argv);
int cmd_doctor(char **argv);
int cmd_help(char **argv);
int cmd_version(char **argv);
int cmd_run_copy(char **argv);

void help_overview(FILE *file);
void help_command(FILE *file, const struct command *command, const char *lens); /* at most 40 lines; lens: what is meant for it, or NULL */
void help_man(FILE *file, const struct command *command);                       /* NULL: of skein itself */
void help_man_compiler(FILE *file);                                             /* of skein-cc and skein-c++ */
int help_completion(FILE *file, const char *shell, struct fail *why);

#endif
