/* SPDX-License-Identifier: MIT */
/* ticks.h: a thread's sampling clock: a signal for each period of CPU time that it used.
 *
 *     ticks_open(&t, first_ns)        in the thread itself; the first tick comes after first_ns, the others each period
 *     …in the handler: if (ticks_is_tick(&t, info, &event)) …
 *     ticks_close(&t);
 *
 * A thread that is alone in its process has a clock of its own. Before it creates the first thread, the process gets a clock on each core
 * that all threads inherit (ticks_share; ticks_share.c): clocks of threads would be stopped and started at each switch from one thread to
 * another, which takes the kernel three times as long as the switch itself.
 *
 * The clock is a perf event of the kernel, which needs no counter of the processor. It ticks in user mode only, so that no system call
 * ever returns EINTR because of it. The event lives as long as its mapping does: no descriptor of the subject's is taken. There
 * the kernel also notes when the thread leaves its core and comes back, so any other thread can tell whether it
 * is blocked (ticks_state); a clock whose signal is not SIGTRAP needs a second event, and a second mapping, for that. Where perf events are refused, a timer on the thread's CPU clock ticks instead,
 * coarsely, and blocked threads cannot be recognised.
 *
 * The signal is SIGTRAP, which the kernel sends for such an event on its way back to the thread, without the interrupt
 * to itself that any other one takes: a tick costs two thirds. It is SIGURG where the kernel has no such events (before
 * 5.13), in a process that is traced (tracers take a SIGTRAP for their own), and under Valgrind.
 *
 * Some pages of addresses belong to a struct ticks for good: what is mapped there changes, but there is always
 * something, so other threads may look at any time. */
#ifndef SKEIN_SAMPLE_TICKS_H
#define SKEIN_SAMPLE_TICKS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include "raw/format.h"

#define TICKS_CLOCK UINT32_MAX

enum ticks_mode {
	TICKS_NONE,
	TICKS_RING,
	TICKS_SHARED, /* the clocks of the process */
	TICKS_MAPPED /* switches cannot be seen */,
	TICKS_DESCRIPTOR /* no room for a mapping: a descriptor is kept */,
	TICKS_TIMER
};
enum ticks_state { TICKS_UNKNOWN, TICKS_RUNNING, TICKS_READY /* without a core, which another thread has taken */, TICKS_BLOCKED };

struct ticks {
	enum ticks_mode mode;
	unsigned char *area; /* two pages of switches, and of a clock that traps; one of any other clock; one for each further event */
	int tid;
	int number;     /* the number that the clock's signals carry */
	int descriptor; /* TICKS_DESCRIPTOR */
	int timer;      /* TICKS_TIMER */
	bool first;     /* the period is not yet the steady one, or a clock of the thread's own ticks once before those of the process */
	int event_numbers[RAW_IDLE_EVENT_MAX];
	_Atomic uint64_t known; /* see shared_state */
};

/* Once, before all others. Events are "TYPE:CONFIG:PERIOD", divided by commas. */
void ticks_start(uint64_t period_ns, const char *events);
int ticks_signal(void);                      /* the signal of the clock in this process */
void ticks_will_be_traced(void);             /* clocks that are opened from now on use SIGURG */
uint64_t ticks_event_period(unsigned event); /* 0: the event is not available */

void ticks_open(struct ticks *t, uint64_t first_ns); /* 0: any time is as good, since the thread will use many periods */
bool ticks_open_for(struct ticks *t, int tid);       /* the own clock of another thread */
bool ticks_share(struct ticks *t); /* threads that the calling thread creates from now on share clocks with it; false: they do not */
bool ticks_are_shared(void);
void ticks_part(void);              /* the shared clocks of all threads end */
void ticks_steady(struct ticks *t); /* at the first tick, in its handler */
void ticks_close(struct ticks *t);
void ticks_forget(struct ticks *t);       /* in a forked child: the mapping has not come along */
void ticks_forget_shared(void);           /* nor have the shared clocks */
bool ticks_is_any(const siginfo_t *info); /* a tick of some clock of ours, that may be closed by now */
bool ticks_is_tick(const struct ticks *t, const siginfo_t *info, uint32_t *event); /* *event: a further event's number, or TICKS_CLOCK */
enum ticks_state ticks_state(struct ticks *t);                                     /* any thread */
/* of the calling thread: another number whenever it has left its core or come back; UINT64_MAX: not known */
uint64_t ticks_switches(const struct ticks *t);
uint64_t ticks_cpu_ns(void); /* the calling thread's CPU time */

#endif
