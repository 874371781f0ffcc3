/* SPDX-License-Identifier: MIT */
#include "options/arguments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const struct option_row option_rows[] = {
#define OPTION(command, lens, name, letter, value, help) {command, lens, name, letter, value, help},
#include "options/options.def"
#undef OPTION
	{0},
};

static const struct option_row *find(const char *command, const char *name, size_t length, char letter)
{
	for (const struct option_row *row = option_rows; row->name; row++) {
		if (strcmp(row->command, command) != 0)
			continue;
		if (letter ? row->letter == letter : strlen(row->name) == length && strncmp(row->name, name, length) == 0)
			return row;
	}
	return NULL;
}

static int unknown_option(const char *command, const char *typed, struct fail *why)
{
	const char *names[64];
	size_t count = 0;
	char bare[64];
	snprintf(bare, sizeof bare, "%.*s", (int)strcspn(typed, "="), typed);
	const char *start = bare + strspn(bare, "-");
	for (const struct option_row *row = option_rows; row->name && count < 62; row++)
		if (strcmp(row->command, command) == 0)
			names[count++] = row->name;
	names[count++] = "help";
	names[count] = NULL;
	const char *near = nearest(start, names);
	if (near)
		return fail_set(why, FAIL_USAGE, "skein %s has no option %.100s; did you mean --%s?", command, typed, near);
	return fail_set(why, FAIL_USAGE, "skein %s has no option %.100s; see `skein help %s`", command, typed, command);
}

/* Takes the option at argv[0]; returns how many words of argv it took, or -1. */
static int take_option(struct arguments *a, const char *command, char **argv, struct fail *why)
{
	const char *text = argv[0];
	bool is_long = text[1] == '-';
	const char *name = text + (is_long ? 2 : 1);
	size_t length = is_long ? strcspn(name, "=") : 1;
	if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
		a->help = true;
		return 1;
	}
	const struct option_row *row = find(command, name, length, is_long ? 0 : *name);
	if (!row)
		return unknown_option(command, text, why);
	const char *value = is_long ? (name[length] ? name + length + 1 : NULL) : (name[1] ? name + 1 : NULL);
	if (!row->value && value)
		return fail_set(why, FAIL_USAGE, "--%s takes no value", row->name);
	int taken = 1;
	if (row->value && !value) {
		value = argv[1];
		taken = 2;
	}
	if (row->value && !value)
		return fail_set(why, FAIL_USAGE, "--%s needs a value: --%s %s", row->name, row->name, row->value);
	MEMORY_GROW(a->given, a->given_count, a->given_room);
	a->given[a->given_count].row = row;
	a->given[a->given_count++].value = value;
	return taken;
}

int arguments_parse(struct arguments *a, const char *command, size_t most, bool then_program, char **argv, struct fail *why)
{
	memset(a, 0, sizeof *a);
	while (*argv) {
		if (strcmp(*argv, "--") == 0 && then_program) {
			a->program = argv[1] ? argv + 1 : NULL;
			return 0;
		}
		if ((*argv)[0] == '-' && (*argv)[1]) {
			int taken = take_option(a, command, argv, why);
			if (taken < 0) {
				arguments_free(a);
				return -1;
			}
			argv += taken;
			continue;
		}
		if (a->word_count == most && then_program) {
			a->program = argv;
			return 0;
		}
		if (a->word_count == most) {
			fail_set(why, FAIL_USAGE, "skein %s does not know what to do with %.200s; see `skein help %s`", command, *argv,
			         command);
			arguments_free(a);
			return -1;
		}
		MEMORY_GROW(a->words, a->word_count, a->word_room);
		a->words[a->word_count++] = *argv++;
	}
	return 0;
}

void arguments_free(struct arguments *a)
{
	free(a->given);
	free(a->words);
	memset(a, 0, sizeof *a);
}

const char *arguments_nth(const struct arguments *a, const char *name, size_t n)
{
	for (size_t i = 0; i < a->given_count; i++)
		if (strcmp(a->given[i].row->name, name) == 0 && n-- == 0)
			return a->given[i].value ? a->given[i].value : "";
	return NULL;
}

const char *arguments_value(const struct arguments *a, const char *name)
{
	const char *value = NULL, *next;
	for (size_t n = 0; (next = arguments_nth(a, name, n)); n++)
		value = next;
	return value;
}

bool arguments_has(const struct arguments *a, const char *name)
{
	return arguments_nth(a, name, 0) != NULL;
}

/* Whether one of the words of the list, which are divided by spaces, is this one. */
static bool lists(const char *list, const char *word)
{
	size_t length = strlen(word);
	for (const char *at = list; *at; at += strcspn(at, " "), at += *at == ' ')
		if (strcspn(at, " ") == length && strncmp(at, word, length) == 0)
			return true;
	return false;
}

bool arguments_is_for(const struct option_row *row, const char *lens)
{
	return !row->lens || lists(row->lens, lens);
}

int arguments_fit_lens(const struct arguments *a, const char *lens, struct fail *why)
{
	for (size_t i = 0; i < a->given_count; i++) {
		const struct option_row *row = a->given[i].row;
		if (!arguments_is_for(row, lens))
			return fail_set(why, FAIL_USAGE, "--%s means something for the lens %s only, not for %s", row->name, row->lens,
			                lens);
	}
	return 0;
}

int arguments_number(const struct arguments *a, const char *name, long otherwise, long least, long most, long *number, struct fail *why)
{
	const char *text = arguments_value(a, name);
	*number = otherwise;
	if (!text)
		return 0;
	char *end;
	errno = 0;
	*number = strtol(text, &end, 10);
	if (errno || end == text || *end || *number < least || *number > most)
		return fail_set(why, FAIL_USAGE, "--%s takes a number from %ld to %ld, not %.100s", name, least, most, text);
	return 0;
}

int arguments_percent(const struct arguments *a, const char *name, double otherwise, double *percent, struct fail *why)
{
	const char *text = arguments_value(a, name);
	*percent = otherwise;
	if (!text)
		return 0;
	char *end;
	*percent = strtod(text, &end);
	if (end == text || *end || !(*percent >= 0 && *percent <= 100))
		return fail_set(why, FAIL_USAGE, "--%s takes a percentage from 0 to 100, not %.100s", name, text);
	return 0;
}
