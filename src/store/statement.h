/* SPDX-License-Identifier: MIT */
/* statement.h: whether two SQL statements say the same.
 *
 * Comments and the form of blanks do not matter, nor do blanks beside a parenthesis, a comma or a semicolon. All else does: a
 * blank between two words, which would else be one, and every character of a quoted name or text.
 *
 *     statement_is_same("CREATE TABLE a (b TEXT)", "CREATE TABLE a(b TEXT)")       true
 *     statement_is_same("CREATE TABLE a (b TEXT)", "CREATE TABLE a (bTEXT)")       false: a column bTEXT */
#ifndef SKEIN_STORE_STATEMENT_H
#define SKEIN_STORE_STATEMENT_H

#include <stdbool.h>

bool statement_is_same(const char *a, const char *b);

#endif
