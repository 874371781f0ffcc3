/* SPDX-License-Identifier: MIT */
/* judge.h: what the files that write the verdict of the calls lens share. */
#ifndef SKEIN_CALLS_JUDGE_H
#define SKEIN_CALLS_JUDGE_H

#include "analyse/calls/verdict.h"

static inline double calls_share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

/* "fib (file.c:12)", or the name alone if the place is not known. */
const char *calls_describe(const struct calls *calls, uint32_t routine, struct findings *to);
/* "the 4 workers that run work (prog.c:20)" */
const char *calls_describe_crew(const struct calls *calls, const struct calls_balance *b, struct findings *to);

/* Parts of wall time by number of busy workers. */
struct calls_parts {
	double nobody, one, several;
	double mean; /* of busy workers */
	uint64_t nobody_ns, one_ns;
};
struct calls_parts calls_parts_of(const struct calls *calls);

/* The kind of wait of the routine that waits longest. */
struct calls_wait_sum calls_first_wait(const struct calls *calls);
const char *calls_wait_noun(const struct calls_wait *wait); /* "for locks" */
bool calls_is_for_work(const struct calls_wait *wait);      /* a condition or a semaphore: what threads wait for work by */
/* What sentences about a wait are about, as far as the wait tells: a lock, something outside, or work that comes too late. */
struct finding_tag calls_tag_of_wait(const struct calls *calls, const struct calls_wait *wait);
uint64_t calls_alive_ns(const struct calls *calls); /* the lives of all workers */
/* The wait for which others stood still for a third of the time; NULL: there is none. */
const struct calls_wait *calls_holding_wait(const struct calls *calls, uint64_t one_ns);

/* A job of threads, and how busy they were: a part of their lives. crew 0: none. */
struct calls_stage {
	uint64_t crew;
	double busy;
};
/* The job for which the others wait; `others`: the share of the next one. */
struct calls_stage calls_pace(const struct calls *calls, double *others);

/* Threads or tasks with so little work that creating them takes longer (pieces.c). */
struct calls_pieces {
	uint64_t count;   /* 0: there are none */
	uint32_t routine; /* the routine that most of them run; RUN_NOWHERE: not known */
	double work_ns;   /* of one, on average; of tasks: at most */
};
struct calls_pieces calls_tiny_tasks(const struct calls *calls);
struct calls_pieces calls_tiny_threads(const struct calls *calls);
double calls_tasks_of_one(const struct calls *calls, uint32_t *routine); /* part of all tasks that one worker ran; 0: too few to tell */
bool calls_lacks_tasks(const struct calls *calls, const struct calls_wait *wait); /* most work is in tasks, and the wait is for one */
void calls_judge_pieces(const struct calls *calls, struct findings *verdict);

/* The first sentence: how long no worker was busy, one, several, and why. */
void calls_judge_parts(const struct calls *calls, struct findings *verdict);

#endif
