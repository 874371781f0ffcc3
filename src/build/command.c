/* SPDX-License-Identifier: MIT */
#include "build/command.h"

#include <stdlib.h>
#include <string.h>

struct blob command_record(const char *folder, const struct strv *words)
{
	size_t size = strlen(folder) + 2, at = 0;
	for (size_t i = 0; i < words->count; i++)
		size += strlen(words->at[i]) + 1;
	char *bytes = mem_or_die(calloc(size, 1));
	at += strlen(strcpy(bytes, folder)) + 1;
	for (size_t i = 0; i < words->count; i++)
		at += strlen(strcpy(bytes + at, words->at[i])) + 1;
	return (struct blob){(const unsigned char *)bytes, size};
}

/* The string at *at; NULL: it does not end. */
static const char *string_at(struct blob section, size_t *at)
{
	const char *text = (const char *)section.at + *at;
	const char *end = *at < section.size ? memchr(text, 0, section.size - *at) : NULL;
	if (end)
		*at += (size_t)(end - text) + 1;
	return end ? text : NULL;
}

bool command_next(struct blob section, size_t *at, struct command *command)
{
	command_free(command);
	while (*at < section.size && !section.at[*at])
		(*at)++; /* what a linker puts between records */
	const char *text = string_at(section, at);
	if (!text)
		return false;
	command->folder = str_copy(text);
	while ((text = string_at(section, at)) && *text)
		strv_add(&command->words, text);
	return text && command->words.count;
}

void command_free(struct command *command)
{
	free(command->folder);
	strv_free(&command->words);
	*command = (struct command){0};
}
