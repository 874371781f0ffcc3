/* SPDX-License-Identifier: MIT */
#include "options/arguments.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"

const char *const command_names[COMMANDS] = {
#define COMMAND(id, name, words, then_program, synopsis, summary, text, examples) #name,
#include "options/commands.def"
#undef COMMAND
};

/* How many words a command takes; if `then_program`, the next word begins the program with its own arguments. */
static const struct {
	size_t most;
	bool then_program;
} words[COMMANDS] = {
#define COMMAND(id, name, words, then_program, synopsis, summary, text, examples) {words, then_program},
#include "options/commands.def"
#undef COMMAND
};

const char *const option_names[OPTIONS] = {
#define OPTION(command, lens, id, name, letter, value, help) [OPTION_##id] = name,
#define OPTION_AGAIN(command, lens, id, letter, value, help)
#include "options/options.def"
#undef OPTION
#undef OPTION_AGAIN
};

static const struct option_row rows[] = {
#define OPTION(command, lens, id, name, letter, value, help) OPTION_AGAIN(command, lens, id, letter, value, help)
#define OPTION_AGAIN(command, lens, id, letter, value, help) {COMMAND_##command, OPTION_##id, lens, letter, value, help},
#include "options/options.def"
#undef OPTION
#undef OPTION_AGAIN
};
enum { ROWS = sizeof rows / sizeof *rows };
enum { MOST_TIME = 1000000 }; /* of any unit */

const struct option_row *option_next(enum command_id command, const struct option_row *last)
{
	for (const struct option_row *row = last ? last + 1 : rows; row < rows + ROWS; row++)
		if (row->command == command)
			return row;
	return NULL;
}

static const struct option_row *find(enum command_id command, const char *typed, size_t length, char letter)
{
	for (const struct option_row *row = NULL; (row = option_next(command, row));) {
		const char *name = option_names[row->is];
		if (letter ? row->letter == letter : strlen(name) == length && strncmp(name, typed, length) == 0)
			return row;
	}
	return NULL;
}

static int unknown_option(enum command_id command, const char *typed, struct fail *why)
{
	const char *names[ROWS + 2];
	size_t count = 0;
	char bare[64];
	snprintf(bare, sizeof bare, "%.*s", (int)strcspn(typed, "="), typed);
	const char *start = bare + strspn(bare, "-");
	for (const struct option_row *row = NULL; (row = option_next(command, row));)
		names[count++] = option_names[row->is];
	names[count++] = "help";
	names[count] = NULL;
	const char *near = nearest(start, names), *name = command_names[command];
	if (near)
		return fail_set(why, FAIL_USAGE, "skein %s has no option %.100s; did you mean --%s?", name, typed, near);
	return fail_set(why, FAIL_USAGE, "skein %s has no option %.100s; see `skein help %s`", name, typed, name);
}

/* Takes the option at argv[0]; returns how many words of argv it took, or -1. */
static int take_option(struct arguments *a, enum command_id command, char **argv, struct fail *why)
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
		return fail_set(why, FAIL_USAGE, "--%s takes no value", option_names[row->is]);
	int taken = 1;
	if (row->value && !value) {
		value = argv[1];
		taken = 2;
	}
	if (row->value && !value)
		return fail_set(why, FAIL_USAGE, "--%s needs a value: --%s %s", option_names[row->is], option_names[row->is], row->value);
	MEMORY_GROW(a->given, a->given_count, a->given_room);
	a->given[a->given_count].row = row;
	a->given[a->given_count++].value = value;
	return taken;
}

int arguments_parse(struct arguments *a, enum command_id command, char **argv, struct fail *why)
{
	size_t most = words[command].most;
	bool then_program = words[command].then_program;
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
			fail_set(why, FAIL_USAGE, "skein %s: unexpected argument %.200s; see `skein help %s`", command_names[command],
			         *argv, command_names[command]);
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

const char *arguments_nth(const struct arguments *a, enum option option, size_t n)
{
	for (size_t i = 0; i < a->given_count; i++)
		if (a->given[i].row->is == option && n-- == 0)
			return a->given[i].value ? a->given[i].value : "";
	return NULL;
}

const char *arguments_value(const struct arguments *a, enum option option)
{
	const char *value = NULL, *next;
	for (size_t n = 0; (next = arguments_nth(a, option, n)); n++)
		value = next;
	return value;
}

bool arguments_has(const struct arguments *a, enum option option)
{
	return arguments_nth(a, option, 0) != NULL;
}

/* Whether the list, whose words are divided by spaces, has this word. */
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
			return fail_set(why, FAIL_USAGE, "--%s does not apply to the lens %s, only to: %s", option_names[row->is], lens,
			                row->lens);
	}
	return 0;
}

int arguments_number(const struct arguments *a, enum option option, long otherwise, long least, long most, long *number, struct fail *why)
{
	const char *text = arguments_value(a, option);
	*number = otherwise;
	if (!text)
		return 0;
	char *end;
	errno = 0;
	*number = strtol(text, &end, 10);
	if (errno || end == text || *end || *number < least || *number > most)
		return fail_set(why, FAIL_USAGE, "--%s takes a number from %ld to %ld, not %.100s", option_names[option], least, most,
		                text);
	return 0;
}

int arguments_seconds(const struct arguments *a, enum option option, uint64_t *ns, struct fail *why)
{
	const double least = 0.001, most = 100000000;
	const char *text = arguments_value(a, option);
	*ns = 0;
	if (!text)
		return 0;
	char *end;
	double seconds = strtod(text, &end);
	if (end == text || *end || !(seconds >= least && seconds <= most))
		return fail_set(why, FAIL_USAGE, "--%s takes seconds from %.3f to %.0f, not %.100s", option_names[option], least, most,
		                text);
	*ns = number_count(seconds * 1e9);
	return 0;
}

int arguments_percent(const struct arguments *a, enum option option, double otherwise, double *percent, struct fail *why)
{
	const char *text = arguments_value(a, option);
	*percent = otherwise;
	if (!text)
		return 0;
	char *end;
	*percent = strtod(text, &end);
	if (end == text || *end || !(*percent >= 0 && *percent <= 100))
		return fail_set(why, FAIL_USAGE, "--%s takes a percentage from 0 to 100, not %.100s", option_names[option], text);
	return 0;
}

int arguments_time(const struct arguments *a, enum option option, uint64_t *ns, struct fail *why)
{
	static const char units[] = "smh";
	const uint64_t seconds[] = {1, 60, 3600};
	const char *text = arguments_value(a, option);
	*ns = 0;
	if (!text)
		return 0;
	char *end;
	errno = 0;
	uint64_t count = strtoull(text, &end, 10);
	const char *unit = *end ? strchr(units, *end) : NULL;
	if (errno || !isdigit((unsigned char)*text) || count == 0 || count > MOST_TIME || (unit ? end[1] : *end))
		return fail_set(why, FAIL_USAGE, "--%s takes a time such as 60, 60s, 5m or 2h, not %.100s", option_names[option], text);
	*ns = count * (unit ? seconds[unit - units] : 1) * 1000000000u;
	return 0;
}

int arguments_bytes(const struct arguments *a, enum option option, uint64_t otherwise, uint64_t *bytes, struct fail *why)
{
	static const char units[] = "KMG";
	const char *text = arguments_value(a, option);
	*bytes = otherwise;
	if (!text)
		return 0;
	char *end;
	errno = 0;
	*bytes = strtoull(text, &end, 10);
	const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	if (errno || !isdigit((unsigned char)*text) || *bytes == 0 || *bytes > UINT64_MAX >> 24 >> shift || (unit ? end[1] : *end))
		return fail_set(why, FAIL_USAGE, "--%s takes a size such as 65536, 64K, 64M or 2G, not %.100s", option_names[option], text);
	*bytes <<= shift;
	return 0;
}
