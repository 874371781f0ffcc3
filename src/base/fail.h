/* SPDX-License-Identifier: MIT */
/* fail.h: how a layer tells its caller what went wrong.
 *
 * A function that can fail returns 0 or -1 and, on -1, has filled the struct fail that its caller gave it: one
 * sentence that says what failed, why, and what to try, and the exit status that the command line documents. Only
 * src/cli and the main file of a program print it.
 *
 *     struct fail why;
 *     if (note_find(file, path, &note, &why) < 0)
 *             return fail_print("skein", &why);
 */
#ifndef SKEIN_FAIL_H
#define SKEIN_FAIL_H

enum fail_status {
	FAIL_USAGE = 2,        /* wrong usage: unknown command, option, lens or column */
	FAIL_INTERNAL = 125,   /* skein itself could not do its work: no space, a tool is missing, a re-link failed, bad recording */
	FAIL_CANNOT_RUN = 126, /* the program is there but cannot be profiled or run */
	FAIL_NOT_FOUND = 127   /* the program or the recording is not there */
};

/* A failure that some caller can put right. The caller asks for the cause and never for words of the sentence. */
enum fail_cause {
	FAIL_PLAIN,
	FAIL_NO_ROUTINES,   /* an object has no function that can be profiled */
	FAIL_STRANGE_SCHEMA /* a recording holds a trigger, a view, an index or a table that skein did not make */
};

struct fail {
	int status;
	enum fail_cause cause;
	char text[1024];
};

__attribute__((format(printf, 3, 4))) int fail_set(struct fail *why, int status, const char *format, ...); /* returns -1 */
__attribute__((format(printf, 4, 5))) int fail_because(struct fail *why, enum fail_cause cause, int status, const char *format, ...);
int fail_print(const char *program, const struct fail *why); /* one line on stderr, names escaped; returns status */
__attribute__((format(printf, 2, 3))) void fail_note(const char *program, const char *format, ...); /* the same of what is no failure */

#endif
