/* SPDX-License-Identifier: MIT */
/* crew.h: how many threads work in other processes of the session.
 *
 * n_working is a number of the whole machine (section 2.1 keeps one counter per node): a core that another process
 * of the same subject keeps busy is not idle. Each process has a slot in a file of the session, mapped by all of
 * them, with the number of its threads that work; it is written when a wait begins or ends, and dated at each
 * sample and when the last thread that works begins to wait. A slot whose date is more than a tenth of a second old does not count: its process has ended, or is
 * blocked in a way that is not seen. */
#ifndef SKEIN_SAMPLE_CREW_H
#define SKEIN_SAMPLE_CREW_H

#include <stdint.h>

/* once in each process, a forked child too; tenth_ticks: cycles in a tenth of a second */
void crew_join(const char *folder, uint64_t tenth_ticks);
void crew_leave(void);
void crew_tell(uint64_t threads);      /* number of working threads in this process now */
void crew_date(void);                  /* at a sample */
unsigned crew_others(unsigned enough); /* threads that work in other processes; counting stops at `enough` */
/* A time until now in which no thread of this process worked: how much of it is news, because no other process worked or has told the
 * same. In ticks. */
uint64_t crew_quiet(uint64_t from, uint64_t until);

#endif
