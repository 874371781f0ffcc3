/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/commands.h"

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

int cmd_help(const struct arguments *a, struct fail *why)
{
	const char *word = a->word_count ? a->words[0] : NULL;
	if (arguments_has(a, OPTION_MAN))
		return man(word, why);
	if (arguments_has(a, OPTION_COMPLETION))
		return help_completion(stdout, arguments_value(a, OPTION_COMPLETION), why);
	const struct command *command = command_find(word ? word : "");
	if (word && !command)
		return command_unknown(word, why);
	if (command)
		help_command(stdout, command, a->word_count > 1 ? a->words[1] : NULL);
	else
		help_overview(stdout);
	return 0;
}

int cmd_version(const struct arguments *a, struct fail *why)
{
	(void)a;
	(void)why;
	puts("skein " SKEIN_VERSION);
	return 0;
}
