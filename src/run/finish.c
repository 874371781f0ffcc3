/* SPDX-License-Identifier: MIT */
#include "run/finish.h"

#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include "run/session_folder.h"

/* What Skein says must not get into a pipe that the subject writes to. A test suite that reads what its program writes to
 * standard error asks for --quiet: then there is no such place. */
FILE *finish_talk(const struct record *r)
{
	if (r->quiet || r->is_silent)
		return NULL;
	return isatty(STDOUT_FILENO) && !r->is_part ? stdout : stderr; /* launchers give ranks a terminal for standard output */
}

/* What daemons of several copies have done so far cannot be compared. */
int finish_wait_for_user(const struct record *r, long running)
{
	struct fail why;
	fail_set(
		&why, FAIL_INTERNAL,
		"process %ld of a copy is still running, so copies cannot be compared yet: when all have ended, run `skein recover %.400s`",
		running, r->folder);
	return fail_print("skein", &why);
}

/* A full disk is noticed when the recording is written. */
void finish_note(const struct record *r, const struct launch_end *end)
{
	struct pool pool = {0};
	struct session_setting ended[] = {
		{SESSION_STOPPED, end->was_timed ? "1" : "0"},
		{SESSION_EXIT_CODE, pool_print(&pool, "%d", end->code)},
	};
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
	session_plan_append(ended, end->signal ? 1 : 2, r->folder, &unsaid);
	session_plan_append(switched, end->switched.is_allowed ? 2 : 0, r->folder, &unsaid);
	session_plan_append(seen, end->seen.is_allowed ? 2 : 0, r->folder, &unsaid);
	session_plan_append(known, end->times.ran_ns ? 8 : end->lasted_ns ? 5 : 1, r->folder, &unsaid);
	pool_free(&pool);
}

/* A run that could not be stored. Its raw recordings stay, if there are any. */
int finish_failed(const struct record *r, const struct launch_end *end, bool keep, const struct fail *reason)
{
	struct fail why;
	bool differ = r->copies.count > 1 && reason->status == FAIL_CANNOT_RUN;
	if (session_folder_has_recordings(r->folder) && !differ)
		fail_set(&why, FAIL_INTERNAL, "%.500s; the raw recording is kept: when that is solved, run `skein recover %.400s`",
		         reason->text, r->folder);
	else {
		if (!differ || !keep)
			session_folder_remove(r->folder);
		why = *reason;
	}
	fail_print("skein", &why);
	if (differ)
		return why.status;
	if (end->signal || end->code)
		return launch_pass_on(end);
	return FAIL_INTERNAL;
}

void finish_say_running(const struct record *r, long running)
{
	FILE *talk = finish_talk(r);
	if (running && talk)
		fprintf(talk,
		        "Process %ld of the program is still running. When it has ended, run `skein recover` with that folder to record all of it.\n",
		        running);
}

/* Signals are held since the run began. Those that came meanwhile are the end of the series; the next run must not inherit that they
 * are held. */
bool finish_take_signals(const sigset_t *before)
{
	sigset_t ends;
	bool any = false;
	int number;
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGQUIT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigaddset(&ends, SIGUSR2); /* a snapshot, of a run that has ended */
	while ((number = sigtimedwait(&ends, NULL, &(struct timespec){0})) > 0)
		any |= number != SIGUSR2;
	launch_give_signals_back(before);
	signal(SIGXFSZ, SIG_IGN); /* as in main */
	return any;
}
