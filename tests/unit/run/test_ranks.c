/* SPDX-License-Identifier: MIT */
/* Who am I, by what launchers set; which ranks are recorded; where a part goes. */
#include "unit/lib.h"

#include "run/ranks/choice.h"
#include "run/ranks/identity.h"
#include "run/ranks/part.h"

static const char *const variables[] = {
	"OMPI_COMM_WORLD_RANK",
	"OMPI_COMM_WORLD_SIZE",
	"OMPI_COMM_WORLD_LOCAL_RANK",
	"OMPI_COMM_WORLD_LOCAL_SIZE",
	"PMIX_RANK",
	"PMIX_NAMESPACE",
	"PMI_RANK",
	"PMI_SIZE",
	"MPI_LOCALRANKID",
	"MPI_LOCALNRANKS",
	"PALS_RANKID",
	"PALS_LOCAL_RANKID",
	"PALS_LOCAL_SIZE",
	"SLURM_PROCID",
	"SLURM_LOCALID",
	"SLURM_NODEID",
	"SLURM_JOB_ID",
	"SLURM_STEP_ID",
	"SLURM_STEP_NUM_TASKS",
	"SLURM_STEP_TASKS_PER_NODE",
	"SLURM_NTASKS",
	"SLURM_ARRAY_JOB_ID",
	"SLURM_ARRAY_TASK_ID",
	"SLURMD_NODENAME",
};

/* What this process is with these variables, and no others: NAME, VALUE, …, NULL. */
static struct rank rank_with(const char *const settings[])
{
	struct rank me;
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		unsetenv(variables[i]);
	for (; *settings; settings += 2)
		setenv(settings[0], settings[1], 1);
	rank_find(&me);
	return me;
}
#define RANK(...) rank_with((const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})

static void without_a_launcher_there_is_no_rank(void **state)
{
	(void)state;
	struct rank me = RANK();
	assert_int_equal(me.rank, -1);
	assert_int_equal(me.ranks, 0);
	assert_int_equal(me.task, -1);
	assert_string_equal(me.launcher, "");
	assert_false(rank_has_part(&me));
}

static void each_launcher_is_known(void **state)
{
	(void)state;
	struct rank me = RANK("OMPI_COMM_WORLD_RANK", "3", "OMPI_COMM_WORLD_SIZE", "8", "OMPI_COMM_WORLD_LOCAL_RANK", "1",
	                      "OMPI_COMM_WORLD_LOCAL_SIZE", "2", "PMIX_RANK", "3", "PMIX_NAMESPACE", "4711");
	assert_int_equal(me.rank, 3);
	assert_int_equal(me.ranks, 8);
	assert_int_equal(me.local, 1);
	assert_int_equal(me.locals, 2);
	assert_string_equal(me.launcher, "Open MPI");
	assert_string_equal(me.job, "4711");
	assert_true(rank_has_part(&me));

	me = RANK("PMI_RANK", "5", "PMI_SIZE", "6", "MPI_LOCALRANKID", "2", "MPI_LOCALNRANKS", "3");
	assert_int_equal(me.rank, 5);
	assert_int_equal(me.ranks, 6);
	assert_int_equal(me.local, 2);
	assert_int_equal(me.locals, 3);
	assert_string_equal(me.launcher, "PMI");

	me = RANK("PALS_RANKID", "7", "PALS_LOCAL_RANKID", "1");
	assert_int_equal(me.rank, 7);
	assert_int_equal(me.ranks, 0);
	assert_string_equal(me.launcher, "PALS");
	assert_true(rank_has_part(&me));

	me = RANK("SLURM_PROCID", "2", "SLURM_STEP_NUM_TASKS", "4", "SLURM_STEP_ID", "0", "SLURM_JOB_ID", "12", "SLURM_LOCALID", "0",
	          "SLURM_NODEID", "1", "SLURM_STEP_TASKS_PER_NODE", "1(x3),9", "SLURMD_NODENAME", "node2");
	assert_int_equal(me.rank, 2);
	assert_int_equal(me.ranks, 4);
	assert_int_equal(me.locals, 1);
	assert_string_equal(me.launcher, "Slurm");
	assert_string_equal(me.job, "12.0");
	assert_string_equal(me.node, "node2");
	assert_true(rank_is_without_mpi(&me));
}

static void the_nearest_launcher_is_right(void **state)
{
	(void)state;
	/* mpirun inside salloc: Slurm's numbers are those of the daemon that mpirun started. */
	struct rank me = RANK("OMPI_COMM_WORLD_RANK", "3", "OMPI_COMM_WORLD_SIZE", "4", "SLURM_PROCID", "1", "SLURM_NTASKS", "2",
	                      "SLURM_STEP_NUM_TASKS", "2", "SLURMD_NODENAME", "head");
	assert_int_equal(me.rank, 3);
	assert_int_equal(me.ranks, 4);
	assert_string_not_equal(me.node, "head");

	/* srun --mpi=pmix: the size is the step's. */
	me = RANK("PMIX_RANK", "1", "SLURM_PROCID", "1", "SLURM_STEP_NUM_TASKS", "6", "SLURM_JOB_ID", "9", "SLURM_LOCALID", "1");
	assert_int_equal(me.rank, 1);
	assert_int_equal(me.ranks, 6);
	assert_int_equal(me.local, 1);
	assert_string_equal(me.launcher, "PMIx");
	assert_false(rank_is_without_mpi(&me));

	/* A batch script has a number and is no task of a step. */
	me = RANK("SLURM_PROCID", "0", "SLURM_NTASKS", "8", "SLURM_JOB_ID", "9");
	assert_int_equal(me.rank, -1);
	assert_false(rank_has_part(&me));

	/* One rank alone records as any program does. */
	me = RANK("PMI_RANK", "0", "PMI_SIZE", "1");
	assert_int_equal(me.rank, 0);
	assert_false(rank_has_part(&me));
}

static void a_task_of_an_array_has_a_part(void **state)
{
	(void)state;
	struct rank me = RANK("SLURM_ARRAY_JOB_ID", "77", "SLURM_ARRAY_TASK_ID", "12", "SLURM_JOB_ID", "80", "SLURM_PROCID", "0");
	assert_int_equal(me.task, 12);
	assert_int_equal(me.rank, -1);
	assert_string_equal(me.job, "77");
	assert_string_equal(me.launcher, "job array");
	assert_true(rank_has_part(&me));
}

static void nonsense_is_no_rank(void **state)
{
	(void)state;
	struct rank me = RANK("OMPI_COMM_WORLD_RANK", "-3", "PMI_RANK", "x1", "SLURM_PROCID", "");
	assert_int_equal(me.rank, -1);
	me = RANK("SLURM_PROCID", "0", "SLURM_STEP_NUM_TASKS", "2", "SLURM_NODEID", "5", "SLURM_STEP_TASKS_PER_NODE", "2(x1");
	assert_int_equal(me.locals, 0);
}

/* ---- --ranks ---- */

static bool has(const char *list, int64_t rank)
{
	bool is;
	struct fail why;
	assert_int_equal(choice_has(list, rank, &is, &why), 0);
	return is;
}

static void a_list_chooses_ranks(void **state)
{
	(void)state;
	assert_true(has("0", 0));
	assert_false(has("0", 1));
	assert_true(has("0,5-9", 7));
	assert_false(has("0,5-9", 10));
	assert_true(has("*", 123456));
	assert_true(has("*/100", 300));
	assert_false(has("*/100", 301));
	assert_true(has("1-9/4", 5));
	assert_false(has("1-9/4", 4));
	assert_true(has("3,*/10", 3));
	assert_int_equal(choice_first("7,3-5", 8), 3);
	assert_int_equal(choice_first("*/100", 8), 0);
	assert_int_equal(choice_first("9", 8), -1);
	assert_int_equal(choice_first("9", 0), 9);
}

static void what_is_no_list_is_refused(void **state)
{
	(void)state;
	static const char *const wrong[] = {"", "a", "1,", ",1", "5-3", "1-", "*/0", "*/", "1 2", "-1", "0x3"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		bool is;
		struct fail why = {0};
		if (choice_has(wrong[i], 0, &is, &why) == 0)
			fail_msg("\"%s\" is taken", wrong[i]);
		assert_int_equal(why.status, FAIL_USAGE);
	}
}

/* ---- parts ---- */

static void a_part_is_named_after_its_rank(void **state)
{
	(void)state;
	char folder[PATH_MAX], file[PATH_MAX];
	struct fail why;
	struct rank me = {.rank = 3, .ranks = 8, .task = -1};
	assert_int_equal(part_name("prog.skein", &me, folder, file, &why), 0);
	assert_string_equal(folder, "prog.skein.d");
	assert_string_equal(file, "prog.skein.d/rank-000003.skein");
	assert_int_equal(access(folder, F_OK), 0);
	assert_int_equal(part_name("prog.skein", &me, folder, file, &why), 0); /* the folder is there already */
	assert_int_equal(part_name("prog.skein.d", &me, folder, file, &why), 0);
	assert_string_equal(folder, "prog.skein.d");
	me = (struct rank){.rank = -1, .task = 12};
	assert_int_equal(part_name("a", &me, folder, file, &why), 0);
	assert_string_equal(file, "a.d/task-000012.skein");
	me = (struct rank){.rank = 1, .ranks = 2, .task = 12};
	assert_int_equal(part_name("a", &me, folder, file, &why), 0);
	assert_string_equal(file, "a.d/task-000012-rank-000001.skein");
}

static void a_folder_that_cannot_be_is_told(void **state)
{
	(void)state;
	char folder[PATH_MAX], file[PATH_MAX];
	struct fail why = {0};
	struct rank me = {.rank = 0, .ranks = 2, .task = -1};
	lib_write("prog.d", "a file");
	assert_int_equal(part_name("prog", &me, folder, file, &why), -1);
	assert_non_null(strstr(why.text, "prog.d"));
}

/* Without a TMPDIR that can be written to, the session is beside the part. */
static void a_session_is_on_the_node(void **state)
{
	(void)state;
	char session[PATH_MAX], start[2 * PATH_MAX];
	struct fail why;
	lib_write("tmp/x", "");
	lib_write("parts/x", "");
	setenv("TMPDIR", lib_path("tmp"), 1);
	assert_int_equal(part_session("parts/rank-000001.skein", session, &why), 0);
	snprintf(start, sizeof start, "%s/tmp/.rank-000001.skein.session-", lib_folder());
	assert_memory_equal(session, start, strlen(start));
	setenv("TMPDIR", lib_path("nowhere"), 1);
	assert_int_equal(part_session("parts/rank-000001.skein", session, &why), 0);
	snprintf(start, sizeof start, "%s/parts/.rank-000001.skein.session-", lib_folder());
	assert_memory_equal(session, start, strlen(start));
	unsetenv("TMPDIR");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, lib_enter, lib_leave)
int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_launcher_there_is_no_rank),
		cmocka_unit_test(each_launcher_is_known),
		cmocka_unit_test(the_nearest_launcher_is_right),
		cmocka_unit_test(a_task_of_an_array_has_a_part),
		cmocka_unit_test(nonsense_is_no_rank),
		cmocka_unit_test(a_list_chooses_ranks),
		cmocka_unit_test(what_is_no_list_is_refused),
		IN_FOLDER(a_part_is_named_after_its_rank),
		IN_FOLDER(a_folder_that_cannot_be_is_told),
		IN_FOLDER(a_session_is_on_the_node),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
