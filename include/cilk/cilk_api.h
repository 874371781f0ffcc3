/* SPDX-License-Identifier: MIT */
/* cilk_api.h: what a program may ask about its workers. The serial elision has one, number 0. */
#ifndef SKEIN_CILK_API_H
#define SKEIN_CILK_API_H
#pragma GCC system_header

static inline int __cilkrts_get_nworkers(void) { return 1; }
static inline int __cilkrts_get_worker_number(void) { return 0; }
static inline int __cilkrts_running_on_workers(void) { return 0; }

#endif
