/* SPDX-License-Identifier: MIT */
/* verdict.h: the verdict and the caveats of the span lens, in sentences.
 *
 * First comes the parallelism p and what it means on the machine's P cores. The first sentence also has what makes p a bound or a
 * guess: waits of threads for each other, foreign code, calls that had not returned. Then come what has most of the span, the cost of
 * scheduling, the parallel part that serial code hides, and what a repair would bring at most. The thresholds: */
#ifndef SKEIN_SPAN_VERDICT_H
#define SKEIN_SPAN_VERDICT_H

#include "analyse/findings.h"
#include "analyse/span/span.h"

#define SPANS_AMPLE 10            /* p >= 10 P is ample; P <= p < 10 P is enough; less cannot use P cores */
#define SPANS_SERIAL 1.5          /* a site whose work / span is below this is serial */
#define SPANS_NOT_PARALLEL 1.05   /* a parallelism below this is shown as 1.0: nothing runs in parallel */
#define SPANS_BURDENED_SHARE 0.5  /* burdened parallelism below this part of p: tasks are too small, or loops too short */
#define SPANS_TASK_COST 2000      /* instructions: what an OpenMP runtime takes to create and schedule a task, at least */
#define SPANS_MANY_TASKS 1000     /* with fewer, their cost does not matter */
#define SPANS_FOREIGN_SHARE 0.01  /* part of the work: less foreign code gets no caveat */
#define SPANS_MODELLED_PCT 25.0   /* of work or span: with more modelled code the parallelism is a guess */
#define SPANS_MODEL_ERROR 10      /* factor by which a model may be wrong */
#define SPANS_WAIT_PCT 5.0        /* of the threads' time: with more waiting for each other the parallelism is a bound */
#define SPANS_OPEN_SHARE 0.05     /* part of the work: with more of it estimated the parallelism is an estimate */
#define SPANS_WORTH 0.2           /* part of the span: a site with less is not worth a repair */
#define SPANS_MOST 0.5            /* part of the span: a loop with more may limit the program */
#define SPANS_ONE_THREAD 0.8      /* part of the created threads' CPU time: if one has more, threads do not take turns */
#define SPANS_EVEN 0.6            /* of its iterations: a loop with less parallelism has uneven iterations */
#define SPANS_LEAST_ITERATION 500 /* mean work: less may be a vector, so the iterations are not told */
#define SPANS_KERNEL 2            /* times p: a site that is more parallel is hidden by what is around it */
#define SPANS_NOTHING_LEFT 1000   /* times less span is almost nothing */

void spans_judge(const struct spans *spans, struct findings *verdict, struct findings *caveats);
void spans_doubt(const struct spans *spans, struct findings *caveats); /* the caveats; spans_judge calls this */
bool spans_is_timed(const struct spans *spans);                        /* by a clock that runs while a thread has no core */

/* Work / span of a site's topmost invocations, as the view `sites` shows it; or not a number. */
double spans_site_parallelism(const struct spans_site *site);

#endif
