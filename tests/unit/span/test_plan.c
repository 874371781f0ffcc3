/* SPDX-License-Identifier: MIT */
/* What `skein record span` tells the pass and the runtime, and what environment a subject gets. */
#include "unit/lib.h"

#include "report/lens.h"
#include "run/launch.h"
#include "run/lens.h"

static struct fail why;

struct plan {
	struct strv pass;
	struct session_plan session;
};

static int make(struct plan *p, char **argv)
{
	struct arguments a;
	memset(p, 0, sizeof *p);
	assert_int_equal(arguments_parse(&a, COMMAND_RECORD, argv, &why), 0);
	int result = run_lens_span.plan(&a, &p->pass, &p->session, &why);
	arguments_free(&a);
	return result;
}

static void done(struct plan *p)
{
	strv_free(&p->pass);
	session_plan_free(&p->session);
}

static const char *setting(const struct plan *p, enum session_key key)
{
	return session_plan_setting(&p->session, key);
}

static void without_options_it_counts_instructions(void **state)
{
	(void)state;
	struct plan p;
	assert_int_equal(make(&p, (char *[]){"span", "--", "x", NULL}), 0);
	assert_string_equal(p.session.mode, "insn");
	assert_int_equal(p.pass.count, 1);
	assert_true(strv_has(&p.pass, "MODE=insn"));
	assert_string_equal(setting(&p, SESSION_CLOCK), "insn");
	assert_string_equal(setting(&p, SESSION_BURDEN), "");
	assert_string_equal(setting(&p, SESSION_UNDER), "");
	assert_true(atoi(setting(&p, SESSION_CORES)) >= 1);
	done(&p);
}

static void sites_and_factors_go_their_ways(void **state)
{
	(void)state;
	struct plan p;
	assert_int_equal(make(&p,
	                      (char *[]){"span", "--what-if", "a=b=0.5", "--what-if", "sort.c:20=2", "--under", "bfs", "--burden", "99",
	                                 "--inlined", "--only", "x*", "--only", "y", "--", "x", NULL}),
	                 0);
	assert_string_equal(p.session.mode, "general");
	assert_true(strv_has(&p.pass, "MODE=general"));
	assert_true(strv_has(&p.pass, "WHATIF=a=b\nsort.c:20"));
	assert_true(strv_has(&p.pass, "UNDER=bfs"));
	assert_true(strv_has(&p.pass, "INLINED=1"));
	assert_true(strv_has(&p.pass, "ONLY=x*\ny"));
	assert_string_equal(setting(&p, SESSION_WHAT_IF), "0.5 2");
	assert_string_equal(setting(&p, SESSION_WHAT_IF_SITES), "a=b\nsort.c:20");
	assert_string_equal(setting(&p, SESSION_UNDER), "1");
	assert_string_equal(setting(&p, SESSION_UNDER_SITE), "bfs");
	assert_string_equal(setting(&p, SESSION_BURDEN), "99");
	done(&p);
}

static void another_clock_makes_it_general_and_no_sites_whole(void **state)
{
	(void)state;
	struct plan p;
	assert_int_equal(make(&p, (char *[]){"span", "--clock", "tsc", "--", "x", NULL}), 0);
	assert_true(strv_has(&p.pass, "MODE=general"));
	assert_string_equal(setting(&p, SESSION_CLOCK), "tsc");
	done(&p);
	assert_int_equal(make(&p, (char *[]){"span", "--clock", "insn", "--no-sites", "--", "x", NULL}), 0);
	assert_true(strv_has(&p.pass, "MODE=whole"));
	done(&p);
	/* A machine may refuse to count page faults, but knows them. */
	if (make(&p, (char *[]){"span", "--clock", "page-faults", "--", "x", NULL}) == 0) {
		assert_string_equal(setting(&p, SESSION_EVENT_TYPE), "1");
		assert_string_equal(setting(&p, SESSION_EVENT_CONFIG), "2");
	} else {
		assert_int_equal(why.status, FAIL_INTERNAL);
	}
	done(&p);
}

static void factors_are_plain_decimals(void **state)
{
	(void)state;
	static char *const bad[] = {"f=", "f=.", "f=-1", "f=1e3", "f=nan", "f=0x1", "f=1.2.3", "f= 1", "f=1 ", "f", "=1"};
	static char *const good[] = {"f=0", "f=.5", "f=1.", "f=12.25"};
	struct plan p;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (make(&p, (char *[]){"span", "--what-if", bad[i], "--", "x", NULL}) == 0)
			fail_msg("took %s", bad[i]);
		assert_int_equal(why.status, FAIL_USAGE);
		done(&p);
	}
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_int_equal(make(&p, (char *[]){"span", "--what-if", good[i], "--", "x", NULL}), 0);
		done(&p);
	}
}

static void the_subject_gets_one_openmp_thread(void **state)
{
	(void)state;
	struct launch_end end;
	char *argv[] = {"sh", "-c", "test \"$OMP_NUM_THREADS $OMP_DYNAMIC $OMP_THREAD_LIMIT $SKEIN_SESSION\" = '1 false 1 /nowhere'", NULL};
	struct launch launch = {.path = "/bin/sh", .argv = argv, .session_folder = "/nowhere", .environment = run_lens_span.environment};
	setenv("OMP_NUM_THREADS", "8", 1);
	assert_int_equal(launch_run(&launch, &end, &why), 0);
	assert_int_equal(end.code, 0);
	assert_string_equal(getenv("OMP_NUM_THREADS"), "8");
	launch.environment = NULL;
	assert_int_equal(launch_run(&launch, &end, &why), 0);
	assert_int_equal(end.code, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_options_it_counts_instructions),
		cmocka_unit_test(sites_and_factors_go_their_ways),
		cmocka_unit_test(another_clock_makes_it_general_and_no_sites_whole),
		cmocka_unit_test(factors_are_plain_decimals),
		cmocka_unit_test(the_subject_gets_one_openmp_thread),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
