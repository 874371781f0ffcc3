/* SPDX-License-Identifier: MIT */
/* judge.h: what the sentences of a verdict of the idle lens are made from. For the files of the verdict only: verdict.c (the
 * program as a whole, and what to do), waiting.c (locks, and when no thread worked), overhead_use.c (what overhead was for). */
#ifndef SKEIN_IDLE_JUDGE_H
#define SKEIN_IDLE_JUDGE_H

#include "analyse/idle/reasons.h"
#include "analyse/idle/verdict.h"

struct judge {
	const struct idles *idles;
	const struct idles_limits *limits;
	struct idles_sums total;
	uint64_t effort;
	struct idles_blame *blames; /* by idleness */
	size_t count;
	struct idles_reasons why; /* of all idleness */
	struct idles_uses uses;
	bool is_quiet; /* no thread worked for most of the run: idleness of the rest is not worth advice */
	struct findings *verdict;
	struct idles_figures *figures;
};

/* "free_matrix (cholesky.c:283)" */
const char *judge_describe(const struct judge *j, uint32_t routine);
const char *judge_name(const struct judge *j, uint32_t routine);
const char *judge_share(const struct judge *j, uint64_t part, uint64_t whole);
const char *judge_time(const struct judge *j, double ns);
const char *judge_saved(const struct judge *j, double ns); /* "at most 250 ms of 1.20 s" */
/* What the sentences behind `from` are about. saved_ns: of the run, at best; 0: not known. A routine may be RUN_NOWHERE or RUN_OUTSIDE. */
void judge_tag(const struct judge *j, size_t from, const struct finding_tag *tag, double saved_ns);
const char *judge_of_idleness(const struct judge *j, uint64_t ns);                                   /* "98 % of the idleness" */
const char *judge_place(const struct judge *j, const char *before, const char *file, uint32_t line); /* "": the line is not known */
uint32_t judge_caller(const struct judge *j, uint32_t scope); /* the routine that calls the scope, or around it */
const struct idles_blame *judge_largest(const struct judge *j, uint64_t (*measure)(const struct idles_sums *sums));

/* waiting.c */
bool judge_quiet(const struct judge *j); /* says how long no thread worked, and in what, unless that is little; true: for most of the run */
void judge_forget_design(struct judge *j); /* threads that wait for their whole lives are not a reason */
bool judge_turns(const struct judge *j);   /* the processes of a serial program work in turn, the first waits for the others: says so */
bool judge_is_lock(const struct judge *j); /* most idleness is due to waits for locks */
void judge_lock(const struct judge *j);    /* the sentences about it, in the place of all others about idleness */
const char *judge_trust(const struct judge *j);                               /* how far idleness can be trusted when threads had no core */
const char *judge_others(const struct judge *j, const struct idles_blame *b); /* "other threads wait at a barrier meanwhile", or "" */
bool judge_mostly_waits(const struct judge *j, const struct idles_blame *b, uint32_t routine); /* for longer than it works */
/* The routine mostly waits: says so. `routine` is the one to blame, or the one that it is inlined in. */
bool judge_waits(const struct judge *j, const struct idles_blame *b, uint32_t routine);

/* overhead_use.c */
uint64_t judge_overhead_ns(const struct judge *j); /* without the start of a runtime */
bool judge_is_fine(const struct judge *j);         /* the tasks are too small, the parallel loops too short, or the threads too many */
bool judge_is_threads(const struct judge *j);      /* most overhead is for creating and joining threads */
void judge_threads(const struct judge *j);         /* the sentence about it, where idleness is high, too */
const char *judge_kinds(const struct judge *j);    /* "synchronisation 8.1 %, scheduling 2.0 %" */
void judge_overhead(const struct judge *j, enum idles_table1 row);
const char *judge_coarsen(const struct judge *j); /* what to do about overhead */
const char *judge_switch(const struct judge *j);  /* what to do about overhead and idleness */

#endif
