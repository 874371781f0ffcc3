/* SPDX-License-Identifier: MIT */
/* args.h: what a compiler's command line asks for.
 *
 * Reads a command line as clang's driver would, as far as skein-cc must know: response files are expanded, -fcilk= is
 * taken out, inputs are told from options and sources from what goes to the linker. Options that clang does not know stay:
 * a probe of a configure script must get clang's own answer.
 *
 *     struct args args;
 *     if (args_parse(&args, argc - 1, argv + 1, &why) < 0) …
 *     switch (args.action) { case ARGS_PASS: … }
 *     args_free(&args);
 *
 * Nothing here looks at files other than response files, or starts a process. */
#ifndef SKEIN_ARGS_H
#define SKEIN_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include "base/fail.h"
#include "base/strv.h"

enum args_action {
	ARGS_PASS,    /* -E, -S, -M, --version, no inputs, headers …: clang's own affair */
	ARGS_COMPILE, /* -c */
	ARGS_LINK     /* compile what is source, then link */
};

enum args_kind {
	ARGS_SOURCE,   /* becomes native code and bitcode */
	ARGS_ASSEMBLY, /* becomes native code only: assembly, and languages of which we know nothing */
	ARGS_LINKED    /* an object, archive, shared library or linker script */
};

struct args_input {
	size_t at; /* index into words */
	enum args_kind kind;
	const char *language; /* language that -x named for the input, or NULL */
};

/* What each word of the command line is. */
enum args_word {
	ARGS_OPTION,
	ARGS_INPUT,
	ARGS_OUTPUT,     /* -o, --output and their values */
	ARGS_LANGUAGE,   /* -x and its value */
	ARGS_DEPENDENCY, /* -MD, -MF file …: files for make */
	ARGS_LINKER,     /* means nothing to a compile: -l, -L, -Wl, -Xlinker … */
	ARGS_LTO,        /* -flto and its relatives */
	ARGS_SIDE_FILE,  /* makes the compiler write more files: coverage, -save-temps … */
	ARGS_MODE        /* -c */
};

struct args {
	enum args_action action;
	struct strv words;  /* the command line without the program's name, response files expanded */
	enum args_word *is; /* one a word */
	struct args_input *inputs;
	size_t inputs_count;
	struct strv quiet;           /* options for each part of a divided command (driver.h) */
	const char *output;          /* of -o, or NULL; points into words */
	const char *dep_file;        /* of -MF */
	bool dep_wanted, dep_target; /* -MD or -MMD; -MT or -MQ */
	bool parallel;               /* -fcilk=parallel, which is no longer among words: spawned calls run beside their callers */
	bool lto;                    /* the user asked for link-time optimisation */
	char level;                  /* of -O: 0 to 3 */
	bool level_given;
};

int args_parse(struct args *args, int count, char *const *words, struct fail *why);
void args_free(struct args *args);

bool args_takes_value(const char *option); /* whether its value is the next word */

/* The words of a link, one linker option a word: -Wl,a,b becomes two of them, -Xlinker a one. For each word linker[i] says
 * whether it is meant for the linker itself rather than for the driver. */
struct args_flat {
	struct strv words;
	bool *linker;
};
void args_flatten(const struct strv *words, struct args_flat *flat);
void args_flat_free(struct args_flat *flat);

/* Appends the words of a response file's text, quotes and backslashes as GNU tools read them. */
void args_split(const char *text, size_t size, struct strv *words);

/* What skein-cc is, in the words of its --help and of its man page; examples of its use, one per line. */
#define ARGS_ABOUT                                                                                         \
	"Compiles and links like clang 19, with the same options. The program runs at native speed. Each " \
	"object also holds LLVM bitcode, and the program holds a note that says how it was linked. "       \
	"`skein record` re-links the program from these, so keep the objects and archives."

#define ARGS_EXAMPLES                                                          \
	"make CC=skein-cc CXX=skein-c++\n"                                     \
	"./configure CC=skein-cc && make\n"                                    \
	"cmake -DCMAKE_C_COMPILER=skein-cc -DCMAKE_CXX_COMPILER=skein-c++ .\n" \
	"skein-cc -O2 -g -pthread prog.c -o prog"

#endif
