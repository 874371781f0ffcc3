/* SPDX-License-Identifier: MIT */
/* From raw recordings to the numbers and sentences of the idle lens, on a run whose answers are known, and on random
 * ones against a slow way.
 *
 * Called as `test_idle --session FOLDER` it only writes the known run's session there, and as `test_idle --recording
 * FILE` its recording. */
#include "unit/lib.h"

#include "analyse/idle/blame.h"
#include "analyse/idle/verdict.h"
#include "report/idle/view.h"
#include "store/store.h"
#include "unit/idle/names.h"

#include "unit/session.h" /* last: others have parameters that are called folder */

#define MS IDLEMAKE_MS

struct result {
	struct session session;
	struct idles idles;
	struct findings verdict, caveats;
};

static const struct idles_limits usual = {IDLES_HIGH_PCT, IDLES_HIGH_PCT};

static void analyse(struct result *r)
{
	struct fail why;
	memset(r, 0, sizeof *r);
	if (session_read(&r->session, folder, &why) < 0)
		fail_msg("%s", why.text);
	idles_build(&r->session, &r->idles);
	idles_judge(&r->idles, &usual, &r->verdict, &r->caveats);
}

static void done(struct result *r)
{
	findings_free(&r->verdict);
	findings_free(&r->caveats);
	idles_free(&r->idles);
	session_free(&r->session);
	run_free(&r->session.run);
}

/* ---- scopes as text ---- */

/* "prog > main > prepare@43 > loop@12 > line@13": a routine with the line of its call. */
static void describe(const struct idles *idles, uint32_t scope, char *to, size_t room)
{
	const struct idles_scope *s = &idles->scopes[scope];
	size_t length = 0;
	*to = 0;
	if (s->parent != IDLES_NO_SCOPE && idles->scopes[s->parent].kind != IDLES_ROOT) {
		describe(idles, s->parent, to, room);
		length = strlen(to);
		length += (size_t)snprintf(to + length, room - length, " > ");
	}
	bool is_routine = s->kind == IDLES_ROUTINE || s->kind == IDLES_INLINED;
	const char *name = s->kind == IDLES_PROCESS ? s->file
		: is_routine                        ? idles->run->routines[s->routine].name
						    : idles_kind_names[s->kind];
	if (s->line && s->kind != IDLES_PROCESS)
		snprintf(to + length, room - length, "%s@%u", name, s->line);
	else
		snprintf(to + length, room - length, "%s", name);
}

/* Inclusive sums of the one scope that is described so. */
static struct idles_sums sums_at(const struct idles *idles, enum idles_tree tree, const char *described)
{
	struct idles_sums *sums = memory_zeroed(idles->scope_count, sizeof *sums), found = {0};
	size_t count = 0;
	idles_include(idles, tree, UINT32_MAX, sums);
	for (uint32_t i = 0; i < idles->scope_count; i++) {
		char text[2000];
		describe(idles, i, text, sizeof text);
		if (idles->scopes[i].tree == tree && strcmp(text, described) == 0) {
			found = sums[i];
			count++;
		}
	}
	free(sums);
	if (count != 1)
		fail_msg("%zu scopes are '%s'", count, described);
	return found;
}

static void has(const struct idles *idles, enum idles_tree tree, const char *described, uint64_t samples, uint64_t work_ms,
                uint64_t idle_ms, uint64_t overhead_ms)
{
	struct idles_sums sums = sums_at(idles, tree, described);
	if (sums.samples != samples || sums.work_ns != work_ms * MS || sums.idle_ns != idle_ms * MS || sums.overhead_ns != overhead_ms * MS)
		fail_msg("%s has %llu samples, %llu ms work, %llu ms idle, %llu ms overhead", described, (unsigned long long)sums.samples,
		         (unsigned long long)(sums.work_ns / MS), (unsigned long long)(sums.idle_ns / MS),
		         (unsigned long long)(sums.overhead_ns / MS));
}

/* ---- a run that is known ---- */

static void logical_paths_have_no_runtime_and_one_root(void **state)
{
	(void)state;
	struct result r;
	idlemake_session(folder);
	analyse(&r);
	const struct idles *s = &r.idles;
	has(s, IDLES_LOGICAL, "root", 970, 925, 1900, 45);
	has(s, IDLES_LOGICAL, "prog", 970, 925, 1900, 45);
	has(s, IDLES_LOGICAL, "prog > _start > main", 970, 925, 1900, 45);
	has(s, IDLES_LOGICAL, "prog > _start > main > prepare@43 > loop@12 > line@13", 400, 400, 1200, 0);
	has(s, IDLES_LOGICAL, "prog > _start > main > task::work(int)@45", 340, 295, 10, 45);
	has(s, IDLES_LOGICAL, "prog > _start > main > task::work(int)@45 > step@22 > line@6", 295, 295, 0, 0);
	has(s, IDLES_LOGICAL, "prog > _start > main > task::work(int)@45 > line@26", 25, 0, 0, 25);
	has(s, IDLES_LOGICAL, "prog > _start > main > free_matrix@47 > free_matrix@33 > free@34", 200, 200, 600, 0);
	has(s, IDLES_LOGICAL, "prog > _start > main > toy_main@47 > line@7", 30, 30, 90, 0);
	for (size_t i = 0; i < s->scope_count; i++)
		if (s->scopes[i].tree == IDLES_LOGICAL && strncmp(s->run->routines[s->scopes[i].routine].name, "__kmp", 5) == 0)
			fail_msg("a frame of the runtime is on a logical path");
	done(&r);
}

static void physical_paths_are_stacks(void **state)
{
	(void)state;
	struct result r;
	idlemake_session(folder);
	analyse(&r);
	has(&r.idles, IDLES_PHYSICAL, "root", 970, 925, 1900, 45);
	has(&r.idles, IDLES_PHYSICAL, "prog > clone3", 220, 195, 0, 25);
	has(&r.idles, IDLES_PHYSICAL, "prog > clone3 > start_thread > __kmp_invoke_microtask > task::work(int) > step@22 > line@6", 195,
	    195, 0, 0);
	has(&r.idles, IDLES_PHYSICAL, "prog > clone3 > start_thread > __kmp_invoke_microtask > task::work(int) > __kmpc_omp_task_alloc@26",
	    25, 0, 0, 25);
	has(&r.idles, IDLES_PHYSICAL, "prog > _start > main > eval@47 > eval@61 > line@61", 30, 30, 90, 0);
	done(&r);
}

static void the_profilers_own_frames_are_what_they_stand_for(void **state)
{
	(void)state;
	struct result r;
	idlemake_session(folder);
	analyse(&r);
	has(&r.idles, IDLES_LOGICAL, "prog > _start > main > task::work(int)@45 > pthread_mutex_lock@24", 20, 0, 10, 20);
	done(&r);
}

static void overhead_has_kinds_and_samples_classes(void **state)
{
	(void)state;
	struct result r;
	idlemake_session(folder);
	analyse(&r);
	struct idles_sums total = idles_total(&r.idles, UINT32_MAX), first = idles_total(&r.idles, 1);
	assert_int_equal(total.overhead_by[IDLES_OVERHEAD_SYNC], 20 * MS);
	assert_int_equal(total.overhead_by[IDLES_OVERHEAD_TASK], 25 * MS);
	assert_int_equal(total.class_ns[RAW_IDLE_SERIAL], 630 * MS);
	assert_int_equal(total.class_ns[RAW_IDLE_UNDER], 20 * MS);
	assert_int_equal(total.class_ns[RAW_IDLE_FULL], 315 * MS);
	assert_int_equal(total.class_ns[RAW_IDLE_OVER], 5 * MS);
	assert_int_equal(idles_effort(&total), 2870 * MS);
	assert_true(first.samples == 120 && first.work_ns == 95 * MS && first.overhead_ns == 25 * MS);
	assert_true(r.idles.cores == 4 && r.idles.period_ns == MS && r.idles.unnamed == 0 && !r.idles.gomp);
	assert_true(r.idles.threads[0].cpu_ns == 760 * MS && r.idles.threads[1].paths_cut == 4);
	assert_string_equal(r.session.run.build_id, "b1d");
	done(&r);
}

static void events_that_were_counted_have_names(void **state)
{
	(void)state;
	struct result r;
	idlemake_session(folder);
	analyse(&r);
	assert_int_equal(r.idles.event_name_count, 1);
	assert_string_equal(r.idles.event_names[0], "LLC-misses");
	assert_int_equal(r.idles.event_count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct idles_event *e = &r.idles.events[i];
		assert_true(e->event == 0 && e->count == (e->thread == 0 ? 500000 : 200000));
	}
	must_say(&r.caveats, "The event r1234 could not be counted");
	done(&r);
}

/* ---- sentences ---- */

static void the_verdict_names_who_runs_serially(void **state)
{
	(void)state;
	struct result r;
	idlemake_session(folder);
	analyse(&r);
	assert_string_equal(
		r.verdict.lines[0],
		"Cores were idle for 66 % of the effort: prepare (prog.c:10) runs serially while 3 of 4 cores wait and holds 63 % of all idleness.");
	must_say(
		&r.verdict,
		"Make prepare (most at prog.c:13) parallel, do less there, or let it run beside other work: without its idleness the run would be at most 300 ms of 1.00 s shorter.");
	must_say(&r.verdict, "free_matrix (prog.c:30), which runs serially while 3 of 4 cores wait (32 %)");
	assert_false(says(&r.verdict, "toy_main"));
	done(&r);
}

static void blame_is_the_users_routine_that_called(void **state)
{
	(void)state;
	struct result r;
	size_t count;
	idlemake_session(folder);
	analyse(&r);
	struct idles_blame *list = idles_blame(&r.idles, &count);
	assert_int_equal(count, 5);
	assert_string_equal(r.session.run.routines[list[1].routine].name, "free_matrix");
	assert_true(list[1].sums.idle_ns == 600 * MS && list[1].line == 34);
	assert_string_equal(r.session.run.routines[list[2].routine].name, "toy_main");
	assert_string_equal(r.session.run.routines[list[3].routine].name, "task::work(int)");
	assert_true(list[3].sums.overhead_ns == 45 * MS && list[3].line == 24);
	assert_string_equal(r.session.run.routines[list[4].routine].name, "step");
	free(list);
	done(&r);
}

/* A run of one routine with this much of each, in ms, on n cores; overhead is at a place in a runtime. */
static void one_routine(struct result *r, uint32_t cores, uint32_t samples, uint64_t work, uint64_t idle, uint64_t overhead,
                        uint64_t runtime)
{
	struct rawmake raw;
	idlemake_plan(folder);
	rawmake_start(&raw, RAW_FINISHED);
	raw.file->lens = RAW_LENS_IDLE;
	idlemake_how(&raw, cores);
	idlemake_module(&raw, IDLEMAKE_PROG, "b1d", "/home/me/prog");
	idlemake_module(&raw, IDLEMAKE_OMP, "0", "/opt/libomp.so.5");
	idlemake_module(&raw, IDLEMAKE_LIBC, "1", "/lib/of-tests/libc.so.6");
	rawmake_thread(&raw, 0, 0, 0, 1000000000, "prog");
	struct lcct_node *n = idlemake_table(&raw, RAW_IDLE_NODES, RAW_NO_LANE, 1, sizeof *n, 2);
	n[0] = idlemake_call(0, idlemake_place(IDLEMAKE_PROG, 0x1320));
	n[1] = idlemake_node(1, 1, SKEIN_1_0, runtime, 0);
	struct raw_idle_cost *c = idlemake_table(&raw, RAW_IDLE_COSTS, 0, 0, sizeof *c, 2);
	c[0] = idlemake_cost(1, samples, RAW_IDLE_FULL, work, idle);
	c[1] = idlemake_cost(2, 1, RAW_IDLE_FULL, overhead, 0);
	idlemake_write(&raw, folder, "1.raw");
	analyse(r);
}

static void table_1_has_four_rows(void **state)
{
	(void)state;
	struct result r;
	const uint64_t task = idlemake_place(IDLEMAKE_OMP, 0x410), lock = idlemake_place(IDLEMAKE_LIBC, 0x210);
	one_routine(&r, 2, 1000, 960, 20, 20, task);
	must_say(
		&r.verdict,
		"The program is effectively parallel; what is left is serial performance: task::work(int) (prog.c:20) has 100 % of the work.");
	assert_int_equal(idles_interpret(&(struct idles_sums){.work_ns = 96, .idle_ns = 2, .overhead_ns = 2}, 100, &usual),
	                 IDLES_EFFECTIVE);
	done(&r);
	one_routine(&r, 2, 1000, 900, 40, 60, task);
	must_say(
		&r.verdict,
		"Overhead takes 6.0 % of the effort (task creation 6.0 %) while idleness is low (4.0 %): make the pieces of parallel work coarser");
	must_say(
		&r.verdict,
		"The grain is too fine: creating and scheduling tasks takes 6.0 % of the effort, most of it for task::work(int) (prog.c:20).");
	done(&r);
	one_routine(&r, 2, 1000, 900, 60, 40, task);
	must_say(
		&r.verdict,
		"Cores were idle for 6.0 % of the effort: task::work(int) (prog.c:20) keeps 1.9 of 2 cores busy and holds 100 % of all idleness.");
	must_say(
		&r.verdict,
		"Divide the work of task::work(int) (most at prog.c:24) into more and smaller pieces, or share it out more evenly: without its idleness");
	done(&r);
	one_routine(&r, 2, 1000, 500, 300, 200, lock);
	must_say(&r.verdict, "overhead takes another 20 %: another grain will not help, another way to divide the work may.");
	must_say(
		&r.verdict,
		"The overhead is synchronisation 20 % of the effort; task::work(int) (prog.c:20) has the most of it, 100 %. Take locks less often");
	done(&r);
	one_routine(&r, 2, 1000, 500, 300, 200, task);
	must_say(&r.verdict, "overhead takes another 20 %: the tasks are too small");
	must_say(&r.verdict, "The grain is too fine");
	done(&r);
}

static void too_few_samples_get_no_verdict(void **state)
{
	(void)state;
	struct result r;
	one_routine(&r, 2, 28, 28, 28, 1, 0);
	must_say(&r.verdict, "Only 29 samples were taken while the program worked, too few for a verdict (30 are needed)");
	assert_int_equal(r.verdict.count, 1);
	done(&r);
	one_routine(&r, 1, 29, 29, 0, 1, 0);
	must_say(&r.verdict, "Only one core was allowed, so nothing could be idle");
	done(&r);
}

static void what_may_be_wrong_is_said(void **state)
{
	(void)state;
	struct result r;
	struct rawmake raw;
	idlemake_session(folder);
	analyse(&r);
	must_say(&r.caveats, "No events were lost.");
	must_say(
		&r.caveats,
		"970 samples, one per 1.00 ms of CPU time: idleness is 66.2 ± 1.7 % of the effort (95 %), and a share of the work is wrong by at most 3.1 points.");
	must_say(&r.caveats, "The call paths of 0.41 % of the samples end before the program's start");
	assert_false(says(&r.caveats, "add up to"));
	assert_false(says(&r.caveats, "raw system calls"));
	done(&r);
	idlemake_plan(folder);
	struct raw_idle_how *how = idlemake_start(&raw, 0);
	how->no_rings = 2;
	how->clock = RAW_IDLE_TIMER;
	how->unsampled = 1;
	how->nodes_lost = 9;
	idlemake_module(&raw, 9, "90", "/usr/lib/x86_64-linux-gnu/libgomp-of-tests.so.1");
	rawmake_thread(&raw, 3, 3, 400000000, 600000000, "half")->cpu_ns = 90 * MS;
	struct raw_idle_thread *more = idlemake_table(&raw, RAW_IDLE_THREAD, 3, 0, sizeof *more, 1);
	*more = (struct raw_idle_thread){.thread = 3, .cpu_ns = 60 * MS, .work_ns = 40 * MS, .own_ns = 20 * MS, .unseen_ns = 15 * MS};
	idlemake_write(&raw, folder, "1000.raw");
	analyse(&r);
	must_say(&r.caveats, "Waits of 2 threads in raw system calls could not be seen");
	must_say(&r.caveats, "CPU-time timers");
	must_say(&r.caveats, "1 thread could not be sampled");
	must_say(&r.caveats, "The call-path tree was full: 9 samples were lost");
	must_say(&r.caveats, "Process 1000 was killed or was still running");
	must_say(&r.caveats, "add up to 3.0 % less than the CPU time of the threads");
	must_say(&r.caveats, "The profiler itself took 2.1 % of the CPU time");
	must_say(&r.caveats, "1.6 % of the CPU time has no sample of its own");
	assert_non_null(strstr(r.verdict.lines[0], "libgomp"));
	done(&r);
}

static void code_without_symbols_is_counted(void **state)
{
	(void)state;
	struct result r;
	struct rawmake raw;
	idlemake_plan(folder);
	idlemake_start(&raw, RAW_FINISHED);
	struct lcct_node *n = idlemake_table(&raw, RAW_IDLE_NODES, RAW_NO_LANE, 201, sizeof *n, 2);
	n[0] = idlemake_call(1, idlemake_place(IDLEMAKE_PROG, 0x9999));
	n[1] = idlemake_call(1, 0x7f0000001234); /* in no file */
	struct raw_idle_cost *c = idlemake_table(&raw, RAW_IDLE_COSTS, 2, 2, sizeof *c, 2);
	c[0] = idlemake_cost(201, 50, RAW_IDLE_FULL, 50, 0);
	c[1] = idlemake_cost(202, 10, RAW_IDLE_FULL, 10, 0);
	idlemake_write(&raw, folder, "1000.raw");
	analyse(&r);
	assert_int_equal(r.idles.unnamed, 60);
	has(&r.idles, IDLES_LOGICAL, "prog > _start > (unnamed)+0x0", 50, 50, 0, 0);
	has(&r.idles, IDLES_LOGICAL, "prog > _start > (unknown)", 10, 10, 0, 0);
	must_say(&r.caveats, "5.8 % of the samples are in code without symbols");
	done(&r);
}

/* ---- several processes, and files that lie ---- */

static void processes_have_scopes_of_their_own(void **state)
{
	(void)state;
	struct result r;
	struct rawmake raw;
	idlemake_session(folder);
	idlemake_start(&raw, RAW_FINISHED | RAW_FORKED);
	raw.file->pid = 1001;
	raw.file->start_ns += 5;
	idlemake_write(&raw, folder, "1001.raw");
	analyse(&r);
	struct idles_sums total = idles_total(&r.idles, UINT32_MAX);
	assert_true(total.samples == 2 * 970 && total.idle_ns == 3800 * MS);
	assert_int_equal(r.session.run.thread_count, 6);
	size_t processes = 0;
	for (size_t i = 0; i < r.idles.scope_count; i++)
		processes += r.idles.scopes[i].kind == IDLES_PROCESS && r.idles.scopes[i].tree == IDLES_LOGICAL;
	assert_int_equal(processes, 2);
	assert_int_equal(idles_total(&r.idles, 4).samples, 120);
	done(&r);
}

static void a_file_that_lies_loses_samples_not_the_report(void **state)
{
	(void)state;
	struct result r;
	struct rawmake raw;
	idlemake_plan(folder);
	idlemake_start(&raw, RAW_FINISHED);
	struct lcct_node *n = idlemake_table(&raw, RAW_IDLE_NODES, RAW_NO_LANE, 300, sizeof *n, 4);
	n[0] = idlemake_call(301, idlemake_place(IDLEMAKE_PROG, 0x1110)); /* each other's parents */
	n[1] = idlemake_call(300, idlemake_place(IDLEMAKE_PROG, 0x1210));
	n[2] = idlemake_node(302, 1, SKEIN_1_0, 0, 0);                    /* its own, and nowhere */
	n[3] = idlemake_call(999, idlemake_place(IDLEMAKE_PROG, 0x1410)); /* an orphan */
	idlemake_table(&raw, RAW_IDLE_NODES, RAW_NO_LANE, UINT32_MAX, sizeof *n, 3);
	struct raw_idle_cost *c = idlemake_table(&raw, RAW_IDLE_COSTS, 7, 77, sizeof *c, 5);
	for (uint32_t i = 0; i < 4; i++)
		c[i] = idlemake_cost(300 + i, 1, RAW_IDLE_FULL, 1, 0);
	c[4] = idlemake_cost(12345, 3, RAW_IDLE_FULL, 3, 0);
	struct raw_idle_event *e = idlemake_table(&raw, RAW_IDLE_EVENTS, 7, 78, sizeof *e, 1);
	e[0] = (struct raw_idle_event){300, 99, 1};
	idlemake_write(&raw, folder, "1000.raw");
	analyse(&r);
	assert_int_equal(idles_total(&r.idles, UINT32_MAX).samples, 974);
	assert_int_equal(r.session.run.thread_count, 4);
	must_say(&r.caveats, "3 samples are left out");
	has(&r.idles, IDLES_LOGICAL, "prog > free_matrix > line@33", 1, 1, 0, 0);
	done(&r);
}

/* ---- the recording ---- */

static void save(void)
{
	char aside[PATH_MAX];
	struct session session;
	struct idles idles;
	struct fail why;
	if (session_read(&session, folder, &why) < 0)
		fail_msg("%s", why.text);
	idles_build(&session, &idles);
	if (store_save_idle(recording, &idles, aside, &why) < 0)
		fail_msg("%s", why.text);
	idles_free(&idles);
	session_free(&session);
	run_free(&session.run);
}

static int load(struct run *run, struct idles *idles, struct fail *why)
{
	struct store *store = store_open(recording, why);
	int result = store ? store_load_idle(store, run, idles, why) : -1;
	store_close(store);
	return result;
}

static void what_is_stored_comes_back(void **state)
{
	(void)state;
	struct result r;
	struct run run;
	struct idles after;
	struct fail why;
	idlemake_session(folder);
	save();
	analyse(&r);
	if (load(&run, &after, &why) < 0)
		fail_msg("%s", why.text);
	assert_int_equal(after.scope_count, r.idles.scope_count);
	assert_int_equal(after.cost_count, r.idles.cost_count);
	assert_int_equal(after.event_count, r.idles.event_count);
	assert_memory_equal(after.threads, r.idles.threads, run.thread_count * sizeof *after.threads);
	for (uint32_t i = 0; i < after.scope_count; i++) {
		char x[2000], y[2000];
		describe(&r.idles, i, x, sizeof x);
		describe(&after, i, y, sizeof y);
		assert_string_equal(x, y);
		assert_string_equal(r.idles.scopes[i].file, after.scopes[i].file);
	}
	struct findings verdict = {0}, caveats = {0};
	idles_judge(&after, &usual, &verdict, &caveats);
	assert_int_equal(verdict.count, r.verdict.count);
	for (size_t i = 0; i < verdict.count; i++)
		assert_string_equal(verdict.lines[i], r.verdict.lines[i]);
	assert_int_equal(caveats.count, r.caveats.count);
	for (size_t i = 0; i < caveats.count; i++)
		assert_string_equal(caveats.lines[i], r.caveats.lines[i]);
	findings_free(&verdict);
	findings_free(&caveats);
	idles_free(&after);
	run_free(&run);
	done(&r);
}

static void change(const char *text)
{
	char command[600];
	snprintf(command, sizeof command, "sqlite3 '%s' \"%s\"", recording, text);
	assert_int_equal(system(command), 0);
}

static void a_recording_that_lies_is_refused(void **state)
{
	(void)state;
	static const char *const lies[] = {"update idle_scope set parent = scope where scope = 5",
	                                   "update idle_scope set parent = 999 where scope = 5",
	                                   "update idle_scope set parent = null where scope = 5",
	                                   "update idle_scope set routine = 99999 where scope = 5",
	                                   "update idle_scope set file = 99999 where scope = 5",
	                                   "update idle_scope set kind = 6 where scope = 5",
	                                   "update idle_scope set kind = 0 where scope = 5",
	                                   "delete from idle_scope where scope = 7",
	                                   "delete from idle_scope",
	                                   "delete from idle_total",
	                                   "update idle_scope set kind = 1, line = 77 where scope = 5",
	                                   "update idle_total set cores = 0",
	                                   "update or replace idle_cost set sampled = 3",
	                                   "update or replace idle_cost set overhead = 6",
	                                   "update idle_cost set idle_ns = -1",
	                                   "update or replace idle_cost set logical = 1",
	                                   "update or replace idle_cost set physical = 99999",
	                                   "update idle_event set event = 1",
	                                   "update idle_event set sampled = 9",
	                                   "update idle_thread set thread = 9 where sampled = 0",
	                                   "delete from thread where thread = 2",
	                                   "update idle_event_name set event = 5",
	                                   "delete from idle_file where file = 1"};
	struct run run;
	struct idles idles;
	struct fail why;
	idlemake_session(folder);
	for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
		unlink(recording);
		save();
		change(lies[i]);
		if (load(&run, &idles, &why) == 0)
			fail_msg("nobody minds: %s", lies[i]);
		assert_non_null(strstr(why.text, "record again"));
	}
}

/* ---- random trees, and the slow way ---- */

enum { NODES = 150, NAMES = 6, LINES = 3, LONGEST = 8000 };

/* Everything is named by agents: place k is routine k / LINES at line k % LINES + 1. */
static struct lcct_node random_nodes[NODES + 1];
static struct raw_idle_cost random_costs[2 * NODES];

static uint64_t random_place(int chance)
{
	return rand() % 100 < chance ? 0 : idlemake_place(RAW_AGENT_MODULE, (uint64_t)(1 + rand() % (NAMES * LINES - 1)));
}

static void random_session(void)
{
	struct rawmake raw;
	idlemake_plan(folder);
	rawmake_start(&raw, RAW_FINISHED);
	raw.file->lens = RAW_LENS_IDLE;
	idlemake_how(&raw, 4);
	rawmake_thread(&raw, 0, 0, 0, 1000000000, "prog");
	for (uint32_t k = 0; k < NAMES * LINES; k++) {
		char name[16];
		snprintf(name, sizeof name, "r%u", k / LINES);
		idlemake_named(&raw, k, name, "x.toy", k % LINES + 1);
	}
	struct lcct_node *n = idlemake_table(&raw, RAW_IDLE_NODES, RAW_NO_LANE, 1, sizeof *n, NODES);
	for (uint32_t i = 1; i <= NODES; i++) {
		uint64_t ip = random_place(30), lip = rand() % 3 ? ip : random_place(30);
		n[i - 1] = random_nodes[i] = idlemake_node((uint32_t)rand() % i, 1, SKEIN_1_1, ip, lip);
	}
	struct raw_idle_cost *c = idlemake_table(&raw, RAW_IDLE_COSTS, 0, 0, sizeof *c, 2 * NODES);
	for (uint32_t i = 0; i < 2 * NODES; i++)
		c[i] = random_costs[i] =
			idlemake_cost(1 + (uint32_t)rand() % NODES, 1 + (uint32_t)rand() % 9,
		                      (enum raw_idle_class)(rand() % RAW_IDLE_CLASSES), (uint64_t)rand() % 100, (uint64_t)rand() % 100);
	idlemake_write(&raw, folder, "1.raw");
}

/* The path to a node as scopes are described: each call at the line where its caller was. */
static void slow_path(uint32_t node, enum idles_tree tree, char *to)
{
	uint64_t places[NODES];
	size_t count = 0, length = (size_t)sprintf(to, "prog");
	for (; node; node = random_nodes[node].parent) {
		uint64_t place = tree == IDLES_LOGICAL ? random_nodes[node].lip : random_nodes[node].ip;
		if (place)
			places[count++] = place & 0xffffff;
	}
	for (size_t i = count; i-- > 0;) {
		length += (size_t)sprintf(to + length, " > r%u", (unsigned)places[i] / LINES);
		if (i + 1 < count)
			length += (size_t)sprintf(to + length, "@%u", (unsigned)places[i + 1] % LINES + 1);
	}
	if (count)
		sprintf(to + length, " > line@%u", (unsigned)places[0] % LINES + 1);
}

/* Whether one path is the other or leads to it. */
static bool leads_to(const char *scope, const char *leaf)
{
	size_t length = strlen(scope);
	return strncmp(scope, leaf, length) == 0 && (leaf[length] == 0 || strncmp(leaf + length, " > ", 3) == 0);
}

static void compare_scope(const struct idles *idles, uint32_t scope, const struct idles_sums *sums)
{
	char described[LONGEST], leaf[LONGEST];
	uint64_t samples = 0, ns = 0, idle = 0;
	describe(idles, scope, described, sizeof described);
	for (int i = 0; i < 2 * NODES; i++) {
		slow_path(random_costs[i].node, idles->scopes[scope].tree, leaf);
		if (!leads_to(described, leaf))
			continue;
		samples += random_costs[i].samples;
		idle += random_costs[i].idle_ns;
		for (int class = 0; class < RAW_IDLE_CLASSES; class ++)
			ns += random_costs[i].work_ns[class];
	}
	if (sums->samples != samples || sums->idle_ns != idle || sums->work_ns != ns)
		fail_msg("%s has %llu samples, and %llu by the slow way", described, (unsigned long long)sums->samples,
		         (unsigned long long)samples);
}

static void random_trees_are_as_the_slow_way_has_them(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 12; seed++) {
		struct result r;
		srand(seed);
		random_session();
		analyse(&r);
		struct idles_sums *sums = memory_zeroed(r.idles.scope_count, sizeof *sums);
		for (int tree = 0; tree < IDLES_TREES; tree++) {
			idles_include(&r.idles, (enum idles_tree)tree, UINT32_MAX, sums);
			for (uint32_t i = IDLES_TREES; i < r.idles.scope_count; i++)
				if (r.idles.scopes[i].tree == tree)
					compare_scope(&r.idles, i, &sums[i]);
		}
		free(sums);
		done(&r);
	}
}

/* ---- views of them ---- */

/* Routine and line of each frame of a path, outermost first; the line is that at which the frame was left, or sampled. */
static int slow_frames(uint32_t node, enum idles_tree tree, unsigned routines[NODES], unsigned lines[NODES])
{
	int count = 0;
	for (uint32_t at = node; at; at = random_nodes[at].parent)
		count += (tree == IDLES_LOGICAL ? random_nodes[at].lip : random_nodes[at].ip) != 0;
	int left = count;
	for (uint32_t at = node; at; at = random_nodes[at].parent) {
		uint64_t place = tree == IDLES_LOGICAL ? random_nodes[at].lip : random_nodes[at].ip;
		if (!place)
			continue;
		routines[--left] = (unsigned)(place & 0xffffff) / LINES;
		lines[left] = (unsigned)(place & 0xffffff) % LINES + 1;
	}
	return count;
}

/* "r3 < r1@2 < r0@1": who ran, and the callers, a routine that calls itself only once. */
static void slow_callers(uint32_t node, enum idles_tree tree, char *to)
{
	unsigned routines[NODES], lines[NODES];
	int at = slow_frames(node, tree, routines, lines) - 1;
	if (at < 0) {
		strcpy(to, "(outside)");
		return;
	}
	size_t length = (size_t)sprintf(to, "r%u", routines[at]);
	for (;;) {
		unsigned callee = routines[at];
		while (at > 0 && routines[at - 1] == callee)
			at--;
		if (at-- == 0)
			return;
		length += (size_t)sprintf(to + length, " < r%u@%u", routines[at], lines[at]);
	}
}

static void describe_node(const struct idle_forest *f, uint32_t at, char *to)
{
	const struct idle_node *node = &f->nodes[at];
	struct pool pool = {0};
	*to = 0;
	if (node->parent != IDLE_NO_NODE) {
		describe_node(f, node->parent, to);
		strcat(to, " < ");
	}
	strcat(to, idle_node_name(&pool, f->idles, node));
	if (node->parent != IDLE_NO_NODE)
		sprintf(to + strlen(to), "@%u", node->line);
	pool_free(&pool);
}

static bool begins_path(const char *part, const char *whole)
{
	size_t length = strlen(part);
	return strncmp(part, whole, length) == 0 && (whole[length] == 0 || strncmp(whole + length, " < ", 3) == 0);
}

static void callers_are_as_the_slow_way_has_them(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 8; seed++) {
		struct result r;
		struct idle_forest f;
		srand(seed);
		random_session();
		analyse(&r);
		enum idles_tree tree = seed % 2 ? IDLES_PHYSICAL : IDLES_LOGICAL;
		idle_forest_grow(&f, &r.idles, idle_plant_bottom_up, tree, -1, UINT32_MAX);
		for (uint32_t at = 0; at < f.count; at++) {
			char node[LONGEST], path_of[LONGEST];
			uint64_t samples = 0, idle = 0;
			describe_node(&f, at, node);
			for (int i = 0; i < 2 * NODES; i++) {
				slow_callers(random_costs[i].node, tree, path_of);
				samples += begins_path(node, path_of) ? random_costs[i].samples : 0;
				idle += begins_path(node, path_of) ? random_costs[i].idle_ns : 0;
			}
			if (f.nodes[at].sums.samples != samples || f.nodes[at].sums.idle_ns != idle)
				fail_msg("%s has %llu samples, and %llu by the slow way", node,
				         (unsigned long long)f.nodes[at].sums.samples, (unsigned long long)samples);
		}
		idle_forest_free(&f);
		done(&r);
	}
}

/* Seen flat, a line of a routine has all samples that were taken there, on whatever path. */
static void flat_lines_are_as_the_slow_way_has_them(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 8; seed++) {
		struct result r;
		struct idle_forest f;
		srand(seed);
		random_session();
		analyse(&r);
		idle_forest_grow(&f, &r.idles, idle_plant_flat, IDLES_LOGICAL, -1, UINT32_MAX);
		uint64_t seen = 0;
		for (uint32_t at = 0; at < f.count; at++) {
			const struct idle_node *node = &f.nodes[at];
			unsigned routines[NODES], lines[NODES], routine;
			uint64_t samples = 0;
			if (node->kind != IDLES_LINE || sscanf(r.session.run.routines[node->routine].name, "r%u", &routine) != 1)
				continue;
			for (int i = 0; i < 2 * NODES; i++) {
				int count = slow_frames(random_costs[i].node, IDLES_LOGICAL, routines, lines);
				samples += count && routines[count - 1] == routine && lines[count - 1] == node->line
					? random_costs[i].samples
					: 0;
			}
			assert_int_equal(node->sums.samples, samples);
			seen += samples;
		}
		uint64_t nowhere = 0;
		for (int i = 0; i < 2 * NODES; i++) {
			unsigned routines[NODES], lines[NODES];
			nowhere += slow_frames(random_costs[i].node, IDLES_LOGICAL, routines, lines) ? 0 : random_costs[i].samples;
		}
		assert_int_equal(seen + nowhere, idles_total(&r.idles, UINT32_MAX).samples);
		idle_forest_free(&f);
		done(&r);
	}
}

static void bodies_of_constructs_have_names(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {{"main.omp_outlined", "main (parallel)"},
	                                       {"main.omp_outlined.1", "main (parallel)"},
	                                       {".omp_outlined.", "(parallel)"},
	                                       {"_ZN4task4workEi.omp_outlined", "task::work(int) (parallel)"},
	                                       {".omp_task_entry..15", "(task)"},
	                                       {"fib._omp_fn.0", "fib (OpenMP)"},
	                                       {"step.cilk_for", "step (cilk_for)"},
	                                       {"f.cilk_spawn.2", "f (cilk_spawn)"},
	                                       {"main", "main"}};
	struct run run;
	struct pool pool = {0};
	run_start(&run);
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		uint32_t routine = run_routine(&run, &(struct run_routine){.object = RUN_NO_OBJECT, .linkage = pairs[i][0], .file = ""});
		assert_string_equal(idles_name(&pool, &run, routine), pairs[i][1]);
	}
	pool_free(&pool);
	run_free(&run);
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "--session") == 0) {
		idlemake_session(argv[2]);
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "--recording") == 0) {
		make_folder(NULL);
		snprintf(recording, sizeof recording, "%s", argv[2]);
		idlemake_session(folder);
		save();
		return remove_folder(NULL);
	}
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
		TEST(logical_paths_have_no_runtime_and_one_root),
		TEST(physical_paths_are_stacks),
		TEST(the_profilers_own_frames_are_what_they_stand_for),
		TEST(overhead_has_kinds_and_samples_classes),
		TEST(events_that_were_counted_have_names),
		TEST(the_verdict_names_who_runs_serially),
		TEST(blame_is_the_users_routine_that_called),
		TEST(table_1_has_four_rows),
		TEST(too_few_samples_get_no_verdict),
		TEST(what_may_be_wrong_is_said),
		TEST(code_without_symbols_is_counted),
		TEST(processes_have_scopes_of_their_own),
		TEST(a_file_that_lies_loses_samples_not_the_report),
		TEST(what_is_stored_comes_back),
		TEST(a_recording_that_lies_is_refused),
		TEST(random_trees_are_as_the_slow_way_has_them),
		TEST(callers_are_as_the_slow_way_has_them),
		TEST(flat_lines_are_as_the_slow_way_has_them),
		TEST(bodies_of_constructs_have_names)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
