/* SPDX-License-Identifier: MIT */
/* cilk_api.h: what a program may ask about its workers. The serial elision has one, number 0. In a source that includes cilk/cilk.h, too, it is told the
 * truth when it is linked to run in parallel. */
#ifndef SKEIN_CILK_API_H
#define SKEIN_CILK_API_H
#pragma GCC system_header

#if defined(__skein_bitcode__) && __skein_bitcode__ == 2
#ifdef __cplusplus
extern "C" {
#endif
int skein_cilk_workers(void);
int skein_cilk_worker(void);
int skein_cilk_on_workers(void);
#ifdef __cplusplus
}
#endif
#else
#define skein_cilk_workers() 1
#define skein_cilk_worker() 0
#define skein_cilk_on_workers() 0
#endif

static inline int __cilkrts_get_nworkers(void)
{
	return skein_cilk_workers();
}
static inline int __cilkrts_get_worker_number(void)
{
	return skein_cilk_worker();
}
static inline int __cilkrts_running_on_workers(void)
{
	return skein_cilk_on_workers();
}

#endif
