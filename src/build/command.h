/* SPDX-License-Identifier: MIT */
/* command.h: how a source was compiled, kept in the object and so in the program: section COMMAND_SECTION, which is not loaded.
 *
 * skein-cc writes it; `skein export llvm-profdata`, which compiles the source once more in the same way, reads it. A
 * record is zero-ended strings: the folder, the compiler, each word of the command (options that say what code is
 * made, and the source; none that name outputs), and an empty one that ends it. The linker puts records one behind
 * another.
 *
 *     struct command c = {0};
 *     for (size_t at = 0; command_next(section, &at, &c);) … c.folder … c.words.at …
 *     command_free(&c); */
#ifndef SKEIN_COMMAND_H
#define SKEIN_COMMAND_H

#include <stdbool.h>
#include "base/blob.h"
#include "base/strv.h"

#define COMMAND_SECTION ".skein.command"

struct command {
	char *folder;
	struct strv words; /* the compiler first */
};

struct blob command_record(const char *folder, const struct strv *words);    /* free with blob_free */
bool command_next(struct blob section, size_t *at, struct command *command); /* false: there is no more, or nothing that can be read */
void command_free(struct command *command);

#endif
