/* SPDX-License-Identifier: MIT */
/* cmd_record.c: skein record. Reads what was asked for, runs the program (run/record.h), stores what it left.
 *
 * Everything that can fail is tried before the program runs: the program, the place for the recording, the re-link.
 * Afterwards the program's own end counts more than ours: if the recording cannot be written, the raw session stays,
 * and we say where; our exit status is then 125 only where the program's was 0. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "run/record.h"
#include "run/session_folder.h"

enum { MOST_SECONDS = 100000000 };

/* ---- before the run ---- */

static int read_arguments(const struct arguments *a, struct record *r, struct fail *why)
{
	if (a->word_count == 0)
		return fail_set(why, FAIL_USAGE, "record needs a lens and a program: skein record calls -- PROGRAM");
	r->lens = run_lens_find(a->words[0]);
	if (!r->lens)
		return lens_unknown(a->words[0], why);
	if (!a->program)
		return fail_set(why, FAIL_USAGE, "record needs a program: skein record %s -- PROGRAM", r->lens->lens->name);
	r->argv = a->program;
	r->verbose = arguments_has(a, OPTION_VERBOSE);
	r->quiet = arguments_has(a, OPTION_QUIET);
	r->outlives = arguments_has(a, OPTION_OUTLIVE);
	r->parallel = !arguments_has(a, OPTION_SERIAL);
	r->under_tool = r->lens->tool_options && r->lens->tool_options(a, &r->tool);
	long period_us, seconds;
	if (arguments_fit_lens(a, r->lens->lens->name, why) < 0 || r->lens->plan(a, &r->pass, &r->session, why) < 0 ||
	    arguments_number(a, OPTION_PERIOD, 1000, 50, 10000000, &period_us, why) < 0 || subject_open(&r->subject, r->argv[0], why) < 0 ||
	    (r->lens->plan_for && r->lens->plan_for(a, &r->subject, &r->pass, why) < 0))
		return -1;
	r->session.period_us = (uint64_t)period_us;
	if (copies_read(&r->copies, a, why) < 0 || arguments_number(a, OPTION_FOR, 0, 1, MOST_SECONDS, &seconds, why) < 0)
		return -1;
	if (seconds && r->copies.count > 1)
		return fail_set(why, FAIL_USAGE, "--for cannot be used with --copies: copies must all do the same");
	r->limit_ns = (uint64_t)seconds * 1000000000u;
	const char *output = arguments_value(a, OPTION_OUTPUT);
	if (output)
		snprintf(r->recording, sizeof r->recording, "%s", output);
	else
		session_default_output(r->subject.path, r->recording);
	return *r->recording ? store_check_target(r->recording, why) : fail_set(why, FAIL_USAGE, "-o needs the name of a file");
}

/* ---- the run ---- */

/* What Skein says must not get into a pipe that the subject writes to. A test suite that reads what its program writes to
 * standard error asks for --quiet: then there is no such place. */
static FILE *where_to_talk(const struct record *r)
{
	return r->quiet ? NULL : isatty(STDOUT_FILENO) ? stdout : stderr;
}

/* What daemons of several copies have done so far cannot be compared. */
static int wait_for_user(const struct record *r, long running)
{
	struct fail why;
	fail_set(
		&why, FAIL_INTERNAL,
		"process %ld of a copy is still running, so copies cannot be compared yet: when all have ended, run `skein recover %.400s`",
		running, r->folder);
	return fail_print("skein", &why);
}

/* A full disk is noticed when the recording is written. */
static void note_end(const struct record *r, const struct launch_end *end)
{
	struct pool pool = {0};
	struct session_setting known[] = {
		{SESSION_DIED_OF, pool_print(&pool, "%d", end->signal)},
		{SESSION_LASTED_NS, pool_print(&pool, "%" PRIu64, end->lasted_ns)},
		{SESSION_USER_NS, pool_print(&pool, "%" PRIu64, end->user_ns)},
		{SESSION_SYSTEM_NS, pool_print(&pool, "%" PRIu64, end->system_ns)},
		{SESSION_FAULTS, pool_print(&pool, "%" PRIu64, end->faults)},
		{SESSION_RAN_NS, pool_print(&pool, "%" PRIu64, end->times.ran_ns)},
		{SESSION_WANTED_NS, pool_print(&pool, "%" PRIu64, end->times.wanted_ns)},
		{SESSION_CROWD_NS, pool_print(&pool, "%" PRIu64, end->times.crowd_ns)},
	};
	struct session_setting seen[] = {
		{SESSION_SAMPLES, pool_print(&pool, "%" PRIu64, end->seen.all)},
		{SESSION_HOOK_SAMPLES, pool_print(&pool, "%" PRIu64, end->seen.own)},
	};
	struct session_setting switched[] = {
		{SESSION_SWITCHES, pool_print(&pool, "%" PRIu64, end->switched.count)},
		{SESSION_SWITCHES_LOST, pool_print(&pool, "%" PRIu64, end->switched.lost)},
	};
	struct fail unsaid;
	session_plan_append(switched, end->switched.is_allowed ? 2 : 0, r->folder, &unsaid);
	session_plan_append(seen, end->seen.is_allowed ? 2 : 0, r->folder, &unsaid);
	session_plan_append(known, end->times.ran_ns ? 8 : end->lasted_ns ? 5 : 1, r->folder, &unsaid);
	pool_free(&pool);
}

static int finish(const struct record *r, const struct launch_end *end, bool keep)
{
	struct fail why, reason;
	long running = session_folder_user(r->folder);
	if (running && r->copies.count > 1)
		return wait_for_user(r, running);
	FILE *talk = where_to_talk(r);
	if (session_finish(r->folder, r->recording, keep || running, talk, &reason) == 0) {
		if (running && talk)
			fprintf(talk,
			        "Process %ld of the program is still running. When it has ended, run `skein recover` with that folder to record all of it.\n",
			        running);
		return launch_pass_on(end);
	}
	bool differ = r->copies.count > 1 && reason.status == FAIL_CANNOT_RUN;
	if (session_folder_has_recordings(r->folder) && !differ)
		fail_set(&why, FAIL_INTERNAL, "%.500s; the raw recording is kept: when that is solved, run `skein recover %.400s`",
		         reason.text, r->folder);
	else {
		if (!differ || !keep)
			session_folder_remove(r->folder);
		why = reason;
	}
	fail_print("skein", &why);
	if (differ)
		return why.status;
	if (end->signal || end->code)
		return launch_pass_on(end);
	return FAIL_INTERNAL;
}

int cmd_record(const struct arguments *a, struct fail *why)
{
	struct record r = {0};
	struct launch_end end = {0};
	int status;
	if (read_arguments(a, &r, why) < 0 || session_folder_make(r.recording, r.folder, why) < 0) {
		status = -1;
	} else if (record_run(&r, &end, why) < 0) {
		session_folder_remove(r.folder);
		status = -1;
	} else {
		note_end(&r, &end);
		status = finish(&r, &end, arguments_has(a, OPTION_KEEP_RAW));
	}
	strv_free(&r.pass);
	strv_free(&r.tool);
	copies_free(&r.copies);
	session_plan_free(&r.session);
	subject_close(&r.subject);
	return status;
}
