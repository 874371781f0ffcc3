/* SPDX-License-Identifier: MIT */
#include "cli/commands.h"

#include <string.h>

const struct command commands[] = {
#define COMMAND(id, name, words, then_program, synopsis, summary, text, examples) \
	{#name, COMMAND_##id, cmd_##name, synopsis, summary, text, examples},
#include "options/commands.def"
#undef COMMAND
	{0},
};

const struct command *command_find(const char *name)
{
	for (const struct command *command = commands; command->name; command++)
		if (strcmp(command->name, name) == 0)
			return command;
	return NULL;
}

int command_run(const struct command *command, char **argv)
{
	struct arguments a;
	struct fail why;
	int status = 0;
	if (arguments_parse(&a, command->id, argv, &why) < 0)
		return fail_print("skein", &why);
	if (a.help)
		help_command(stdout, command, a.word_count ? a.words[0] : NULL);
	else
		status = command->run(&a, &why);
	arguments_free(&a);
	return status < 0 ? fail_print("skein", &why) : status;
}

int command_unknown(const char *typed, struct fail *why)
{
	const char *names[sizeof commands / sizeof *commands];
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		names[i] = commands[i].name;
	const char *near = nearest(typed, names);
	if (near)
		return fail_set(why, FAIL_USAGE, "there is no command %.100s; did you mean `skein %s`?", typed, near);
	return fail_set(why, FAIL_USAGE, "there is no command %.100s; see `skein help`", typed);
}
