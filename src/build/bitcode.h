/* SPDX-License-Identifier: MIT */
/* bitcode.h: which inputs of a link hold bitcode, and whether they are still what was linked.
 *
 *     struct bitcode found = {0};
 *     if (bitcode_check(&note, "./prog", &why) < 0 ||          every input is there, and unchanged
 *         bitcode_scan(&note, stage, &found, &why) < 0) …       what is foreign, and why
 *     bitcode_free(&found);
 *
 * `ld -r` runs the bitcode of several objects together, at which lld stops: such an object is foreign. An object that was
 * compiled with -flto holds the user's bitcode and ours. Of an input with either a copy that suits lld is put into the
 * stage folder, to be linked in its place. */
#ifndef SKEIN_BITCODE_H
#define SKEIN_BITCODE_H

#include "build/note.h"

struct bitcode {
	struct strv foreign;  /* "name: why" */
	struct strv serial;   /* why a source that speaks Cilk does not run in parallel, though that was asked for */
	struct strv replaced; /* pairs: an input's path, and the copy to link instead */
	bool keeps_own;       /* asked for: objects with bitcode of the user's and of ours stay as they are; relink/pieces has them */
	bool parallel;        /* asked for: sources that speak Cilk give what runs in parallel */
	char level;           /* the highest -O level that an object was compiled with; 0 when none tells */
};

int bitcode_check(const struct note *note, const char *program, struct fail *why);
int bitcode_scan(const struct note *note, const char *stage, struct bitcode *found, struct fail *why);
void bitcode_free(struct bitcode *found);

size_t bitcode_modules(struct blob section); /* modules in a bitcode section; 0 when it is none */

#endif
