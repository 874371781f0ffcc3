/* SPDX-License-Identifier: MIT */
/* account.h: from samples and switches of threads to the figures of the idle lens: work by class, idleness and its reasons, waits.
 *
 *     struct account a;
 *     account_open(&a, cores, period_ns, start_ns);
 *     account_thread(&a, tid, creator, ACCOUNT_WAITS, time);         a thread that is there, or begins
 *     account_note(&a, &some);                                       what happened, in any order within a hundredth of a second or so
 *     account_until(&a, time);                                       all notes before that are there: they are taken into account
 *     account_close(&a, end_ns);                                     … a.threads …
 *     account_free(&a);
 *
 * A thread works while it has a core, or is ready and has none. CPU time is known from switches, to the nanosecond: a sample only says
 * where the time since the last one was spent. So is idleness: while w threads work on n cores, each that has one is charged with
 * (n - w) / w of its time (paper, section 2.1). Pure: no file, no clock. */
#ifndef SKEIN_RUN_ATTACH_ACCOUNT_H
#define SKEIN_RUN_ATTACH_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/map.h"
#include "raw/format.h"

/* Why a thread does not work. Kinds of waits first. */
enum {
	ACCOUNT_BLOCKED = RAW_WAIT_KINDS, /* by the kernel, in no wait of its own */
	ACCOUNT_UNKNOWN,
	ACCOUNT_WHYS
};

enum account_what { ACCOUNT_SAMPLE, ACCOUNT_PLACE, ACCOUNT_ON, ACCOUNT_OFF, ACCOUNT_READY, ACCOUNT_BEGIN, ACCOUNT_END };

struct account_note {
	uint64_t time;
	uint64_t order; /* account_note sets it */
	enum account_what what;
	uint32_t tid, core;
	uint32_t node;  /* SAMPLE, PLACE: of the tree; 0: none */
	uint32_t other; /* PLACE: why the thread will wait; BEGIN: the thread that created it */
};

enum account_state { ACCOUNT_GONE, ACCOUNT_WAITS, ACCOUNT_IS_READY, ACCOUNT_RUNS };

/* What one thread did in one node. */
struct account_cost {
	struct raw_idle_cost row;
	uint64_t why_ns[ACCOUNT_WHYS], ready_ns;
	struct raw_idle_wait waits[RAW_WAIT_KINDS];
};

struct account_thread {
	uint32_t number, tid, creator;
	enum account_state state;
	uint32_t core;
	uint64_t start_ns, end_ns; /* end_ns 0: it goes on */
	uint64_t since_ns;         /* in this state */
	bool has_place;            /* of the wait that began last: */
	uint32_t place, why;
	uint32_t last_node;
	/* since the last sample */
	uint64_t ran_ns[RAW_IDLE_CLASSES], idle_ns, why_ns[ACCOUNT_WHYS], ready_ns;
	/* since the last charge */
	uint64_t waited_ns, quiet_ns;
	uint64_t cpu_ns, samples, work_ns, unseen_ns, paths_cut;
	uint64_t waits[RAW_WAIT_KINDS], wait_ns[RAW_WAIT_KINDS];
	struct map costs; /* by node: struct account_cost */
};

struct account {
	uint32_t cores;
	uint64_t period_ns, start_ns, now_ns;
	struct account_thread **threads; /* in the order of their numbers */
	size_t thread_count, thread_room;
	struct map by_tid, by_core; /* the thread that is there now */
	struct account_thread **running;
	size_t running_count, running_room;
	size_t ready, alive, most_alive;
	size_t waiting[ACCOUNT_WHYS];
	uint64_t quiet_since; /* no thread works */
	struct account_note *notes;
	size_t note_count, note_room;
	uint64_t order;
};

void account_open(struct account *a, uint32_t cores, uint64_t period_ns, uint64_t start_ns);
struct account_thread *account_thread(struct account *a, uint32_t tid, uint32_t creator, enum account_state state, uint64_t time);
void account_note(struct account *a, const struct account_note *note);
void account_until(struct account *a, uint64_t time);
void account_close(struct account *a, uint64_t end_ns);
void account_free(struct account *a);

#endif
