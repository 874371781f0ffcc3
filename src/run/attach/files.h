/* SPDX-License-Identifier: MIT */
/* files.h: what is mapped in a process that is looked at from outside, for the unwinder (unwind/unwind.h) and the raw recording.
 *
 *     files_open(pid);
 *     files_stack(sp, copy, bytes);                 the stack of the thread whose frames are walked next
 *     unwind_apart(&u, cache, registers, known);
 *     files_changed();                              the process has mapped a file: what is known is looked up again
 *     for (i = 0; (m = files_module(i)); i++) … m->number … files_path(i) …
 *     files_close();
 *
 * One process at a time, since the unwinder asks without saying for which. Here are the module_at, memory_copy and unwind_read that it
 * calls: code and tables are read from the files, what has no file that can be read from the memory of the process. Memory that the
 * process may write is not read, but for the copy of the stack, which is as old as the registers are. */
#ifndef SKEIN_RUN_ATTACH_FILES_H
#define SKEIN_RUN_ATTACH_FILES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "unwind/modules.h"

void files_open(pid_t pid);
void files_close(void);
void files_changed(void);
void files_stack(uintptr_t from, const void *bytes, size_t count);

const struct module *files_module(size_t i); /* in the order of their numbers; NULL: there are no more */
const char *files_path(size_t i);            /* as the process was told; that of its root, if it has another one */
const char *files_build_id(size_t i);        /* in hex; "": it has none */

#endif
