/* SPDX-License-Identifier: MIT */
/* result.h: what the analysis of the span lens makes of a session, and its sites by their line. */
#ifndef SKEIN_UNIT_SPAN_RESULT_H
#define SKEIN_UNIT_SPAN_RESULT_H

#include "unit/lib.h"

#include <math.h>

#include "analyse/span/span.h"
#include "analyse/span/verdict.h"
#include "unit/span/make.h"

#include "unit/session.h" /* last: others have parameters that are called folder */

struct result {
	struct session session;
	struct spans spans;
	struct findings verdict, caveats;
};

static inline void analyse(struct result *r)
{
	struct fail why;
	memset(r, 0, sizeof *r);
	if (session_read(&r->session, folder, &why) < 0)
		fail_msg("%s", why.text);
	spans_build(&r->session, &r->spans);
	spans_judge(&r->spans, &r->verdict, &r->caveats);
}

static inline void done(struct result *r)
{
	findings_free(&r->verdict);
	findings_free(&r->caveats);
	spans_free(&r->spans);
	session_free(&r->session);
	run_free(&r->session.run);
}

/* The site at a line of sort.c. */
static inline const struct spans_site *at(const struct result *r, uint32_t line)
{
	for (size_t i = 0; i < r->spans.site_count; i++)
		if (r->spans.sites[i].line == line)
			return &r->spans.sites[i];
	fail_msg("no site at line %u", line);
	return NULL;
}

static inline void same_sum(const struct span_sum *sum, uint64_t count, uint64_t work, uint64_t span)
{
	assert_int_equal(sum->count, count);
	assert_int_equal(sum->work, work);
	assert_int_equal(sum->span, span);
}

static inline uint64_t local_spans(const struct result *r)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < r->spans.site_count; i++)
		sum += spans_local(&r->spans.sites[i]);
	return sum;
}

#endif
