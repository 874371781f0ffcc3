/* SPDX-License-Identifier: MIT */
/* crash.h: functions at which the compiler crashed while a program was re-linked.
 *
 * A crash report of LLVM says which function a pass was at; the plugin adds its own line (pass_at in pass/pass.h). Such a function is left
 * out of what is profiled (PLAN_LEAVE) and the link is tried again: one function that cannot be profiled costs its own figures,
 * not the recording.
 *
 *     struct crashes crashes = {0};
 *     crashes_note(&crashes, "main.o", "stage/log");       false: the log names no function that is new
 *     char *lines = crashes_lines(&crashes, "main.o");     for the plan
 *     crashes_free(&crashes);
 */
#ifndef SKEIN_RELINK_CRASH_H
#define SKEIN_RELINK_CRASH_H

#include "base/strv.h"

struct crashes {
	struct strv objects, functions; /* in pairs */
};

#define CRASH_ANYWHERE "" /* the object's name, if the program was linked as a whole */

char *crash_function(const char *log); /* the last that the report names; NULL: there is none. The caller frees */

bool crashes_note(struct crashes *crashes, const char *object, const char *log);
/* Functions of the object, or for CRASH_ANYWHERE all, one per line; NULL: there are none. The caller frees. */
char *crashes_lines(const struct crashes *crashes, const char *object);
void crashes_free(struct crashes *crashes);

#endif
