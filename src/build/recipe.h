/* SPDX-License-Identifier: MIT */
/* recipe.h: the command line of a re-link, from the note of the first link.
 *
 * The user's words stay in their order, since order decides which library wins. Left out is what would write the user's
 * files again, choose another linker or kind of LTO, or strip. Run paths are not taken from the words but from the
 * native file, where the loader finds them ($ORIGIN resolved, so that the re-linked file may lie elsewhere). */
#ifndef SKEIN_RECIPE_H
#define SKEIN_RECIPE_H

#include <stdbool.h>
#include "base/strv.h"
#include "build/bitcode.h"
#include "build/note.h"

struct recipe {
	const struct note *note;
	const struct bitcode *found;
	const char *output;
	const char *libdir, *lens;
	bool parallel;                /* a Cilk program that runs in parallel: no hooks and no runtime of ours, but libomp */
	const struct strv *run_paths; /* to search at run time, in this order */
	bool is_static;               /* linked with -static: its runtime is an object */
	bool one_thread;              /* of the linker: it is going to be divided */
	bool old_tags;                /* DT_RPATH, which goes before LD_LIBRARY_PATH, and not DT_RUNPATH */
	bool prepared;                /* all inputs with bitcode were optimised */
	size_t parts;                 /* in which code is generated at once; 0: one */
	const char *hooks;            /* an object of machine code, as all inputs are; NULL: bitcode is linked */
	const struct strv *words;     /* with it: more words for the linker */
	const struct strv *refused;   /* linker options that lld did not know at the first try */
};

void recipe_words(const struct recipe *recipe, struct strv *command);
bool recipe_has_all(const struct recipe *recipe); /* the words name each input that is replaced: none hides in a linker's script */

/* The environment of the link: the user's, with the note's variables and the plan in it. */
void recipe_environment(const struct note *note, const struct strv *plan, struct strv *environment);

bool recipe_is_static(const struct note *note);

#endif
