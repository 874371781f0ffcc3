/* SPDX-License-Identifier: MIT */
#include "run/copies/agree.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "run/copies/doubt.h"

static const char *times(struct pool *pool, uint64_t count)
{
	return count == 1 ? "once" : pool_print(pool, "%s times", text_count(pool, (int64_t)count));
}

/* Of the function that says most: one whose calls differ, rather than its paths. */
static const struct paths_differ *worst(const struct paths *paths)
{
	for (size_t i = 0; i < paths->differ_count; i++)
		if (paths->differs[i].first != paths->differs[i].other)
			return &paths->differs[i];
	return &paths->differs[0];
}

static size_t functions_that_differ(const struct paths *paths)
{
	size_t count = 0;
	for (size_t i = 0; i < paths->differ_count; i++)
		count += i == 0 || paths->differs[i].profile != paths->differs[i - 1].profile;
	return count;
}

static const char *what_differs(struct pool *pool, const struct paths *paths)
{
	const struct paths_differ *d = worst(paths);
	const struct run_routine *routine = &paths->run->routines[paths->profiles[d->profile].routine];
	size_t more = functions_that_differ(paths) - 1;
	const char *text = d->first == d->other ? pool_print(pool, "%.200s took different paths in different copies", routine->name)
						: pool_print(pool, "%.200s was called %s in copy 0, but %s in copy %" PRIu32, routine->name,
	                                                     times(pool, d->first), times(pool, d->other), d->copy);
	return more ? pool_print(pool, "%s, and %zu more function%s differ%s", text, more, more == 1 ? "" : "s", more == 1 ? "s" : "")
		    : text;
}

/* What the recording itself shows comes before what the program might do. */
static const char *likely_cause(struct pool *pool, const struct session *session)
{
	uint64_t threads = 0, unended = 0;
	for (size_t i = 0; i < session->process_count; i++) {
		threads = session->run.processes[i].threads > threads ? session->run.processes[i].threads : threads;
		unended += !session_is_finished(&session->processes[i]);
	}
	if (unended)
		return "they were stopped at different points; only a run with one copy can be stopped";
	if (threads > 1)
		return pool_print(pool, "it ran with %" PRIu64 " threads", threads);
	const char *causes = copies_doubt_causes(pool, &session->plan);
	if (strcmp(session_plan_setting(&session->plan, SESSION_INPUT), "pipe") == 0)
		return pool_print(pool, "%s%sits standard input is not a file and may arrive in different pieces each time", causes,
		                  *causes ? ", and " : "");
	return *causes ? pool_print(pool, "%s, or depends on addresses", causes)
		       : "it may depend on addresses, or on files outside its working folder";
}

int copies_agree(const struct paths *paths, const struct session *session, struct fail *why)
{
	struct pool pool = {0};
	if (paths->differ_count == 0)
		return 0;
	fail_set(why, FAIL_CANNOT_RUN, "copies of the program did not behave identically: %s; likely because %s: record with --copies 1",
	         what_differs(&pool, paths), likely_cause(&pool, session));
	pool_free(&pool);
	return -1;
}
