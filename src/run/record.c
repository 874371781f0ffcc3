/* SPDX-License-Identifier: MIT */
/* record.c: the ways to run a program under a lens: re-linked, as several re-linked copies, as it is or re-linked with a library of
 * ours in it, or as it is under Valgrind. */
#include "run/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyse/table.h"
#include "base/escape.h"
#include "base/locale.h"
#include "relink/relink.h"
#include "relink/spawns.h"
#include "run/copies/feed.h"
#include "run/preload.h"
#include "run/valgrind.h"

enum { MOST_COMMAND = 4000, MOST_FOREIGN = 20, MOST_PROGRESS = 70 };

/* ---- the line that says what is being done ---- */

/* Over the line before, which nothing in a program's name may leave. */
static void put_progress(const char *what)
{
	struct pool pool = {0};
	char *plain = escape_plain(&pool, what);
	size_t cut = strlen(plain);
	if (cut > MOST_PROGRESS)
		for (cut = MOST_PROGRESS; cut && (plain[cut] & 0xc0) == 0x80;) /* a character stays whole */
			cut--;
	plain[cut] = 0;
	fputs("\r\033[Kskein: ", stderr);
	locale_put(stderr, plain);
	pool_free(&pool);
}

static void show_progress(void *context, const char *what)
{
	struct record *r = context;
	if (r->verbose)
		fail_note("skein", "%s", what);
	else if (r->quiet)
		return;
	else if (isatty(STDERR_FILENO))
		put_progress(what);
	else if (!r->said_linking)
		fail_note("skein", "linking for %s, once", r->lens->lens->name);
	r->said_linking = true;
}

/* Of the ranks of a node one speaks. */
static void say_waiting(void *context)
{
	struct record *r = context;
	if (!r->quiet && (!r->is_silent || r->rank.local == 0))
		fail_note("skein", "waiting for another process, which links %s for %s", r->subject.path, r->lens->lens->name);
}

static void erase_progress(const struct record *r)
{
	if (!r->verbose && !r->quiet && isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

/* ---- the session file ---- */

/* The command as a person would type it, shortened if it is very long. */
static char *command_text(struct pool *pool, char **argv)
{
	char *text = pool_bytes(pool, MOST_COMMAND + 8);
	size_t at = 0;
	*text = 0;
	for (; *argv && at < MOST_COMMAND; argv++)
		at += (size_t)snprintf(text + at, MOST_COMMAND - at, "%s%s", at ? " " : "", *argv);
	if (at >= MOST_COMMAND)
		strcpy(text + MOST_COMMAND - 1, " …");
	return text;
}

static void add_foreign(struct session_plan *plan, const char *text)
{
	MEMORY_GROW(plan->foreign, plan->foreign_count, plan->foreign_room);
	plan->foreign[plan->foreign_count++] = text;
}

static int write_session(struct record *r, const char *folder, struct fail *why)
{
	struct session_plan *plan = &r->session;
	plan->lens = r->lens->lens->name;
	plan->command = command_text(&plan->pool, r->argv);
	session_plan_read_clocks(plan);
	return session_plan_write(plan, folder, why);
}

static void add_objects(struct record *r, const struct relink_result *linked)
{
	struct session_plan *plan = &r->session;
	for (size_t i = 0; i < linked->count; i++) {
		const struct relink_object *o = &linked->objects[i];
		MEMORY_GROW(plan->objects, plan->object_count, plan->object_room);
		plan->objects[plan->object_count++] = (struct session_object){o->native, o->relinked, o->table, o->build_id};
	}
}

static void take_linked(struct record *r, const struct relink_result *linked)
{
	struct session_plan *plan = &r->session;
	plan->native = linked->objects[0].native;
	plan->object_count = plan->foreign_count = 0;
	add_objects(r, linked);
	for (size_t i = 0; i < linked->foreign_count && i < MOST_FOREIGN; i++)
		add_foreign(plan, linked->foreign[i]);
	if (linked->foreign_count > MOST_FOREIGN)
		add_foreign(plan, pool_print(&plan->pool, "and %zu more", linked->foreign_count - MOST_FOREIGN));
}

static int write_plan(struct record *r, const struct relink_result *linked, const char *folder, struct fail *why)
{
	take_linked(r, linked);
	return write_session(r, folder, why);
}

/* ---- the run ---- */

/* A run of which nothing would be recorded is not worth the subject's time. */
static int something_is_profiled(const struct record *r, const struct relink_result *linked, struct fail *why)
{
	for (size_t i = 0; i < linked->count; i++) {
		struct table table;
		if (table_read(&table, linked->objects[i].table, why) < 0)
			return -1;
		size_t profiled = 0;
		for (size_t k = 0; k < table.routine_count; k++)
			profiled += !table.routines[k].unprofiled;
		table_free(&table);
		if (profiled)
			return 0;
	}
	return fail_set(
		why, FAIL_USAGE,
		"no routine of %s is left to profile: --only matches no routine, or --skip matches all (patterns match linkage names and files)",
		r->subject.path);
}

static struct relink_request request(struct record *r, const struct strv *plan)
{
	return (struct relink_request){.subject = &r->subject,
	                               .lens = r->lens->lens->name,
	                               .plan = (const char *const *)plan->at,
	                               .progress = show_progress,
	                               .waits = say_waiting,
	                               .context = r};
}

/* What the subject has in its environment besides ours: what the lens asks for, and the MPI wrapper if the program uses MPI. */
static int environment_of(struct record *r, struct strv *environment, struct fail *why)
{
	for (const char *const *e = r->lens->environment; e && *e; e++)
		strv_add(environment, *e);
	return preload_uses_mpi(r->subject.path, r->subject.loader, r->folder) ? preload_mpi(environment, why) : 0;
}

static int launch(struct record *r, const char *path, char **argv, const char *const *environment, struct launch_end *end, struct fail *why)
{
	struct switches switches;
	bool sees = r->lens->sees_switches && !*session_plan_setting(&r->session, SESSION_ORDER) &&
		!*session_plan_setting(&r->session, SESSION_ESTIMATES);
	subject_release(&r->subject);
	if (sees)
		switches_open(&switches, r->folder);
	if (sees && !switches.rings.count && session_plan_append(&(struct session_setting){SESSION_ESTIMATES, "1"}, 1, r->folder, why) < 0)
		return -1;
	struct launch launch = {.path = path,
	                        .argv = argv,
	                        .session_folder = r->folder,
	                        .environment = environment,
	                        .switches = sees ? &switches : NULL,
	                        .outlives = r->outlives,
	                        .limit_ns = r->limit_ns,
	                        .mute = r->mute,
	                        .spare = r->spare};
	return launch_run(&launch, end, why);
}

static int launch_watched(struct record *r, const struct relink_result *linked, const char *const *environment, struct launch_end *end,
                          struct fail *why)
{
	struct watch watch;
	watch_open(&watch);
	for (size_t i = 0; i < linked->count; i++)
		watch_file(&watch, linked->objects[i].relinked);
	subject_release(&r->subject);
	struct launch launch = {.path = linked->objects[0].relinked,
	                        .argv = r->argv,
	                        .session_folder = r->folder,
	                        .environment = environment,
	                        .watch = &watch,
	                        .outlives = r->outlives,
	                        .limit_ns = r->limit_ns,
	                        .mute = r->mute,
	                        .spare = r->spare};
	int result = launch_run(&launch, end, why);
	end->seen = watch_close(&watch);
	return result;
}

static int relink_and_run(struct record *r, struct launch_end *end, struct fail *why)
{
	struct relink_request ask = request(r, &r->pass);
	struct relink_result linked;
	struct strv environment = {0};
	int result = relink_program(&ask, &linked, why);
	erase_progress(r);
	if (result < 0)
		return -1;
	result = something_is_profiled(r, &linked, why);
	if (result == 0)
		result = write_plan(r, &linked, r->folder, why);
	if (result == 0)
		result = environment_of(r, &environment, why);
	if (result == 0) {
		const char *const *settings = (const char *const *)environment.at;
		if (r->verbose)
			fail_note("skein", "running %s", linked.objects[0].relinked);
		result = lens_traits(r->lens->lens->name) & LENS_HOOKS_ARE_WATCHED
			? launch_watched(r, &linked, settings, end, why)
			: launch(r, linked.objects[0].relinked, r->argv, settings, end, why);
	}
	strv_free(&environment);
	relink_result_free(&linked);
	return result;
}

/* Each has a session file of its own, since each has other tables. */
static int write_copies(struct record *r, const struct relink_result *linked, struct fail *why)
{
	int result = 0;
	for (size_t i = 0; i < r->copies.count && result == 0; i++) {
		char folder[PATH_MAX];
		copies_folder_of(r->folder, i, folder);
		if (i && mkdir(folder, 0700) < 0)
			return fail_set(why, FAIL_INTERNAL, "cannot create the folder %.600s: %s", folder, strerror(errno));
		session_plan_put(&r->session, SESSION_COPY, pool_print(&r->session.pool, "%zu", i));
		result = write_plan(r, &linked[i], folder, why);
	}
	return result;
}

static int run_copies(struct record *r, const struct relink_result *linked, struct launch_end *end, struct fail *why)
{
	const char *paths[COPIES_MOST];
	struct strv environment = {0};
	off_t unused;
	session_plan_set(&r->session, SESSION_INPUT, copies_feed_how(r->copies.count, &unused) == COPIES_FEED_PIPES ? "pipe" : "file");
	for (size_t i = 0; i < r->copies.count; i++)
		paths[i] = linked[i].objects[0].relinked;
	if (r->copies.count > 1 && !copies_can_fix_addresses())
		session_plan_set(&r->session, SESSION_NOTE,
		                 "addresses differ between copies, because the system does not let Skein turn off address randomisation");
	int result = something_is_profiled(r, &linked[0], why);
	if (result == 0)
		result = write_copies(r, linked, why);
	if (result == 0)
		result = environment_of(r, &environment, why);
	if (result == 0 && r->verbose)
		fail_note("skein", "running %zu copies, at most %zu at once", r->copies.count, r->copies.at_once);
	struct copies_job job = {.session = r->folder,
	                         .paths = paths,
	                         .argv = r->argv,
	                         .environment = (const char *const *)environment.at,
	                         .outlives = r->outlives};
	subject_release(&r->subject);
	result = result < 0 ? -1 : copies_run(&r->copies, &job, end, why);
	strv_free(&environment);
	return result;
}

static int relink_and_run_copies(struct record *r, struct launch_end *end, struct fail *why)
{
	struct relink_request ask = request(r, &r->pass);
	struct relink_result linked[COPIES_MOST];
	int result = relink_copies(&ask, r->copies.count, linked, why);
	erase_progress(r);
	if (result < 0)
		return -1;
	result = run_copies(r, linked, end, why);
	for (size_t i = 0; i < r->copies.count; i++)
		relink_result_free(&linked[i]);
	return result;
}

/* Runs `path`, which is the program or a copy that was re-linked, with the sampler in it. */
static int sample(struct record *r, const char *path, struct launch_end *end, struct fail *why)
{
	struct strv environment = {0}, notes = {0};
	bool uses_mpi = preload_uses_mpi(r->subject.path, r->subject.loader, r->folder);
	int result = preload_environment(r->lens->preload, uses_mpi, path, r->folder, &environment, &notes, why);
	for (size_t i = 0; i < notes.count; i++)
		session_plan_set(&r->session, SESSION_NOTE, notes.at[i]);
	if (result == 0)
		result = write_session(r, r->folder, why);
	if (result == 0 && r->verbose)
		fail_note("skein", "running %s", path);
	if (result == 0)
		result = launch(r, path, r->argv, (const char *const *)environment.at, end, why);
	strv_free(&environment);
	strv_free(&notes);
	return result;
}

/* A Cilk program that was linked to run serially has no cores to waste: the copy runs its spawned calls in parallel. */
static int sample_parallel_copy(struct record *r, struct launch_end *end, struct fail *why)
{
	struct strv plan = {0};
	plan_add(&plan, PLAN_CILK, CILK_PARALLEL_C);
	struct relink_request ask = request(r, &plan);
	struct relink_result linked;
	int result = relink_program(&ask, &linked, why);
	strv_free(&plan);
	erase_progress(r);
	if (result < 0)
		return -1;
	add_objects(r, &linked);
	result = sample(r, linked.objects[0].relinked, end, why);
	relink_result_free(&linked);
	return result;
}

/* A lens that looks at any program, and wants more of this one. */
static int relink_and_sample(struct record *r, struct launch_end *end, struct fail *why)
{
	struct relink_request ask = request(r, &r->pass);
	struct relink_result linked;
	int result = relink_program(&ask, &linked, why);
	erase_progress(r);
	if (result < 0)
		return -1;
	result = something_is_profiled(r, &linked, why);
	take_linked(r, &linked);
	if (result == 0)
		result = sample(r, linked.objects[0].relinked, end, why);
	relink_result_free(&linked);
	return result;
}

/* A lens that looks at any program, as it is. */
static int sample_and_run(struct record *r, struct launch_end *end, struct fail *why)
{
	if (subject_can_preload(&r->subject, r->lens->lens->name, why) < 0)
		return -1;
	r->session.native = r->subject.native;
	return r->parallel && parallel_state(&r->subject) == PARALLEL_SERIAL ? sample_parallel_copy(r, end, why)
									     : sample(r, r->subject.path, end, why);
}

/* A program as it is, under Valgrind. */
static int simulate_and_run(struct record *r, struct launch_end *end, struct fail *why)
{
	struct strv command = {0}, environment = {0};
	int result = subject_can_simulate(&r->subject, why);
	r->session.native = r->subject.native;
	if (result == 0)
		result = valgrind_command(r->lens->tool, &r->tool, r->argv, &command, &environment, why);
	if (result == 0)
		result = write_session(r, r->folder, why);
	if (result == 0 && r->verbose)
		fail_note("skein", "running %s under Valgrind", r->subject.path);
	if (result == 0)
		result = launch(r, command.at[0], command.at, (const char *const *)environment.at, end, why);
	strv_free(&command);
	strv_free(&environment);
	return result;
}

static bool takes_valgrind(struct record *r)
{
	struct fail unsaid;
	return r->lens->tool && (r->under_tool || subject_can_relink(&r->subject, r->lens->lens->name, false, &unsaid) < 0);
}

static int prepare_copies(struct record *r, struct fail *why)
{
	struct relink_request ask = request(r, &r->pass);
	struct relink_result linked[COPIES_MOST];
	int result = relink_copies(&ask, r->copies.count, linked, why);
	for (size_t i = 0; result == 0 && i < r->copies.count; i++)
		relink_result_free(&linked[i]);
	return result;
}

static int prepare_program(struct record *r, const struct strv *plan, struct fail *why)
{
	struct relink_request ask = request(r, plan);
	struct relink_result linked;
	int result = relink_program(&ask, &linked, why);
	if (result == 0)
		relink_result_free(&linked);
	return result;
}

int record_prepare(struct record *r, struct fail *why)
{
	struct strv plan = {0};
	int result = 0;
	if (takes_valgrind(r))
		return 0;
	plan_add(&plan, PLAN_CILK, CILK_PARALLEL_C);
	if (r->lens->has_copies && (r->copies.count > 1 || r->copies.launch.count))
		result = prepare_copies(r, why);
	else if (!r->lens->preload || r->pass.count)
		result = prepare_program(r, &r->pass, why);
	else if (r->parallel && parallel_state(&r->subject) == PARALLEL_SERIAL)
		result = prepare_program(r, &plan, why);
	strv_free(&plan);
	erase_progress(r);
	return result;
}

int record_run(struct record *r, struct launch_end *end, struct fail *why)
{
	if (takes_valgrind(r))
		return simulate_and_run(r, end, why);
	if (r->lens->has_copies && (r->copies.count > 1 || r->copies.launch.count))
		return relink_and_run_copies(r, end, why);
	if (r->lens->preload)
		return r->pass.count ? relink_and_sample(r, end, why) : sample_and_run(r, end, why);
	return relink_and_run(r, end, why);
}
