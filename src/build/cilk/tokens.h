/* SPDX-License-Identifier: MIT */
/* tokens.h: the tokens of a preprocessed C or C++ text, each with its place in the user's files.
 *
 *     struct tokens t;
 *     tokens_read(&t, text, size);
 *     if (tokens_is(&t, i, "{")) i = t.at[i].match;
 *     tokens_free(&t);
 *
 * Lines and files are those that the line markers tell. The text stays the caller's and must live as long. An index outside the
 * text is allowed in all functions and is no token. */
#ifndef SKEIN_TOKENS_H
#define SKEIN_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include "base/strv.h"

struct token {
	const char *text;
	unsigned length, line, column, file; /* file: index into files */
	size_t match;                        /* of a bracket: its partner; of anything else, and without a partner: itself */
};

struct tokens {
	const char *text;
	size_t size;
	struct token *at;
	size_t count, room;
	struct strv files;
};

void tokens_read(struct tokens *t, const char *text, size_t size);
bool tokens_is(const struct tokens *t, size_t i, const char *word);
bool tokens_in(const struct tokens *t, size_t i, const char *const *words); /* one of them; the list ends with NULL */
size_t tokens_match(const struct tokens *t, size_t i);                      /* match of the token; i itself if it is not a token */
bool tokens_is_name(const struct tokens *t, size_t i);                      /* an identifier or keyword */
void tokens_free(struct tokens *t);

#endif
