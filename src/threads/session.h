/* SPDX-License-Identifier: MIT */
/* session.h: the settings that `skein record` passes to the runtime.
 *
 * ENVIRONMENT_SESSION names a folder; keys/session.h says what the file `session` in it holds. Raw recordings go into the same folder. Read once, before the subject's own code runs; afterwards everything here may
 * be called by any thread and from signal handlers. */
#ifndef SKEIN_THREADS_SESSION_H
#define SKEIN_THREADS_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "keys/mode.h"
#include "keys/session.h"

const char *session_environment(const char *name); /* a variable of the environment, or NULL */
bool session_load(void);                           /* false: there is none, the subject runs unrecorded */
const char *session_folder(void);
bool session_is(enum session_key key, const char *value);
bool session_is_set(enum session_key key);
const char *session_value(enum session_key key); /* "" if it is not set */
uint64_t session_number(enum session_key key, uint64_t otherwise);
const char *session_table_of(const char *build_id); /* "" if the object is not known */
const char *session_path_of(const char *build_id);  /* of the re-linked file */
const char *session_redirect(const char *path);     /* the re-linked file to load or execute in place of a native one, or path itself */
const char *session_native_program(void);           /* NULL if not known */

#endif
