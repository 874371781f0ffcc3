/* SPDX-License-Identifier: MIT */
/* cmd_look.c: skein look. Runs the program under one lens after another, then prints what they say together.
 *
 * The first run is the program's run: it has our streams, its changes of files stay, and its exit status is ours. The others are for
 * the lenses alone: what they print goes nowhere, and what they change in the working folder goes with them, where the kernel allows that.
 * A lens that cannot be recorded is left out, and the others are recorded all the same. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/folder.h"
#include "base/text.h"
#include "cli/commands.h"
#include "report/overview/overview.h"
#include "run/apart.h"
#include "run/copies/folder.h"
#include "run/finish.h"
#include "run/look/plan.h"
#include "run/look/spare.h"
#include "run/repeat/again.h"
#include "run/session_folder.h"

enum { MOST_SECONDS = 100000000 };

struct look {
	const struct arguments *a;
	char recording[PATH_MAX];
	struct again input;
	sigset_t before;
	uint64_t budget_ns, began_ns, limit_ns;
	uint64_t wall_ns, cpu_ns; /* of the first run */
	bool is_shared;           /* all runs change the working folder */
	bool is_over;             /* no further run */
	size_t runs, stored;
	struct launch_end end; /* of the first run */
	int status;            /* of a run that could not be stored, or 0 */
	struct fail reason;    /* why the first lens that could not be recorded was not */
	struct left_out {
		const char *lenses, *reason;
	} left[OVERVIEW_LENSES];
	size_t left_count;
	struct pool pool;
};

static FILE *where_to_talk(const struct look *l)
{
	return finish_talk(&(struct record){.quiet = arguments_has(l->a, OPTION_QUIET)});
}

static uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- before the runs ---- */

static int read_look(struct look *l, const struct arguments *a, struct fail *why)
{
	const char *output = arguments_value(a, OPTION_OUTPUT);
	long seconds;
	struct subject subject;
	l->a = a;
	l->is_shared = arguments_has(a, OPTION_SHARED_FOLDER);
	if (!a->program)
		return fail_set(why, FAIL_USAGE, "look needs a program: skein look -- PROGRAM");
	if (arguments_time(a, OPTION_BUDGET, &l->budget_ns, why) < 0 ||
	    arguments_number(a, OPTION_FOR, 0, 1, MOST_SECONDS, &seconds, why) < 0 || subject_open(&subject, a->program[0], why) < 0)
		return -1;
	l->limit_ns = (uint64_t)seconds * 1000000000u;
	if (output)
		snprintf(l->recording, sizeof l->recording, "%s", output);
	else
		session_default_output(subject.path, l->recording);
	subject_close(&subject);
	return *l->recording ? store_check_target(l->recording, why) : fail_set(why, FAIL_USAGE, "-o needs the name of a file");
}

/* Whether the lens can be recorded of this program; the subject stays open. */
static int prepare(const struct look *l, const struct look_plan *plan, struct record *r, struct fail *why)
{
	*r = (struct record){.lens = run_lens_find(plan->lens), .argv = l->a->program, .limit_ns = l->limit_ns, .parallel = true};
	r->verbose = arguments_has(l->a, OPTION_VERBOSE);
	r->quiet = arguments_has(l->a, OPTION_QUIET);
	snprintf(r->recording, sizeof r->recording, "%s", l->recording);
	r->session.period_us = 1000;
	if (subject_open(&r->subject, r->argv[0], why) < 0 || r->lens->plan(l->a, &r->pass, &r->session, why) < 0 ||
	    (r->lens->plan_for && r->lens->plan_for(l->a, &r->subject, &r->pass, why) < 0) || copies_read(&r->copies, l->a, why) < 0)
		return -1;
	return plan->relinks ? subject_can_relink(&r->subject, plan->lens, false, why) : subject_can_preload(&r->subject, plan->lens, why);
}

static void forget(struct record *r)
{
	strv_free(&r->pass);
	strv_free(&r->tool);
	copies_free(&r->copies);
	session_plan_free(&r->session);
	subject_close(&r->subject);
}

static size_t count_fitting(const struct look *l)
{
	size_t count = 0;
	for (size_t i = 0; i < look_plan_count; i++) {
		struct record r = {.guard = {-1}};
		struct fail unsaid;
		count += prepare(l, &look_plan[i], &r, &unsaid) == 0;
		forget(&r);
	}
	return count;
}

/* What happens to files, in one line, before anything runs. */
static int say_beforehand(struct look *l, struct fail *reason)
{
	struct fail why;
	size_t count = count_fitting(l);
	char *here = folder_here(reason), session[PATH_MAX] = "";
	if (!here || session_folder_make(l->recording, session, reason) < 0) {
		free(here);
		return -1;
	}
	if (!l->is_shared && copies_folder_check(here, session, &why) < 0)
		l->is_shared = true;
	else
		snprintf(why.text, sizeof why.text, "--shared-folder");
	session_folder_remove(session);
	free(here);
	if (arguments_has(l->a, OPTION_QUIET) || count < 2)
		return 0;
	if (l->is_shared)
		fail_note("skein", "the program runs up to %zu times, and each run changes files in this folder (%.300s)", count, why.text);
	else
		fail_note("skein", "the program runs up to %zu times; only what the first run changes in this folder stays", count);
	return 0;
}

/* ---- one lens ---- */

/* Lenses that are left out for one reason are told together: "Left out: calls, paths (…)." */
static void leave_out(struct look *l, const char *lens, const char *reason)
{
	struct left_out *last = l->left_count ? &l->left[l->left_count - 1] : NULL;
	if (last && strcmp(last->reason, reason) == 0)
		last->lenses = pool_print(&l->pool, "%s, %s", last->lenses, lens);
	else if (l->left_count < sizeof l->left / sizeof *l->left)
		l->left[l->left_count++] = (struct left_out){lens, pool_text(&l->pool, reason)};
}

static bool is_affordable(struct look *l, const struct look_plan *plan)
{
	uint64_t estimate = look_estimate(plan, l->wall_ns, l->cpu_ns), spent = now_ns() - l->began_ns;
	if (!l->runs || look_fits(l->budget_ns, spent, estimate))
		return true;
	leave_out(l, plan->lens,
	          pool_print(&l->pool, "it takes about %s, and --budget %s has %s left", text_ns(&l->pool, (double)estimate),
	                     arguments_value(l->a, OPTION_BUDGET),
	                     text_ns(&l->pool, (double)(spent < l->budget_ns ? l->budget_ns - spent : 0))));
	return false;
}

static void store(struct look *l, const struct record *r)
{
	struct fail reason;
	struct apart made;
	FILE *talk = where_to_talk(l);
	long running = session_folder_user(r->folder);
	if (session_store(r->folder, r->recording, running != 0, &made, &reason) < 0) {
		l->status = finish_failed(r, &(struct launch_end){0}, false, &reason);
		l->is_over = true;
		return;
	}
	l->stored++;
	if (talk && *made.aside)
		fprintf(talk, "The earlier recording, of another build, is kept in %s.\n", escape_plain(&l->pool, made.aside));
	finish_say_running(r, running);
}

static void take_end(struct look *l, const struct launch_end *end)
{
	if (!l->runs++) {
		l->end = *end;
		l->wall_ns = end->lasted_ns;
		l->cpu_ns = end->user_ns + end->system_ns;
	}
	l->is_over |= end->interrupted || end->signal == SIGINT || end->signal == SIGQUIT;
}

static int run_in(struct look *l, struct record *r, struct launch_end *end, struct fail *why)
{
	struct spare spare;
	bool has_spare = l->runs && !l->is_shared;
	r->mute = l->runs > 0;
	if (has_spare && spare_open(&spare, r->folder, why) < 0)
		return -1;
	r->spare = has_spare ? &spare : NULL;
	int result = record_run(r, end, why);
	if (has_spare)
		spare_close(&spare);
	return result;
}

static void look_through(struct look *l, const struct look_plan *plan)
{
	struct record r = {.guard = {-1}};
	struct launch_end end = {0};
	struct fail why;
	bool is_ready = prepare(l, plan, &r, &why) == 0;
	if (is_ready && !is_affordable(l, plan)) {
		forget(&r);
		return;
	}
	int result = is_ready && again_begin(&l->input, &why) == 0 && session_folder_make(r.recording, r.folder, &why) == 0 ? 0 : -1;
	if (result == 0 && r.verbose)
		fail_note("skein", "run %zu: %s", l->runs + 1, plan->lens);
	if (result == 0)
		result = run_in(l, &r, &end, &why);
	if (result == 0) {
		finish_note(&r, &end);
		take_end(l, &end);
		l->is_over |= finish_take_signals(&l->before);
		store(l, &r);
		l->is_over |= finish_take_signals(&l->before);
	} else {
		if (*r.folder)
			session_folder_remove(r.folder);
		if (!l->reason.status)
			l->reason = why;
		leave_out(l, plan->lens, why.text);
	}
	forget(&r);
}

/* ---- all of it ---- */

static int tell(struct look *l, struct fail *why)
{
	FILE *talk = where_to_talk(l);
	struct overview overview;
	if (!talk || !l->stored)
		return 0;
	struct store *recording = store_open(l->recording, why);
	if (!recording || overview_make(recording, &overview, why) < 0) {
		store_close(recording);
		return -1;
	}
	fputc('\n', talk);
	overview_text(&overview, talk, report_width(talk), report_colour(talk));
	for (size_t i = 0; i < l->left_count; i++)
		out_wrapped(talk, "", pool_print(&l->pool, "Left out: %s (%s).", l->left[i].lenses, l->left[i].reason), report_width(talk));
	fprintf(talk, "\nRecorded in %s; see `skein report --help` for more views.\n", escape_plain(&l->pool, l->recording));
	overview_free(&overview);
	store_close(recording);
	return 0;
}

static int look_all(struct look *l, struct fail *why)
{
	struct fail unsaid;
	l->began_ns = now_ns();
	for (size_t i = 0; i < look_plan_count && !l->is_over; i++)
		look_through(l, &look_plan[i]);
	if (!l->runs) {
		*why = l->reason;
		return -1;
	}
	if (l->is_over && l->runs < look_plan_count && !arguments_has(l->a, OPTION_QUIET))
		fail_note("skein", "stopped after %zu run%s", l->runs, text_s(l->runs));
	if (tell(l, l->status ? &unsaid : why) < 0 && !l->status)
		return -1;
	return l->end.signal || l->end.code ? launch_pass_on(&l->end) : l->status;
}

int cmd_look(const struct arguments *a, struct fail *why)
{
	struct look l = {0};
	sigprocmask(SIG_BLOCK, NULL, &l.before);
	int status = read_look(&l, a, why);
	if (status == 0)
		status = say_beforehand(&l, why);
	if (status == 0)
		status = again_open(&l.input, why) < 0 ? -1 : look_all(&l, why);
	pool_free(&l.pool);
	return status;
}
