/* SPDX-License-Identifier: MIT */
/* locale.h: whether the terminal can show more than ASCII.
 *
 * Reports, help and errors are UTF-8. Where the locale says that the terminal is not (LC_ALL=C), they are ASCII: characters
 * of ours have words for it (… is ..., ± is +-), each byte of any other is \xNN. What programs read, CSV and JSON, keeps its
 * names as they are.
 *
 *     fputs(locale_is_utf8() ? text : locale_ascii(&pool, text), file);
 *     locale_put(file, text);                 the same
 */
#ifndef SKEIN_LOCALE_H
#define SKEIN_LOCALE_H

#include <stdbool.h>
#include <stdio.h>
#include "base/memory.h"

bool locale_is_utf8(void); /* by LC_ALL, LC_CTYPE and LANG, as they were when this was asked first */
const char *locale_ascii(struct pool *pool, const char *text);
void locale_put(FILE *file, const char *text);

#endif
