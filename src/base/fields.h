/* SPDX-License-Identifier: MIT */
/* fields.h: lines of fields that tabs separate, the form of notes, tables, shapes and sessions.
 *
 * In a field a control byte or a backslash is written as \xNN, so that a field holds any text but a zero byte and a line is
 * a line.
 *
 *     char *f[3], line[] = "r\t\\x41bc\t12";
 *     uint64_t count;
 *     if (fields_split(line, f, 3) == 3 && fields_unescape(f[1]) && fields_number(f[2], &count)) …
 *     fields_write(stdout, f[1]);
 */
#ifndef SKEIN_FIELDS_H
#define SKEIN_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Cuts the line at its tabs. Returns how many fields it has; those beyond `most` are not stored. */
size_t fields_split(char *line, char *fields[], size_t most);
/* Undoes escapes in place. False: an escape is illegal (as is \x00, which would end the text) and stays as it is. */
bool fields_unescape(char *text);
void fields_write(FILE *file, const char *text);
bool fields_number(const char *text, uint64_t *number); /* decimal digits only */
int fields_hex(char digit);                             /* value of the digit, or -1 */

#endif
