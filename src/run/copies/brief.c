/* SPDX-License-Identifier: MIT */
/* brief.c: strings, each ended by a zero: magic, path, hold, working folder, flags, group, number of arguments, arguments, environment. */
#include "run/copies/brief.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/blob.h"
#include "run/copies/copies.h"

#define MAGIC "skein-brief 3"

static void put(FILE *file, const char *text)
{
	fwrite(text, 1, strlen(text) + 1, file);
}

int copies_brief_write(const struct copies_brief *b, struct fail *why)
{
	char *path = str_format("%s/" COPIES_BRIEF, b->folder), *count = str_format("%zu", b->argv.count);
	char flags[] = {b->is_private ? 'p' : '-', b->is_kept ? 'k' : '-', b->is_fixed ? 'f' : '-', b->outlives ? 'o' : '-', 0};
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), result = 0;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	const char *const head[] = {MAGIC, b->path, b->hold, b->here, flags, b->group, count};
	for (size_t i = 0; file && i < sizeof head / sizeof *head; i++)
		put(file, head[i]);
	for (size_t i = 0; file && i < b->argv.count; i++)
		put(file, b->argv.at[i]);
	for (size_t i = 0; file && i < b->environment.count; i++)
		put(file, b->environment.at[i]);
	bool bad = !file || ferror(file);
	if ((file && fclose(file) != 0) || bad)
		result = fail_set(why, FAIL_INTERNAL, "cannot write %s: %s", path, strerror(errno));
	free(path);
	free(count);
	return result;
}

void copies_brief_forget(const char *session)
{
	char folder[PATH_MAX];
	for (size_t i = 0; i < COPIES_MOST; i++) {
		copies_folder_of(session, i, folder);
		char *path = str_format("%s/" COPIES_BRIEF, folder);
		unlink(path);
		free(path);
	}
}

static bool is_plain(unsigned char c)
{
	return c < 128 && (isalnum(c) || strchr("/._-", c));
}

char *copies_brief_word(const char *folder)
{
	char *word = mem_or_die(malloc(3 * strlen(folder) + 1)), *to = word;
	for (const unsigned char *at = (const unsigned char *)folder; *at; at++)
		to += is_plain(*at) ? sprintf(to, "%c", *at) : sprintf(to, "%%%02x", *at);
	*to = 0;
	return word;
}

static char *folder_of_word(const char *word)
{
	char *folder = str_copy(word), *to = folder;
	for (const char *at = word; *at; to++) {
		unsigned byte;
		if (*at == '%' && isxdigit((unsigned char)at[1]) && isxdigit((unsigned char)at[2]) && sscanf(at + 1, "%2x", &byte) == 1) {
			*to = (char)byte;
			at += 3;
		} else {
			*to = *at++;
		}
	}
	*to = 0;
	return folder;
}

/* The next string, or NULL if there is no whole one left. */
static const char *next(const struct blob *file, size_t *at)
{
	const char *text = (const char *)file->at + *at;
	if (*at >= file->size || !memchr(text, 0, file->size - *at))
		return NULL;
	*at += strlen(text) + 1;
	return text;
}

static bool read_strings(struct copies_brief *b, const struct blob *file)
{
	const char *head[7], *text = NULL;
	size_t at = 0;
	for (size_t i = 0; i < sizeof head / sizeof *head; i++)
		if (!(head[i] = next(file, &at)))
			return false;
	if (strcmp(head[0], MAGIC) != 0 || strlen(head[4]) != 4)
		return false;
	b->path = str_copy(head[1]);
	b->hold = str_copy(head[2]);
	b->here = str_copy(head[3]);
	b->is_private = head[4][0] == 'p';
	b->is_kept = head[4][1] == 'k';
	b->is_fixed = head[4][2] == 'f';
	b->outlives = head[4][3] == 'o';
	b->group = str_copy(head[5]);
	for (size_t left = strtoull(head[6], NULL, 10); left && (text = next(file, &at)); left--)
		strv_add(&b->argv, text);
	while ((text = next(file, &at)))
		strv_add(&b->environment, text);
	return b->argv.count == strtoull(head[6], NULL, 10) && b->argv.count > 0;
}

int copies_brief_read(struct copies_brief *b, const char *word, struct fail *why)
{
	struct blob file;
	memset(b, 0, sizeof *b);
	b->folder = folder_of_word(word);
	char *path = str_format("%s/" COPIES_BRIEF, b->folder);
	int result = blob_read(path, &file, why);
	if (result == 0) {
		if (!read_strings(b, &file))
			result = fail_set(why, FAIL_INTERNAL, "%s is damaged: it does not describe how to run a copy", path);
		blob_free(&file);
	}
	free(path);
	path = str_format("%s/" COPIES_BEGUN, b->folder);
	int mark = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	b->is_first = mark >= 0;
	if (mark < 0)
		mark = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (mark >= 0 && write(mark, "", 1) != 1)
		b->is_first = false; /* the disk is full, which will soon be reported elsewhere */
	if (mark >= 0)
		close(mark);
	free(path);
	return result;
}

void copies_brief_free(struct copies_brief *b)
{
	free(b->folder);
	free(b->hold);
	free(b->path);
	free(b->here);
	free(b->group);
	strv_free(&b->argv);
	strv_free(&b->environment);
	memset(b, 0, sizeof *b);
}
