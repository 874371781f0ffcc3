/* SPDX-License-Identifier: MIT */
/* span.h: the results of the span lens: Cilkprof's two profiles (sections 4 and 6), and the bounds that follow from
 * them.
 *
 *     spans_build(&session, &spans);                  from raw files, or store_load_span() from a recording
 *     double p = spans_parallelism(&spans);
 *     const struct spans_site *worst = spans_largest(&spans, 0);
 *     spans_free(&spans);
 *
 * Everything is in ticks of the recording's clock (instructions, unless its name says otherwise). The program's own figures
 * are those of its first process; with --under, those of the chosen site's topmost invocations, one after another.
 * Local spans on the span sum to the span. Local work / local span is not a parallelism (section 6). */
#ifndef SKEIN_ANALYSE_SPAN_H
#define SKEIN_ANALYSE_SPAN_H

#include "analyse/run.h"
#include "analyse/session.h"
#include "core/span/span.h"

#define SPANS_UNKNOWN INT64_C(-1)

#define SPANS_KIND_LIST(X) X(CALL, "call") X(SPAWN, "spawn") X(LOOP, "loop")
enum spans_kind {
#define X(name, text) SPANS_##name,
	SPANS_KIND_LIST(X)
#undef X
		SPANS_KINDS
};
enum spans_profile { SPANS_ON_WORK, SPANS_ON_SPAN, SPANS_PROFILES };
extern const char *const spans_kind_names[SPANS_KINDS], *const spans_profile_names[SPANS_PROFILES],
								*const spans_measure_names[SPAN_MEASURES];

struct spans_site {
	uint32_t caller;         /* RUN_OUTSIDE: the program, a constructor or a thread starts here */
	uint32_t callee;         /* RUN_NOWHERE: foreign, inlined, a loop, or called through a pointer */
	const char *callee_name; /* as the source has it; "" when called through a pointer */
	const char *file;
	uint32_t line, column;
	enum spans_kind kind;
	bool foreign, inlined;
	uint64_t iterations; /* of a parallel loop, over all its executions; vectors if it was vectorised */
	int64_t real_ns;     /* estimated time of all calls of a foreign callee */
	uint32_t place;      /* position on the critical path, from 1 in the order in which calls ended; 0: not on the path */
	struct span_sum sums[SPANS_PROFILES][SPAN_MEASURES];
	/* what the site called through a pointer: part of `targets`, most calls first, and their sum; spans_sort sets these */
	size_t first_target, target_count;
	uint64_t target_calls;
};

/* Calls through a pointer. Unlike a site's counts, these have calls that had not returned when the program was killed. */
struct spans_target {
	size_t site;
	uint32_t routine; /* RUN_NOWHERE: all targets that the recording had no room for */
	uint64_t count;
};

struct spans_what_if {
	const char *site;
	double factor, work, span;
};

/* The regions of one name that the user marked (include/skein/skein.h), outermost ones, one after another. */
struct spans_region {
	const char *name, *file;
	uint32_t line;         /* of the mark that came first */
	uint64_t begun, count; /* regions that have begun, and that have ended; only the latter have figures */
	uint64_t work, span, burdened_span;
};

struct spans {
	const struct run *run;
	uint64_t work, span, burdened_span;
	uint64_t program_work, program_span; /* work and span of the program; equal to work and span, unless `under` is set */
	const char *under;                   /* the site that all figures are relative to, or "" */
	uint64_t under_count;                /* number of the site's topmost invocations */
	const char *clock;                   /* insn, tsc, ns, or the name of an event */
	uint64_t burden;                     /* cost of each spawn's child and continuation */
	uint64_t cores;                      /* cores of the machine to judge by */
	bool other_machine;                  /* `cores` is not the number of cores of the machine that recorded */
	uint64_t events[RAW_SPAN_EVENTS];    /* number of spawns and loops: by their sites, if there are any */
	uint64_t running;                    /* created threads that had not ended when the program did */
	uint64_t open_work, open_span;       /* parts of work and span: estimates of their calls that had not returned */
	uint64_t atomic_routines;            /* routines that were called and have atomic instructions */
	uint64_t other_work;                 /* work of further processes */
	struct spans_site *sites;            /* sorted by identity; only sites that were executed */
	size_t site_count, site_room;
	struct spans_target *targets;
	size_t target_count, target_room;
	struct spans_what_if *what_ifs;
	size_t what_if_count, what_if_room;
	struct spans_region *regions; /* sorted by name */
	size_t region_count, region_room;
	struct pool pool;
};

void spans_build(struct session *session, struct spans *spans);
/* call this after adding sites and targets; sites of equal identity are added up, and so are targets */
void spans_sort(struct spans *spans);
void spans_free(struct spans *spans);

/* The region of that name, or NULL. spans_enter_region makes work, span, under and under_count those of the region, and leaves
 * out sites and what-ifs, which are those of the whole. */
const struct spans_region *spans_find_region(const struct spans *spans, const char *name);
void spans_enter_region(struct spans *spans, const struct spans_region *region);

const char *spans_caller(const struct spans *spans, const struct spans_site *site);       /* "(start)" if the site has no caller */
const char *spans_shown_caller(const struct spans *spans, const struct spans_site *site); /* in text */
const char *spans_shown_callee(struct pool *pool, const struct spans *spans, const struct spans_site *site);
const char *spans_callee(const struct spans *spans, const struct spans_site *site); /* "(indirect)" where no name is known */
/* The most frequent targets of a site with their counts, "f 120, g 3 and 7 more"; "" where no call went through a pointer. */
const char *spans_shown_targets(struct pool *pool, const struct spans *spans, const struct spans_site *site);
const char *spans_target(const struct spans *spans, const struct spans_target *target); /* "(other)" where there was no room */
const char *spans_shown_target(const struct spans *spans, const struct spans_target *target);
enum spans_wait { SPANS_NO_WAIT, SPANS_LOCK, SPANS_CONDITION, SPANS_JOIN };
enum spans_wait spans_wait(const struct spans_site *site); /* what the foreign callee waits for, by its name */
bool spans_creates_thread(const struct spans_site *site);  /* targets of the site are functions of threads */
bool spans_is_serial(const struct spans *spans);           /* nothing in the program could run in parallel */

/* The site with the n-th largest local span on the span, or NULL. spans_by_local_span lists all; the caller frees. */
const struct spans_site *spans_largest(const struct spans *spans, size_t n);
const struct spans_site **spans_by_local_span(const struct spans *spans);

double spans_ratio(uint64_t part, uint64_t whole); /* not a number where whole is 0 */
/* Not a number if the quotient is less than 1: the threads that a site made are on its path, but not in its work. */
double spans_sum_parallelism(const struct span_sum *sum);
double spans_parallelism(const struct spans *spans);
double spans_burdened_parallelism(const struct spans *spans);
uint64_t spans_local(const struct spans_site *site); /* local span on the span */
uint64_t spans_calls(const struct spans *spans);     /* calls of all sites that were recorded */

/* Waits of the threads of the first process for each other, except joins, which the span follows, and threads that hardly work. */
struct spans_waits {
	uint64_t by_kind[RAW_WAIT_KINDS];
	uint64_t waited_ns, alive_ns; /* sums over threads; without the time of joins */
	double percent;
	uint64_t io_ns, asleep_ns; /* waits for what is outside of the program: not in the others */
};
struct spans_waits spans_waits(const struct spans *spans);
/* The part of work and span that a model sets, in percent: foreign code, with the clock insn. */
void spans_modelled(const struct spans *spans, double *work, double *span);

/* Upper bounds on the speed-up over one core. Burdened is Cilkscale's estimate of what a work-stealing scheduler gets. */
enum spans_bound { SPANS_LINEAR, SPANS_SPAN, SPANS_GREEDY, SPANS_BURDENED, SPANS_BOUNDS };
double spans_bound(const struct spans *spans, enum spans_bound bound, double cores);

/* The largest speed-up of a changed program on `cores` cores over this program on one core; 0: infinitely many. */
double spans_gain(const struct spans *spans, double work, double span, double cores);

#endif
