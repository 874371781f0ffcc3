/* SPDX-License-Identifier: MIT */
/* redirect.h: which files the interposers of dlopen, exec and readlink redirect, by the session.
 *
 * A subject runs as a re-linked copy of itself, with re-linked libraries, and should not notice. The runtime defines
 * these two; where it does not (a lens that runs the native program), they are absent and nothing is redirected.
 * Called by any thread and from signal handlers: no allocation, no locks, errno preserved. */
#ifndef SKEIN_THREADS_REDIRECT_H
#define SKEIN_THREADS_REDIRECT_H

/* The library to load, or the program to execute, in place of `path` (which may be NULL, or a name without a slash):
 * `path` itself, or a string that lives on. */
const char *session_redirect(const char *path) __attribute__((weak));

/* The absolute path of the native program, or NULL if it is the one that runs. */
const char *session_native_program(void) __attribute__((weak));

#endif
