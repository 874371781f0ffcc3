/* SPDX-License-Identifier: MIT */
/* verdict.h: the verdict and the caveats of the flow lens, in sentences.
 *
 * First what an idle machine would change, then what threads waited for where that made the run longer, then where the critical path is.
 * The thresholds: */
#ifndef SKEIN_FLOW_VERDICT_H
#define SKEIN_FLOW_VERDICT_H

#include "analyse/findings.h"
#include "analyse/flow/flows.h"

#define FLOWS_NEWS_PCT 2.0     /* of the run: a smaller difference is not worth a sentence */
#define FLOWS_WAIT_PCT 5.0     /* of the run: objects with less waiting get no sentence, unless freeing them saves something */
#define FLOWS_OUTSIDE_PCT 25.0 /* of the critical path: with more waiting for things outside of the program that is said */
#define FLOWS_OPEN_PCT 5.0     /* of the waits: with more that nothing known ended, that is a caveat */

void flows_judge(const struct flows *flows, struct findings *verdict, struct findings *caveats);

/* Of the critical path, by routine: the caller frees the list, which has the largest part first. */
struct flows_part {
	struct flows_where where; /* of the longest stretch */
	uint32_t thread;          /* likewise */
	bool in_others;           /* other threads have stretches there, too */
	uint64_t ns, outside_ns, longest_ns;
};
struct flows_part *flows_parts(const struct flows *flows, size_t *count);

#endif
