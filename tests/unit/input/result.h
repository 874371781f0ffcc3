/* SPDX-License-Identifier: MIT */
/* result.h: what the analysis of the input lens makes of a session, and sessions of rows that a test chooses.
 *
 *     inputmake_session(folder, 3, 8);
 *     struct result r;
 *     analyse(&r);
 *     assert_int_equal(of(&r, "insert")->calls, 6);
 *     done(&r);
 */
#ifndef SKEIN_UNIT_INPUT_RESULT_H
#define SKEIN_UNIT_INPUT_RESULT_H

#include "unit/lib.h"

#include <math.h>
#include <sqlite3.h>

#include "analyse/input/claim.h"
#include "analyse/input/verdict.h"
#include "store/store.h"
#include "unit/input/make.h"

#include "unit/session.h" /* last: others have parameters that are called folder */

struct result {
	struct session session;
	struct inputs inputs;
	struct inputs_result *results;
	size_t count;
	struct findings verdict, caveats;
};

static inline void analyse(struct result *r)
{
	struct fail why;
	memset(r, 0, sizeof *r);
	if (session_read(&r->session, folder, &why) < 0)
		fail_msg("%s", why.text);
	inputs_build(&r->session, &r->inputs);
	r->results = inputs_results(&r->inputs, INPUT_TRMS, MODELS_MEAN, &r->count);
	inputs_judge(&r->inputs, r->results, r->count, INPUT_TRMS, &r->verdict, &r->caveats);
}

static inline void done(struct result *r)
{
	findings_free(&r->verdict);
	findings_free(&r->caveats);
	free(r->results);
	inputs_free(&r->inputs);
	session_free(&r->session);
	run_free(&r->session.run);
}

static inline const struct inputs_result *of(const struct result *r, const char *linkage)
{
	for (size_t i = 0; i < r->count; i++)
		if (strcmp(r->inputs.run->routines[r->results[i].pick.routine].linkage, linkage) == 0)
			return &r->results[i];
	fail_msg("there is no routine %s", linkage);
	return NULL;
}

static uint64_t seed = 12345;

static inline uint64_t chance(uint64_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % below;
}

/* The known run, added to the recording. */
static inline void add_run(unsigned first, unsigned last)
{
	struct result r;
	char aside[PATH_MAX];
	struct fail why;
	inputmake_session(folder, first, last);
	analyse(&r);
	r.session.run.build_id = "b1d";
	if (store_save_input(recording, &r.inputs, aside, &why) < 0)
		fail_msg("%s", why.text);
	assert_string_equal(aside, "");
	done(&r);
}

static inline void write_rows(const struct raw_input_how *how, const struct raw_input_context *contexts, uint32_t context_count,
                              const struct raw_input_point *points, uint32_t point_count)
{
	static struct inputmake m;
	struct rawmake raw;
	char to[160];
	rawmake_text(folder, "session", "lens\tinput\nmode\tblocks\nperiod_us\t1000\nnative\t/home/me/prog\ncommand\t./prog\n");
	inputmake_start(&m, &raw);
	if (how)
		inputmake_table(&m, RAW_INPUT_HOW, how, sizeof *how, 1);
	if (context_count)
		inputmake_table(&m, RAW_INPUT_CONTEXTS, contexts, sizeof *contexts, context_count);
	inputmake_table(&m, RAW_INPUT_POINTS, points, sizeof *points, point_count);
	struct raw_input_source sources[] = {{815, 1, 3}, {0, 1, 2}}; /* of a writer that nobody knows, too */
	inputmake_table(&m, RAW_INPUT_MATRIX, sources, sizeof *sources, 2);
	snprintf(to, sizeof to, "%s/1000.raw", folder);
	rawmake_write(&raw, to);
	rawmake_free(&raw);
}

static inline struct raw_input_point point(uint64_t routine, uint64_t size, uint64_t cost)
{
	return (struct raw_input_point){.routine = routine,
	                                .metrics = INPUTMAKE_ALL,
	                                .size = size,
	                                .size_sum = size,
	                                .calls = 1,
	                                .cost_min = cost,
	                                .cost_max = cost,
	                                .cost_sum = cost,
	                                .cost_outermost = cost,
	                                .self_sum = cost};
}

#endif
