/* SPDX-License-Identifier: MIT */
/* look.h: what the kernel tells of the threads of a process that already runs (perf_event_open): samples, switches, beginnings and ends.
 *
 *     struct look look;
 *     if (look_open(&look, pid, period_ns, &why) < 0) …              the system does not allow it, or there is no such process
 *     look_wait(&look, process, 50);                                 until rings have something, or for 50 ms
 *     look_drain(&look, take, context);                              take(context, &record) for each record, ring by ring
 *     look_close(&look);                                             the process is as it was before
 *
 * Every thread has two events on each core, which threads inherit that it creates: a clock of its CPU time, and its context switches.
 * Samples of both have the registers of the thread in its own code, and the top of its stack. The second event samples a thread that
 * waits often less than once per wait. Records of one core come in the order of their times, which are those of CLOCK_MONOTONIC.
 *
 * A thread that was created while events were opened may have its creator's and its own: look_drain shows records of one of them. */
#ifndef SKEIN_RUN_ATTACH_LOOK_H
#define SKEIN_RUN_ATTACH_LOOK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "arch/subject.h"
#include "base/fail.h"
#include "base/map.h"
#include "run/rings.h"

enum look_kind {
	LOOK_SAMPLE, /* the thread has used a period of CPU time */
	LOOK_WAIT,   /* the thread is about to lose its core: where it is */
	LOOK_ON,     /* the thread has got a core */
	LOOK_OFF,    /* the core is lost, since the thread waits */
	LOOK_READY,  /* the core is lost, and the thread is ready to run */
	LOOK_BEGIN,  /* thread `other` created it */
	LOOK_END,
	LOOK_NAME,   /* `name`: the thread is called so now */
	LOOK_MAPPED, /* the process has mapped a file with code */
};

struct look_record {
	enum look_kind kind;
	uint64_t time;
	uint32_t process, tid, core, other;
	const char *name;
	/* LOOK_SAMPLE and LOOK_WAIT */
	bool has_registers;
	uintptr_t registers[DWARF_REGISTERS];
	const void *stack; /* from the stack pointer on */
	size_t stack_bytes;
};

struct look {
	pid_t pid;
	struct rings rings;
	int *fds; /* of events that have no ring */
	size_t fd_count, fd_room;
	struct map events;  /* the kernel's number of an event: the thread that it was opened for, and which event it is */
	struct map threads; /* tid: the thread whose events are its own */
	uint64_t period_ns;
	uint32_t stack_bytes;
	bool sees_kernel;    /* CPU time in the kernel is sampled, and where threads wait */
	bool inherits_apart; /* processes that the process creates are not looked at */
	uint64_t lost;
	unsigned char *record;
};

int look_open(struct look *look, pid_t pid, uint64_t period_ns, struct fail *why);
void look_wait(struct look *look, int fd, int ms); /* fd: is looked at too; -1: none */
void look_drain(struct look *look, void (*take)(void *context, const struct look_record *record), void *context);
void look_close(struct look *look);

#endif
