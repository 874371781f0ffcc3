/* SPDX-License-Identifier: MIT */
#include "run/attach/record.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/text.h"
#include "run/attach/attach.h"
#include "run/launch.h"
#include "run/lens.h"
#include "run/quota.h"
#include "run/session_folder.h"
#include "store/store.h"

enum { MOST_COMMAND = 4000 };

struct job {
	const struct arguments *arguments;
	const struct run_lens *lens;
	struct attach attach;
	struct session_plan plan;
	char native[PATH_MAX], recording[PATH_MAX], folder[PATH_MAX];
	bool quiet;
};

/* ---- what was asked for ---- */

/* What belongs to a run that skein starts. */
static int refuse_others(const struct arguments *a, struct fail *why)
{
	static const enum option others[] = {OPTION_REPEAT, OPTION_WARMUP, OPTION_AGAINST, OPTION_OUTLIVE, OPTION_EVENT, OPTION_SERIAL};
	if (a->program)
		return fail_set(why, FAIL_USAGE, "--pid looks at a process that runs already: leave out the program behind --");
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (arguments_has(a, others[i]))
			return fail_set(why, FAIL_USAGE, "--%s cannot be used with --pid", option_names[others[i]]);
	return 0;
}

static int read_arguments(struct job *j, struct fail *why)
{
	const struct arguments *a = j->arguments;
	const char *output = arguments_value(a, OPTION_OUTPUT), *hertz;
	long pid;
	struct strv pass = {0};
	if (a->word_count == 0)
		return fail_set(why, FAIL_USAGE, "record needs a lens: skein record idle --pid PID");
	j->lens = run_lens_find(a->words[0]);
	if (!j->lens)
		return lens_unknown(a->words[0], why);
	if (arguments_fit_lens(a, j->lens->lens->name, why) < 0 || refuse_others(a, why) < 0 ||
	    arguments_number(a, OPTION_PID, 0, 1, INT_MAX, &pid, why) < 0 || arguments_seconds(a, OPTION_FOR, &j->attach.limit_ns, why) < 0)
		return -1;
	int result = j->lens->plan(a, &pass, &j->plan, why);
	strv_free(&pass);
	if (result < 0)
		return -1;
	hertz = session_plan_setting(&j->plan, SESSION_HERTZ);
	j->attach.period_ns = 1000000000u / strtoull(hertz, NULL, 10);
	j->attach.pid = (pid_t)pid;
	j->attach.lens = lens_number(j->lens->lens->name);
	j->quiet = arguments_has(a, OPTION_QUIET);
	if (!attach_program(j->attach.pid, j->native)) {
		char path[64];
		snprintf(path, sizeof path, "/proc/%ld", pid);
		return access(path, F_OK) < 0
			? fail_set(why, FAIL_NOT_FOUND, "there is no process %ld", pid)
			: fail_set(why, FAIL_CANNOT_RUN,
		                   "cannot look at process %ld: it is another user's, or the kernel's own; run skein as root", pid);
	}
	if (output)
		snprintf(j->recording, sizeof j->recording, "%s", output);
	else
		session_default_output(j->native, j->recording);
	return *j->recording ? store_check_target(j->recording, why) : fail_set(why, FAIL_USAGE, "-o needs the name of a file");
}

/* ---- the session ---- */

static int write_plan(struct job *j, struct fail *why)
{
	struct session_plan *plan = &j->plan;
	char group[16];
	plan->lens = j->lens->lens->name;
	plan->native = j->native;
	char *command = pool_bytes(&plan->pool, MOST_COMMAND);
	attach_command(j->attach.pid, command, MOST_COMMAND);
	plan->command = *command ? command : j->native;
	snprintf(group, sizeof group, "%ld", (long)j->attach.pid);
	j->attach.quota = quota_cores_of(group);
	session_plan_set(plan, SESSION_NOTE,
	                 "the process was looked at from outside while it ran: a thread that waits in a loop counts as working, and where "
	                 "threads and tasks were created is not known");
	session_plan_read_clocks(plan);
	return session_plan_write(plan, j->folder, why);
}

/* What became known while the process was looked at. */
static void note_end(struct job *j)
{
	struct pool pool = {0};
	struct fail unsaid;
	struct session_setting lasted = {SESSION_LASTED_NS, pool_print(&pool, "%" PRIu64, j->attach.lasted_ns)};
	struct session_setting blind = {
		SESSION_NOTE,
		"the system lets Skein sample the code of the process only, not the kernel (kernel.perf_event_paranoid is "
		"above 1): where threads waited is known of waits that had begun before"};
	struct session_setting lost = {
		SESSION_NOTE,
		pool_print(&pool,
	                   "%s records of samples and switches were lost, because skein did not get a core in time: figures are less exact",
	                   text_count(&pool, (int64_t)j->attach.lost))};
	session_plan_append(&lasted, 1, j->folder, &unsaid);
	if (!j->attach.sees_kernel)
		session_plan_append(&blind, 1, j->folder, &unsaid);
	if (j->attach.lost)
		session_plan_append(&lost, 1, j->folder, &unsaid);
	pool_free(&pool);
}

static void say_begun(void *context)
{
	const struct job *j = context;
	if (j->quiet)
		return;
	if (j->attach.limit_ns)
		fail_note("skein", "looking at process %ld for %.3g s", (long)j->attach.pid, (double)j->attach.limit_ns / 1e9);
	else
		fail_note("skein", "looking at process %ld until Ctrl-C", (long)j->attach.pid);
}

/* Signals stay held until the recording is written. */
static int look_and_store(struct job *j, struct fail *why)
{
	sigset_t before, held;
	FILE *talk = j->quiet ? NULL : isatty(STDOUT_FILENO) ? stdout : stderr;
	launch_hold_signals(&before, &held);
	if (attach_run(&j->attach, why) < 0) {
		launch_give_signals_back(&before);
		session_folder_remove(j->folder);
		return -1;
	}
	note_end(j);
	return session_finish(j->folder, j->recording, arguments_has(j->arguments, OPTION_KEEP_RAW), talk, why);
}

int attach_record(const struct arguments *a, struct fail *why)
{
	struct job j = {.arguments = a};
	j.attach.folder = j.folder;
	j.attach.begun = say_begun;
	j.attach.context = &j;
	int result = read_arguments(&j, why);
	if (result == 0)
		result = session_folder_make(j.recording, j.folder, why);
	if (result == 0 && write_plan(&j, why) < 0) {
		session_folder_remove(j.folder);
		result = -1;
	}
	if (result == 0)
		result = look_and_store(&j, why);
	session_plan_free(&j.plan);
	return result;
}
