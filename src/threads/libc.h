/* SPDX-License-Identifier: MIT */
/* libc.h: finds functions of the C library itself, also where the subject has functions of the same names.
 *
 *     int (*create)(pthread_key_t *, void (*)(void *)) = libc_find("pthread_key_create");
 *
 * dlsym would find those of the program or of its libraries. Nothing is allocated, no lock is taken. NULL: there is no such
 * function, or the C library is not one whose tables can be read. */
#ifndef SKEIN_THREADS_LIBC_H
#define SKEIN_THREADS_LIBC_H

void *libc_find(const char *name);

#endif
