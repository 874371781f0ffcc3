/* SPDX-License-Identifier: MIT */
/* note.h: what a linked program remembers of its link.
 *
 * skein-cc adds one section, .skein.link, to each program and shared library that it links. It is never loaded. It is text,
 * one record a line, fields divided by tabs; a control byte or backslash inside a field is written as \xNN:
 *
 *     skein-link  1
 *     d  FOLDER                               where the link ran
 *     l  c | c++                              which driver
 *     c  serial | parallel                    some source speaks Cilk, and how its calls run
 *     e  NAME=VALUE                           a variable of the environment that steers the link
 *     a  WORD                                 an argument; response files are expanded, -o is among them
 *     i  KIND  BYTES  MTIME_NS  DIGEST  PATH   a file that the linker read; KIND o object, a archive, m member of a
 *                                             thin archive, s shared library, t text
 *     end  ARGUMENTS  INPUTS
 *
 * Reading takes nothing on trust: a note that is cut off, too large or ill-formed is an error, never a crash. */
#ifndef SKEIN_NOTE_H
#define SKEIN_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/blob.h"
#include "base/strv.h"

#define NOTE_SECTION ".skein.link"

struct note_input {
	char kind;
	uint64_t bytes;
	int64_t mtime_ns;
	char digest[DIGEST_HEX];
	char *path; /* absolute */
};

struct note {
	char *folder;
	bool cxx;
	bool cilk, parallel; /* some source speaks Cilk; and spawned calls run beside their callers */
	struct strv environment;
	struct strv words; /* without the driver's name */
	struct note_input *inputs;
	size_t inputs_count;
};

int note_add_input(struct note *note, const char *path, struct fail *why); /* looks at the file */
int note_write(const char *path, const struct note *note, struct fail *why);
/* The note of a file that was read; the path is for the sentence. */
int note_find(struct blob file, const char *path, struct note *note, struct fail *why);
char *note_print(const struct note *note, size_t *bytes);
int note_parse(struct blob text, const char *path, struct note *note, struct fail *why);
void note_free(struct note *note);

#endif
