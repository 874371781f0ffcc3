/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/commands.h"
#include "options/arguments.h"

/* Pages are called skein, skein-cc and skein-COMMAND. */
static int man(const char *page, struct fail *why)
{
	if (!page) {
		puts("skein\nskein-cc");
		for (const struct command *command = commands; command->name; command++)
			printf("skein-%s\n", command->name);
		return 0;
	}
	if (strcmp(page, "skein") == 0) {
		help_man(stdout, NULL);
		return 0;
	}
	if (strcmp(page, "skein-cc") == 0) {
		help_man_compiler(stdout);
		return 0;
	}
	const char *name = strncmp(page, "skein-", 6) == 0 ? page + 6 : page;
	const struct command *command = command_find(name);
	if (!command)
		return command_unknown(name, why);
	help_man(stdout, command);
	return 0;
}

static int help(const struct arguments *a, struct fail *why)
{
	const char *word = a->word_count ? a->words[0] : NULL;
	if (arguments_has(a, "man"))
		return man(word, why);
	if (arguments_has(a, "completion"))
		return help_completion(stdout, arguments_value(a, "completion"), why);
	const struct command *command = command_find(a->help ? "help" : word ? word : "");
	if (word && !command)
		return command_unknown(word, why);
	if (command)
		help_command(stdout, command, a->word_count > 1 ? a->words[1] : NULL);
	else
		help_overview(stdout);
	return 0;
}

int cmd_help(char **argv)
{
	struct arguments a;
	struct fail why;
	if (arguments_parse(&a, "help", 2, false, argv, &why) < 0)
		return fail_print("skein", &why);
	int result = help(&a, &why);
	arguments_free(&a);
	return result < 0 ? fail_print("skein", &why) : 0;
}

int cmd_version(char **argv)
{
	(void)argv;
	puts("skein " SKEIN_VERSION);
	return 0;
}
