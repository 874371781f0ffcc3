/* SPDX-License-Identifier: MIT */
/* strv.h: a growing vector of strings, ended by NULL so that it can be handed to exec.
 *
 *     struct strv args = {0};
 *     strv_add(&args, "clang-19");
 *     strv_addf(&args, "-O%d", level);
 *     execvp(args.at[0], args.at);
 *     strv_free(&args);
 *
 * The vector owns copies of its strings. If memory runs out, the program ends
 * with a sentence and status 125. */
#ifndef SKEIN_STRV_H
#define SKEIN_STRV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

struct strv {
	char **at; /* NULL while the vector is empty and was never used */
	size_t count, room;
};

void strv_add(struct strv *v, const char *text);
void strv_add_bytes(struct strv *v, const char *text, size_t bytes);
__attribute__((format(printf, 2, 3))) void strv_addf(struct strv *v, const char *format, ...);
void strv_add_all(struct strv *v, const struct strv *more);
bool strv_read(struct strv *v, const char *path); /* the lines of a file; false: it could not be read completely */
bool strv_has(const struct strv *v, const char *text);
void strv_free(struct strv *v);

/* Single strings, in the same manner: the caller frees. */
__attribute__((format(printf, 1, 2))) char *str_format(const char *format, ...);
char *str_copy(const char *text);
bool str_starts(const char *text, const char *prefix);
bool str_ends(const char *text, const char *suffix);
const char *str_base(const char *path);                   /* the part behind the last slash; points into path */
char *str_folder(const char *path);                       /* the part before the last slash, "." without one */
char *str_absolute(const char *folder, const char *path); /* path itself when absolute, else folder/path */

#endif
