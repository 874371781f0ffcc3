/* SPDX-License-Identifier: MIT */
/* cmd_record.c: skein record. Reads what was asked for, runs the program (run/record.h), stores what it left.
 *
 * Everything that can fail is tried before the program runs: the program, the place for the recording, the re-link.
 * Afterwards the program's own end counts more than ours: if the recording cannot be written, the raw session stays,
 * and we say where; our exit status is then 125 only where the program's was 0. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"
#include "cli/commands.h"
#include "run/apart.h"
#include "run/attach/record.h"
#include "run/finish.h"
#include "run/ranks/choice.h"
#include "run/ranks/part.h"
#include "run/record.h"
#include "run/repeat/again.h"
#include "run/repeat/series.h"
#include "run/session_folder.h"
#include "store/repeats.h"

/* ---- before the run ---- */

/* One of the two programs that may be recorded in turns. */
struct side {
	char **argv;
	char recording[PATH_MAX]; /* "": to be chosen */
	char file[PATH_MAX];      /* the same, or the part of this rank */
	bool is_silent;           /* another rank tells */
	struct apart made;        /* of its last run that was stored */
	bool is_stored;
};

static int choose_recording(const struct arguments *a, const struct subject *subject, struct side *side, struct fail *why)
{
	const char *output = arguments_value(a, OPTION_OUTPUT);
	if (!*side->recording && output)
		snprintf(side->recording, sizeof side->recording, "%s", output);
	else if (!*side->recording)
		session_default_output(subject->path, side->recording);
	return *side->recording ? 0 : fail_set(why, FAIL_USAGE, "-o needs the name of a file");
}

/* What is known of the rank goes into its recording. */
static void note_rank(struct session_plan *plan, const struct rank *me)
{
	if (me->rank >= 0) {
		session_plan_set(plan, SESSION_RANK, pool_print(&plan->pool, "%" PRId64, me->rank));
		session_plan_set(plan, SESSION_RANKS, pool_print(&plan->pool, "%" PRId64, me->ranks));
	}
	if (me->task >= 0)
		session_plan_set(plan, SESSION_TASK, pool_print(&plan->pool, "%" PRId64, me->task));
	session_plan_set(plan, SESSION_JOB, me->job);
	session_plan_set(plan, SESSION_NODE, me->node);
	session_plan_set(plan, SESSION_LAUNCHER, me->launcher);
}

/* Ranks that are not bound to cores share those of their node: cores that another rank uses are not idle. */
static void share_cores(struct session_plan *plan, const struct rank *me)
{
	cpu_set_t mask;
	const char *now = session_plan_setting(plan, SESSION_CORES);
	long quota = *now ? strtol(now, NULL, 10) : 0, cores;
	if (!*now || me->locals < 2 || sched_getaffinity(0, sizeof mask, &mask) < 0 || CPU_COUNT(&mask) < sysconf(_SC_NPROCESSORS_ONLN))
		return;
	cores = CPU_COUNT(&mask) / me->locals;
	cores = cores < 1 ? 1 : cores;
	if (quota == 0 || cores < quota)
		session_plan_put(plan, SESSION_CORES, pool_print(&plan->pool, "%ld", cores));
}

/* A rank that is alone has a recording like any other program. */
static int choose_part(const struct arguments *a, struct record *r, struct side *side, struct fail *why)
{
	const char *list = arguments_value(a, OPTION_RANKS);
	rank_find(&r->rank);
	r->is_part = rank_has_part(&r->rank);
	r->is_silent = r->is_part && r->rank.rank > 0 && (!list || choice_first(list, r->rank.ranks) != r->rank.rank);
	snprintf(r->recording, sizeof r->recording, "%s", side->recording);
	side->is_silent = r->is_silent;
	if (r->is_part) {
		note_rank(&r->session, &r->rank);
		share_cores(&r->session, &r->rank);
		if (part_name(side->recording, &r->rank, r->parts, r->recording, why) < 0)
			return -1;
	}
	snprintf(side->file, sizeof side->file, "%s", r->recording);
	return store_check_target(r->recording, why);
}

static int read_arguments(const struct arguments *a, struct side *side, struct record *r, struct fail *why)
{
	if (a->word_count == 0)
		return fail_set(why, FAIL_USAGE, "record needs a lens and a program: skein record calls -- PROGRAM");
	r->lens = run_lens_find(a->words[0]);
	if (!r->lens)
		return lens_unknown(a->words[0], why);
	if (!a->program)
		return fail_set(why, FAIL_USAGE, "record needs a program: skein record %s -- PROGRAM", r->lens->lens->name);
	r->argv = side->argv;
	r->verbose = arguments_has(a, OPTION_VERBOSE);
	r->quiet = arguments_has(a, OPTION_QUIET);
	r->outlives = arguments_has(a, OPTION_OUTLIVE);
	r->parallel = !arguments_has(a, OPTION_SERIAL);
	r->under_tool = r->lens->tool_options && r->lens->tool_options(a, &r->tool);
	long period_us;
	if (arguments_fit_lens(a, r->lens->lens->name, why) < 0 || r->lens->plan(a, &r->pass, &r->session, why) < 0 ||
	    arguments_number(a, OPTION_PERIOD, 1000, 50, 10000000, &period_us, why) < 0 || subject_open(&r->subject, r->argv[0], why) < 0 ||
	    (r->lens->plan_for && r->lens->plan_for(a, &r->subject, &r->pass, why) < 0))
		return -1;
	r->session.period_us = (uint64_t)period_us;
	if (copies_read(&r->copies, a, why) < 0 || arguments_seconds(a, OPTION_FOR, &r->limit_ns, why) < 0)
		return -1;
	if (r->limit_ns && r->copies.count > 1)
		return fail_set(why, FAIL_USAGE, "--for cannot be used with --copies: copies must all do the same");
	return choose_recording(a, &r->subject, side, why) < 0 ? -1 : choose_part(a, r, side, why);
}

static void forget(struct record *r)
{
	strv_free(&r->pass);
	strv_free(&r->tool);
	copies_free(&r->copies);
	session_plan_free(&r->session);
	subject_close(&r->subject);
}

/* ---- the run ---- */

static int make_session(struct record *r, struct fail *why)
{
	return r->is_part ? part_session(r->recording, r->folder, why) : session_folder_make(r->recording, r->folder, why);
}

static int store(const struct record *r, bool keep, struct apart *made, struct fail *why)
{
	return r->is_part ? part_store(r->folder, r->recording, keep, made, why) : session_store(r->folder, r->recording, keep, made, why);
}

static int store_and_tell(struct record *r, bool keep, struct fail *why)
{
	struct apart made;
	struct pool pool = {0};
	FILE *talk = finish_talk(r);
	int result = store(r, keep, &made, why);
	part_guard_end(&r->guard);
	if (result == 0 && talk)
		result = session_tell(r->recording, &made, keep ? r->folder : NULL, talk, why);
	if (result == 0 && talk && r->is_part)
		fprintf(talk, "All ranks record into %s; when the job has ended, `skein report %s` compares them.\n",
		        escape_plain(&pool, r->parts), escape_plain(&pool, r->parts));
	pool_free(&pool);
	return result;
}

static int finish(struct record *r, const struct launch_end *end, bool keep)
{
	struct fail reason;
	long running = session_folder_user(r->folder);
	if (running && r->copies.count > 1)
		return finish_wait_for_user(r, running);
	if (store_and_tell(r, keep || running, &reason) < 0)
		return finish_failed(r, end, keep, &reason);
	finish_say_running(r, running);
	return launch_pass_on(end);
}

static int run_guarded(struct record *r, struct launch_end *end, struct fail *why)
{
	if (r->is_part)
		r->guard = part_guard(r->folder, r->recording);
	return record_run(r, end, why);
}

/* Links ahead of a job, whose ranks then find everything in the cache. */
static int prepare(const struct arguments *a, struct fail *why)
{
	struct side side = {.argv = a->program};
	struct record r = {.guard = {-1}};
	int result = read_arguments(a, &side, &r, why);
	if (result == 0)
		result = record_prepare(&r, why);
	if (result == 0 && !r.quiet)
		fail_note("skein", "%s is ready to be recorded by the lens %s", r.argv[0], r.lens->lens->name);
	forget(&r);
	return result;
}

/* A rank that is not chosen is the program itself, as if skein had not been named. */
static int run_natively(char **argv, struct fail *why)
{
	execvp(argv[0], argv);
	return fail_set(why, errno == ENOENT ? FAIL_NOT_FOUND : FAIL_CANNOT_RUN, "cannot run %s: %s", argv[0], strerror(errno));
}

/* Whether this rank is to be recorded. A program that no launcher numbered is rank 0. */
static int is_chosen(const struct arguments *a, bool *chosen, struct fail *why)
{
	const char *list = arguments_value(a, OPTION_RANKS);
	struct rank me;
	*chosen = true;
	if (!list)
		return 0;
	rank_find(&me);
	return choice_has(list, me.rank < 0 ? me.task < 0 ? 0 : me.task : me.rank, chosen, why);
}

static int record_once(const struct arguments *a, struct fail *why)
{
	struct side side = {.argv = a->program};
	struct record r = {.guard = {-1}};
	struct launch_end end = {0};
	int status;
	if (read_arguments(a, &side, &r, why) < 0 || make_session(&r, why) < 0) {
		status = -1;
	} else if (run_guarded(&r, &end, why) < 0) {
		session_folder_remove(r.folder);
		part_guard_end(&r.guard);
		status = -1;
	} else {
		finish_note(&r, &end);
		status = finish(&r, &end, arguments_has(a, OPTION_KEEP_RAW));
	}
	part_guard_end(&r.guard);
	forget(&r);
	return status;
}

/* ---- several runs ---- */

struct many {
	const struct arguments *a;
	long runs, warmups;
	unsigned sides;
	struct side side[SERIES_SIDES];
	char **other_argv; /* of the other program */
	struct again input;
	int64_t number; /* of the series */
	sigset_t before;
	struct launch_end end; /* of the first run that failed, or of the last one */
	bool has_failed;
	bool is_over; /* no further run */
	int status;   /* of a run that could not be stored, or 0 */
};

static int read_many(struct many *m, const struct arguments *a, struct fail *why)
{
	const char *against = arguments_value(a, OPTION_AGAINST);
	m->a = a;
	m->sides = against ? 2 : 1;
	if (arguments_number(a, OPTION_REPEAT, 1, 1, REPEATS_MOST, &m->runs, why) < 0 ||
	    arguments_number(a, OPTION_WARMUP, 0, 0, REPEATS_MOST, &m->warmups, why) < 0)
		return -1;
	m->side[0].argv = a->program;
	if (!against || !a->program)
		return 0;
	size_t count = 0;
	while (a->program[count])
		count++;
	m->other_argv = memory_zeroed(count + 1, sizeof *m->other_argv);
	memcpy(m->other_argv, a->program, count * sizeof *m->other_argv);
	m->other_argv[0] = (char *)(uintptr_t)against; /* exec's strings are only read */
	m->side[1].argv = m->other_argv;
	return 0;
}

/* FILE.skein is of the one program, FILE.against.skein of the other. */
static int name_other(struct many *m, struct fail *why)
{
	const char *mine = m->side[0].recording;
	size_t stem = strlen(mine) - (str_ends(mine, ".skein") ? strlen(".skein") : 0);
	int length = snprintf(m->side[1].recording, sizeof m->side[1].recording, "%.*s.against.skein", (int)stem, mine);
	return length < (int)sizeof m->side[1].recording
		? 0
		: fail_set(why, FAIL_INTERNAL, "the path of the recording is too long: choose a shorter one with -o");
}

static bool is_same_file(const char *a, const char *b)
{
	struct stat one, other;
	return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* The second run would find the first one in the place of its plan. */
static int check_plan(const struct many *m, const struct side *side, struct fail *why)
{
	const char *plan = arguments_value(m->a, OPTION_PLAN);
	if (!plan || !is_same_file(plan, side->recording))
		return 0;
	return fail_set(why, FAIL_USAGE, "the first run would replace %.300s, which is the plan: choose another file with -o", plan);
}

/* What can fail is tried for both programs before one of them runs. */
static int try_all(struct many *m, struct fail *why)
{
	for (unsigned s = 0; s < m->sides; s++) {
		struct record r = {.guard = {-1}};
		int result = s ? name_other(m, why) : 0;
		if (result == 0)
			result = read_arguments(m->a, &m->side[s], &r, why);
		if (result == 0)
			result = check_plan(m, &m->side[s], why);
		forget(&r);
		if (result < 0)
			return -1;
	}
	return 0;
}

static void store_run(struct many *m, const struct record *r, const struct series_step *step)
{
	struct side *side = &m->side[step->side];
	struct fail reason;
	bool keep = arguments_has(m->a, OPTION_KEEP_RAW);
	long running = session_folder_user(r->folder);
	FILE *talk = finish_talk(r);
	if (running && r->copies.count > 1) {
		m->status = finish_wait_for_user(r, running);
	} else if (store(r, keep || running, &side->made, &reason) < 0) {
		m->status = finish_failed(r, &(struct launch_end){0}, keep, &reason);
	} else {
		side->is_stored = true;
		if (talk && (keep || running))
			fprintf(talk, "The raw recordings of run %u are in %s.\n", step->turn, r->folder);
		finish_say_running(r, running);
	}
	m->is_over |= m->status != 0;
}

static void take_end(struct many *m, const struct launch_end *end)
{
	bool failed = !end->was_timed && (end->signal || end->code);
	if (!m->has_failed)
		m->end = *end;
	m->has_failed |= failed;
	m->is_over |= end->interrupted || end->signal == SIGINT || end->signal == SIGQUIT;
}

static int run_step(struct many *m, const struct series_step *step, struct fail *why)
{
	struct record r = {.guard = {-1}};
	struct launch_end end = {0};
	int result = -1;
	if (again_begin(&m->input, why) == 0 && read_arguments(m->a, &m->side[step->side], &r, why) == 0 && make_session(&r, why) == 0) {
		struct pool *pool = &r.session.pool;
		if (step->turn) {
			session_plan_put(&r.session, SESSION_SERIES, pool_print(pool, "%" PRId64, m->number));
			session_plan_put(&r.session, SESSION_TURN, pool_print(pool, "%u", step->turn));
		}
		if (r.verbose && step->turn)
			fail_note("skein", "run %u of %ld: %s", step->turn, m->runs, r.argv[0]);
		else if (r.verbose)
			fail_note("skein", "warm-up, which is not recorded: %s", r.argv[0]);
		result = record_run(&r, &end, why);
		if (result == 0)
			finish_note(&r, &end);
		if (result == 0)
			take_end(m, &end);
		m->is_over |= finish_take_signals(&m->before);
		if (result == 0 && step->turn)
			store_run(m, &r, step);
		else
			session_folder_remove(r.folder);
		m->is_over |= finish_take_signals(&m->before);
	}
	forget(&r);
	return result;
}

static int tell_all(const struct many *m, struct fail *why)
{
	struct pool pool = {0};
	const struct side *one = &m->side[0], *other = &m->side[1];
	bool is_part = strcmp(one->file, one->recording) != 0;
	FILE *talk = arguments_has(m->a, OPTION_QUIET) || one->is_silent ? NULL : isatty(STDOUT_FILENO) && !is_part ? stdout : stderr;
	int result = 0;
	if (talk && one->is_stored)
		result = session_tell(one->file, &one->made, NULL, talk, why);
	if (talk && other->is_stored)
		fprintf(talk, "The runs of %s are in %s.\n", escape_plain(&pool, other->argv[0]), escape_plain(&pool, other->file));
	pool_free(&pool);
	return result;
}

static int run_all(struct many *m, struct fail *why)
{
	size_t count, at = 0;
	int result = 0;
	struct series_step *steps = series_steps((unsigned)m->runs, (unsigned)m->warmups, m->sides, &count);
	while (at < count && result == 0 && !m->is_over)
		result = run_step(m, &steps[at++], why);
	if (at < count && result == 0 && !arguments_has(m->a, OPTION_QUIET))
		fail_note("skein", "stopped: %zu of %zu runs were not made", count - at, count);
	free(steps);
	return result;
}

static int record_many(struct many *m, struct fail *why)
{
	struct timespec now;
	struct fail unsaid;
	clock_gettime(CLOCK_REALTIME, &now);
	m->number = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	sigprocmask(SIG_BLOCK, NULL, &m->before);
	if (try_all(m, why) < 0 || again_open(&m->input, why) < 0)
		return -1;
	int result = run_all(m, why);
	if (tell_all(m, result < 0 ? &unsaid : why) < 0 && result == 0)
		result = -1;
	if (result < 0)
		return -1;
	return m->end.signal || m->end.code ? launch_pass_on(&m->end) : m->status;
}

int cmd_record(const struct arguments *a, struct fail *why)
{
	struct many m = {0};
	if (arguments_has(a, OPTION_PID))
		return attach_record(a, why);
	bool chosen;
	int status = is_chosen(a, &chosen, why) < 0 ? -1 : read_many(&m, a, why);
	if (status == 0 && !chosen && a->program)
		status = run_natively(a->program, why);
	else if (status == 0 && arguments_has(a, OPTION_PREPARE))
		status = prepare(a, why);
	else if (status == 0)
		status = m.runs > 1 || m.warmups || m.sides > 1 ? record_many(&m, why) : record_once(a, why);
	free(m.other_argv);
	return status;
}
