/* SPDX-License-Identifier: MIT */
/* subject.h: the program that is to be profiled. Its file is read once, here; who needs to know something of it asks the
 * subject.
 *
 *     struct subject subject;
 *     if (subject_open(&subject, "./prog", &why) < 0) …                    there is no such program, or it may not be run
 *     if (subject_can_relink(&subject, "calls", false, &why) < 0) …        skein-cc did not build it, for instance
 *     const struct family *family = subject_family(&subject, &why);        with its libraries; found once
 *     subject_release(&subject);                                           before the program runs: the bytes are not needed any more
 *     subject_close(&subject);
 *
 * The sentences name the program as the user did. */
#ifndef SKEIN_SUBJECT_H
#define SKEIN_SUBJECT_H

#include <stdbool.h>
#include "base/blob.h"
#include "base/fail.h"
#include "relink/family.h"

struct subject {
	char *path;           /* as it was named, or where PATH has it */
	char *native;         /* absolute, symbolic links resolved */
	struct blob file;     /* the whole file, until subject_release */
	int type;             /* ET_EXEC …; -1: no 64-bit ELF file */
	char *script;         /* the interpreter that its first line names; NULL: it is not a script */
	char *loader;         /* the dynamic loader that the program asks for; NULL: none */
	bool is_library;      /* the file has a soname and asks for no loader */
	struct family family; /* ask subject_family */
	bool has_family;
};

/* A name without a slash is looked for in PATH. The caller frees the path. */
int subject_find(const char *name, char **path, struct fail *why);

/* Fails if it is not there, is not a file, may not be read or run, or runs with other rights than its caller's. */
int subject_open(struct subject *subject, const char *name, struct fail *why);
void subject_release(struct subject *subject);
void subject_close(struct subject *subject);

/* Whether it can be profiled in this way; each fills `why` with the reason if not. */
int subject_can_relink(const struct subject *subject, const char *lens, bool counts, struct fail *why);
int subject_can_preload(const struct subject *subject, const char *lens, struct fail *why);
int subject_can_simulate(const struct subject *subject, struct fail *why); /* under Valgrind */

/* The program and the libraries of the same build; NULL: it has no note, and `why` says so. */
const struct family *subject_family(struct subject *subject, struct fail *why);

#endif
