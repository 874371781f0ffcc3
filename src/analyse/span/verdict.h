/* SPDX-License-Identifier: MIT */
/* verdict.h: the verdict and the caveats of the span lens, in sentences.
 *
 * First comes the parallelism p and what it means on the machine's P cores, then the site with the largest local span
 * on the span, then the burden of fine grain, then what fixing that site would save at most. The thresholds: */
#ifndef SKEIN_SPAN_VERDICT_H
#define SKEIN_SPAN_VERDICT_H

#include "analyse/findings.h"
#include "analyse/span/span.h"

#define SPANS_AMPLE 10           /* p >= 10 P is ample; P <= p < 10 P is enough; less cannot use P cores */
#define SPANS_SERIAL 1.5         /* a site whose work / span on the span is below this is serial */
#define SPANS_BURDENED_SHARE 0.5 /* burdened parallelism below this part of p: the grain is too fine */
#define SPANS_FOREIGN_SHARE 0.01 /* part of the work: less foreign code gets no caveat */

void spans_judge(const struct spans *spans, struct findings *verdict, struct findings *caveats);
void spans_doubt(const struct spans *spans, struct findings *caveats); /* the caveats; spans_judge calls this */

/* Work / span of a site's topmost invocations on the critical path; of all its topmost invocations if none is on that
 * path; or not a number. */
double spans_site_parallelism(const struct spans_site *site);

#endif
